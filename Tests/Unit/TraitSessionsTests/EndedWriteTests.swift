// Long writes that end before they are carried out: nothing waits for them any more, the session is to end, or what
// they write down needs more memory than there is.

import Dispatch
import JSONCodec
import Ledger
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Long writes that end")
struct EndedWriteTests {
    private final class Gone: Waker {
        var isOver: Bool { true }
        func wake() {}
    }

    /// A store whose long writes wait at their beginning until the gate is open.
    private final class Stage {
        let store: SessionStore
        let client: Client
        let gate = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)

        init(_ memory: MemoryLedger = .unlimited) {
            var environment = Clock().environment(seed: 1)
            environment.memory = memory
            environment.hasBegunLongWrite = { [begun, gate] _ in
                begun.signal()
                gate.wait()
            }
            store = SessionStore(limits: .quiet, environment: environment)
            client = Client(store)
        }

        func queue(
            _ operations: [String], _ session: Session, for caller: MemoryAccount? = nil
        ) throws -> PendingResponse {
            try client.withDocument("[\(operations.joined(separator: ","))]") {
                list throws(SessionError) in
                var proposal = Proposal(.many(list))
                proposal.options.caller = caller
                return session.queue(proposal, isLong: true)
            }
        }
    }

    private let many = (0..<40_000).map {
        "{\"op\":\"createNode\",\"node\":\"n\($0)\",\"kind\":\"environment\"}"
    }

    private func code(_ decision: PendingResponse.Decision) -> SessionErrorCode? {
        if case .refused(let error) = decision { error.code } else { nil }
    }

    @Test("The end of a session does not wait for the writes to it, which find no session then")
    func endedSession() throws {
        let stage = Stage()
        let session = try stage.client.create("demo", "{}")
        let responses = [try stage.queue(many, session), try stage.queue(many, session)]
        stage.begun.wait()
        let end = session.queueEnd(CommitOptions())
        // The first write ends, the session ends, and the writes are refused.
        for _ in 0..<4 { stage.gate.signal() }
        guard case .released = end.waitForDecision() else {
            Issue.record("the session did not end")
            return
        }
        for response in responses {
            #expect(code(response.waitForDecision()) == .unknownSession)
        }
        #expect(session.withState { $0.hierarchy.nodeCount } == 0)
    }

    @Test("An end that depends on the session's state comes after the writes before it")
    func conditionalEnd() throws {
        let stage = Stage()
        let session = try stage.client.create("demo", "{}")
        let response = try stage.queue(many, session)
        stage.begun.wait()
        var options = CommitOptions()
        options.condition.ifRevision = 1
        let end = session.queueEnd(options)
        for _ in 0..<2 { stage.gate.signal() }
        guard case .released = response.waitForDecision() else {
            Issue.record("the write was refused")
            return
        }
        #expect(code(end.waitForDecision()) == .revisionMismatch)
    }

    @Test("A write whose client is gone changes nothing, whether it has begun or not")
    func abandoned() throws {
        let stage = Stage()
        let session = try stage.client.create("demo", "{}")
        let first = try stage.queue(many, session)
        let second = try stage.queue(many, session)
        stage.begun.wait()
        for response in [first, second] { _ = response.attach(Gone()) }
        stage.gate.signal()
        let last = try stage.queue(
            ["{\"op\":\"createNode\",\"node\":\"x\",\"kind\":\"environment\"}"], session)
        stage.gate.signal()
        guard case .released = last.waitForDecision() else {
            Issue.record("the last write was refused")
            return
        }
        session.withState { state in
            #expect(state.hierarchy.nodeCount == 1 && state.head == 2)
        }
    }

    @Test(
        "A long read of assumed states ends when its client is gone, and leaves the session as it was"
    )
    func abandonedVariants() throws {
        let stage = Stage()
        let session = try stage.client.create(
            "demo",
            #"{"nodes":[{"id":"a","kind":"environment"}],"traits":{"n":{"type":"int","default":0}}}"#
        )
        let before = session.withState { $0.digest.full }
        let numbers = (0..<140).map(String.init).joined(separator: ",")
        let axes = ["displayScale", "n"].map {
            #"{"name":"\#($0)","trait":"\#($0)","at":"a","cases":[\#(numbers)]}"#
        }
        let response = try stage.client.withDocument(
            #"{"nodes":["a"],"axes":[\#(axes.joined(separator: ","))]}"#
        ) { body throws(SessionError) in
            session.queue(
                Proposal(
                    assuming: body, .variants(updates: true, asLines: true), CommitOptions()),
                isLong: true)
        }
        stage.begun.wait()
        _ = response.attach(Gone())
        // Writes come one after the other, so the read is over when this one is.
        let next = try stage.queue(["{\"op\":\"deleteNode\",\"node\":\"none\"}"], session)
        for _ in 0..<2 { stage.gate.signal() }
        #expect(code(next.waitForDecision()) == .unknownNode)
        guard case .refused = response.waitForDecision() else {
            Issue.record("the read went on to its end")
            return
        }
        let (after, head) = session.withState { ($0.digest.full, $0.head) }
        #expect(after == before && head == 1)
    }

    @Test("The writes of two callers to one session take turns")
    func turns() throws {
        let accounts = MemoryLedger(bytesMax: 1 << 30, measure: { 0 }).accounts
        let callers = (0..<2).map { accounts.account(of: CallerKey(high: 1, low: $0)) }
        let stage = Stage()
        let session = try stage.client.create("demo", "{}")
        func create(_ name: String) -> [String] {
            ["{\"op\":\"createNode\",\"node\":\"\(name)\",\"kind\":\"environment\"}"]
        }
        let first = try (0..<4).map { try stage.queue(create("a\($0)"), session, for: callers[0]) }
        stage.begun.wait()
        let other = try stage.queue(create("b"), session, for: callers[1])
        for _ in 0..<5 { stage.gate.signal() }
        for response in first + [other] { _ = response.waitForDecision() }
        let order = session.withState { state in
            (2...state.head).map {
                state.retained[$0].map { String(decoding: $0.entry.payload, as: UTF8.self) } ?? ""
            }
        }
        #expect(order.count == 5 && order.firstIndex { $0.contains("\"b\"") } == 1, "\(order)")
    }

    @Test(
        "A copy is refused before its text takes the memory that there is, also in a dry run",
        arguments: [false, true])
    func memory(dryRun: Bool) throws {
        let memory = MemoryLedger(bytesMax: 64_000_000, measure: { 0 })
        let account = memory.accounts.account(of: CallerKey(high: 1, low: 1))
        let stage = Stage(memory)
        for _ in 0..<100 { stage.gate.signal() }
        let session = try stage.client.create("demo", "{}")
        let long = String(repeating: "x", count: 16_000)
        let values = (0..<100).map {
            "{\"op\":\"defineTrait\",\"trait\":\"t\($0)\",\"definition\":{\"type\":\"string\",\"default\":\"\"}},"
                + "{\"op\":\"setOverride\",\"node\":\"s\",\"trait\":\"t\($0)\",\"value\":\"\($0)\(long)\"}"
        }
        let root = "{\"op\":\"createNode\",\"node\":\"s\",\"kind\":\"environment\"}"
        _ = try stage.queue([root] + values, session).wait()
        let text = TextBuffer()
        let copies = (0..<12).map {
            "{\"op\":\"copyNode\",\"node\":\"s\",\"prefix\":[\"\",\"c\($0).\"],\"parent\":\"s\"}"
        }
        let error = #expect(throws: SessionError.self) {
            try stage.client.withDocument("[\(copies.joined(separator: ","))]") {
                list throws(SessionError) in
                var proposal = Proposal(.many(list))
                proposal.options.caller = account
                proposal.options.dryRun = dryRun
                var wakes = WakeList()
                var body = JSONWriter()
                _ = try session.withState { state throws(SessionError) in
                    try state.decide(
                        proposal, text: text, body: &body, .long(LongWrite(of: account)),
                        wakes: &wakes)
                }
            }
        }
        #expect(error?.code == .memoryFull && error?.pointer?.hasPrefix("/operations/") == true)
        // A sixth of a quarter of the memory: three times the text may be taken.
        #expect(text.json.count < 8_000_000, "\(text.json.count) bytes were written")
        #expect(account.work.bytes == 0)
        session.withState { #expect($0.hierarchy.nodeCount == 1) }
    }
}
