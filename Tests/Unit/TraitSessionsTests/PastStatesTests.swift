// What is kept of the past, for how long, and what happens when too much is asked for.

import Dispatch
import Ledger
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Rebuilt revisions")
struct PastStatesTests {
    private static func session(
        _ clock: Clock, _ limits: ServiceLimits = ServiceLimits(), commits: Int
    ) throws -> (SessionStore, Session) {
        let store = SessionStore(limits: limits, environment: clock.environment(seed: 1))
        let client = Client(store)
        let session = try client.create("demo", Operations.start)
        for value in 1...commits {
            _ = try client.transaction("[\(Operations.set(value))]", to: session)
        }
        return (store, session)
    }

    @Test("A revision is kept for a minute after its last use")
    func expires() throws {
        let clock = Clock()
        let (store, session) = try Self.session(clock, commits: 10)
        let first = try PastReader.session(at: 5, of: session, in: store)
        #expect(try PastReader.session(at: 5, of: session, in: store) === first)
        #expect(store.past.count == 1)
        clock.move(by: 59_000)
        store.past.removeExpired()
        #expect(try PastReader.session(at: 5, of: session, in: store) === first)
        clock.move(by: 59_000)
        store.past.removeExpired()
        #expect(store.past.count == 1, "it was used meanwhile")
        clock.move(by: 2_000)
        store.past.removeExpired()
        #expect(store.past.count == 0 && store.past.heldBytes == 0)
        #expect(try PastReader.session(at: 5, of: session, in: store) !== first)
        #expect(store.past.removeAll() > 0)
        #expect(store.past.count == 0)
    }

    @Test(
        "Beyond so many rebuilds the others wait, and beyond so many of them requests are refused")
    func bounds() throws {
        var limits = ServiceLimits()
        limits.pastRebuildsMax = 1
        limits.pastWaitingMax = 2
        let (store, session) = try Self.session(Clock(), limits, commits: 10)
        // Both threads for the past are held.
        let held = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            ReadThreads.past.run {
                held.wait()
                return false
            }
        }
        var waiting: [PendingResponse] = []
        for revision: Int64 in 2...4 {
            guard
                case .wait(let response) = try store.past.state(of: session, at: revision, for: nil)
            else {
                Issue.record("revision \(revision) is there")
                continue
            }
            waiting.append(response)
        }
        #expect(throws: SessionError.self) {
            _ = try store.past.state(of: session, at: 5, for: nil)
        }
        guard case .wait(let shared) = try store.past.state(of: session, at: 4, for: nil) else {
            Issue.record("the same revision is not shared")
            return
        }
        waiting.append(shared)
        for _ in 0..<2 { held.signal() }
        for response in waiting {
            guard case .readAgain = response.waitForDecision() else {
                Issue.record("a rebuild failed")
                continue
            }
        }
        #expect(store.past.count == 3)
    }

    private final class Gone: Waker {
        var isOver: Bool { true }
        func wake() {}
    }

    @Test(
        "One caller's revisions have no other caller refused, and those that nothing waits for are not rebuilt"
    )
    func callers() throws {
        var limits = ServiceLimits()
        limits.pastRebuildsMax = 1
        limits.pastWaitingMax = 2
        let (store, session) = try Self.session(Clock(), limits, commits: 20)
        let accounts = MemoryLedger(bytesMax: 1 << 30, measure: { 0 }).accounts
        let callers = (0..<2).map { accounts.account(of: CallerKey(high: 1, low: $0)) }
        let held = DispatchSemaphore(value: 0)
        // Those of callers that are ahead, too.
        let holders: [Gone?] = [nil, nil, Gone(), Gone()]
        for holder in holders {
            ReadThreads.past.run(for: holder) { _ in
                held.wait()
                return false
            }
        }
        func ask(_ revision: Int64, _ caller: MemoryAccount) throws -> PendingResponse? {
            guard
                case .wait(let response) = try store.past.state(
                    of: session, at: revision, for: caller)
            else { return nil }
            return response
        }
        for revision: Int64 in 2...4 {
            let response = try #require(try ask(revision, callers[0]))
            _ = response.attach(Gone())
        }
        #expect(throws: SessionError.self) { try ask(5, callers[0]) }
        let other = try #require(try ask(6, callers[1]))
        // A revision of the first caller that the second one waits for, too.
        let shared = try #require(try ask(3, callers[1]))
        for _ in holders { held.signal() }
        for response in [other, shared] {
            guard case .readAgain = response.waitForDecision() else {
                Issue.record("a rebuild failed")
                continue
            }
        }
        // Behind whatever is left of the abandoned ones.
        let last = try #require(try ask(7, callers[0]))
        _ = last.waitForDecision()
        #expect(store.past.count == 3)
    }

    @Test("Many small results do not pile up: those that were used longest ago go")
    func count() throws {
        var limits = ServiceLimits()
        limits.pastResultsMax = 8
        let clock = Clock()
        let (store, session) = try Self.session(clock, limits, commits: 40)
        for revision: Int64 in 2...40 {
            _ = try PastReader.session(at: revision, of: session, in: store)
            #expect(store.past.count <= 8)
            clock.move(by: 1)
        }
        let newest = try PastReader.session(at: 40, of: session, in: store)
        #expect(try PastReader.session(at: 40, of: session, in: store) === newest)
        #expect(store.past.count >= 7)
    }

    @Test("A result that its client never fetched makes room after some seconds")
    func abandoned() throws {
        var limits = ServiceLimits()
        limits.pastResultsMax = 2
        let clock = Clock()
        let (store, session) = try Self.session(clock, limits, commits: 20)
        func abandon(_ revision: Int64) throws {
            guard
                case .wait(let response) = try store.past.state(of: session, at: revision, for: nil)
            else { return }
            _ = response.waitForDecision()
        }
        for revision: Int64 in 2...5 { try abandon(revision) }
        #expect(store.past.count == 4, "their clients may still come")
        clock.move(by: 6_000)
        try abandon(6)
        #expect(store.past.count == 2)
    }

    @Test("While a state is restored, its reservation counts no more than it is still to take")
    func settled() throws {
        let clock = Clock()
        let store = SessionStore(
            limits: ServiceLimits(), environment: clock.environment(seed: 1), log: MemoryLog())
        let client = Client(store)
        let nodes = (0..<5_000).map { #"{"id":"n\#($0)","kind":"view"}"# }
        let session = try client.create("demo", #"{"nodes":[\#(nodes.joined(separator: ","))]}"#)
        try session.writeSnapshot()
        _ = try client.transaction(#"[{"op":"deleteNode","node":"n1"}]"#, to: session)
        let ledger = MemoryLedger(bytesMax: 1 << 30, measure: { 0 })
        let reservation = try #require(ledger.reserve(10_000_000))
        let work = PastStateWork(session, at: 1, isAssumable: false)
        #expect(try work.step(reservation) == nil)
        #expect(reservation.bytes < 1_000_000, "of 10,000,000")
        #expect(ledger.bytes == 10_000_000, "what was settled is still charged")
    }

    @Test("A session from a document can be read as it was made")
    func imported() throws {
        let store = SessionStore(
            limits: ServiceLimits(), environment: Clock().environment(seed: 1))
        let client = Client(store)
        let document = #"{"name":"made","# + Operations.start.dropFirst()
        let session = try client.withDocument(document) { json throws(SessionError) in
            try store.load(json)
        }
        let made = Reads.answers(of: session, seed: 1, withCommits: false)
        for value in 1...5 { _ = try client.transaction("[\(Operations.set(value))]", to: session) }
        // The base is made on a thread for the past.
        while session.withState({ $0.oldestPast.revision }) > 1 {}
        let past = try PastReader.session(at: 1, of: session, in: store)
        #expect(Reads.answers(of: past, seed: 1, withCommits: false) == made)
    }
}
