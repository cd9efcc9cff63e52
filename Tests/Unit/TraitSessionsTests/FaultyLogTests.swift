// A session whose log fails keeps the state that the log holds, and every request gets an answer.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct FaultyLogTests {
    @Test("A tail that cannot be replayed refuses every write that waits, and lets reads run again")
    func foreignTail() throws {
        let base = MemoryLog()
        let delaying = DelayingLog(base, isHolding: false)
        let process = Process(delaying, seed: 1)
        let session = try process.session("demo", Operations.start)
        delaying.hold()
        let first = try process.start(Operations.create("a"), to: session)
        #expect(delaying.waitForHeld(1))
        let second = try process.start(Operations.create("b"), to: session)
        let read = try #require(session.withState { $0.pendingResponse(until: $0.head) })
        let entry = try #require(session.retained[1]?.entry)
        let foreign = LogEntry(
            revision: 2, time: 5, payload: Array("[2]".utf8), after: entry.checksum)
        #expect(base.append(foreign, to: session.logged, expecting: 1) == .appended)
        delaying.release()
        let decisions = Wait.until([first, second, read], within: 5)
        #expect(refusal(decisions[0]) == .sessionDiverged)
        #expect(refusal(decisions[1]) == .sessionDiverged)
        #expect(isReadAgain(decisions[2]))
        #expect(session.withState { $0.head == 1 && $0.waitingCount == 0 })
    }

    @Test("Labels survive a transaction that comes to nothing and registers the same name anew")
    func labels() throws {
        let base = MemoryLog()
        let failing = FailingLog(base)
        let process = Process(failing, seed: 1)
        let session = try process.session("demo", Operations.start)
        try process.commit(Operations.register("r", label: "first"), session)
        let again = [Operations.unregister("r"), Operations.register("r", label: "second")]
        var dry = Write(.transaction(again))
        dry.dryRun = true
        let digest = session.digest
        guard case .done = process.client.send(dry, to: session) else {
            return #expect(Bool(false))
        }
        #expect(session.label(of: "r") == "first" && session.digest == digest)
        let refused = again + [Operations.create("n1")]
        guard case .refused = process.client.send(Write(.transaction(refused)), to: session) else {
            return #expect(Bool(false))
        }
        #expect(session.label(of: "r") == "first" && session.digest == digest)
        failing.add(.refused())
        guard case .refused = process.client.sendAndWait(Write(.transaction(again)), to: session)
        else {
            return #expect(Bool(false))
        }
        #expect(session.label(of: "r") == "first" && session.digest == digest)
        try process.commit(again.joined(separator: ","), session)
        #expect(session.label(of: "r") == "second")
        #expect(try session.replica(base).digest == session.digest)
        #expect(try session.replica(base).label(of: "r") == "second")
    }

    @Test("A snapshot taken while the end of a registration waits for the log has the same digest")
    func snapshotWithPendingEnd() throws {
        let delaying = DelayingLog(MemoryLog(), isHolding: false)
        let process = Process(delaying, seed: 1)
        let session = try process.session("demo", Operations.start)
        try process.commit(Operations.register("r", label: "first"), session)
        delaying.hold()
        let write = try process.start(
            Operations.unregister("r"), Operations.register("r", label: "new"), to: session)
        let frozen = try session.withState { try $0.snapshot() }.session()
        #expect(frozen.digest == session.digest)
        delaying.release()
        #expect(isReleased(Wait.until([write])[0]))
    }

    @Test("A stream of a registration that never came to be ends, and hears of no other")
    func withdrawnRegistration() throws {
        let failing = FailingLog()
        let delaying = DelayingLog(failing, isHolding: false)
        let process = Process(delaying, seed: 1)
        let session = try process.session("demo", Operations.start)
        delaying.hold()
        failing.add(.refused())
        let write = try process.start(Operations.register("r1", label: "x"), to: session)
        let listener = try Listener(session, .registrations(["r1"]), from: "now")
        delaying.release()
        #expect(refusal(Wait.until([write])[0]) == .storageFull)
        try process.commit(Operations.register("r2", label: "y"), session)
        try process.commit(Operations.set(4), session)
        listener.drain()
        #expect(listener.isOver)
        #expect(!text(listener.bytes).contains(#""type":"change""#))
    }

    @Test(
        "A stream whose first state is withdrawn begins with the one that is there then",
        arguments: [nil, "000000000000.1"])
    func withdrawnBeginning(token: String?) throws {
        let failing = FailingLog()
        let delaying = DelayingLog(failing, isHolding: false)
        let process = Process(delaying, seed: 1)
        let session = try process.session("demo", Operations.start)
        try process.commit(Operations.register("r", label: "x"), session)
        delaying.hold()
        failing.add(.refused())
        let write = try process.start(Operations.set(7), to: session)
        let listener = try Listener(session, .registrations(["r"]), from: token, resyncs: true)
        listener.drain()
        // Not even its beginning has the revision.
        #expect(listener.bytes.isEmpty)
        delaying.release()
        #expect(refusal(Wait.until([write])[0]) == .storageFull)
        listener.drain()
        #expect(!listener.isOver && text(listener.bytes).contains(#""type":"state""#))
        #expect(text(listener.bytes).contains(#""type":"reset""#) == (token != nil))
        try process.commit(Operations.set(4), session)
        listener.drain()
        #expect(!listener.isOver && text(listener.bytes).contains(#""type":"change""#))
        #expect(!text(listener.bytes).contains(":7"))
    }

    @Test("Streams of a session that never came to be end")
    func withdrawnSession() throws {
        let failing = FailingLog(script: [.refused()])
        let delaying = DelayingLog(failing)
        let process = Process(delaying, seed: 1)
        let creation = SessionCreation(.init(), process.store)
        var created: CreatedSession?
        try process.client.withDocument(#"{"name":"demo"}"#) { json throws(SessionError) in
            while created == nil { created = try creation.step(json) }
        }
        guard case .created(let session, _, let response?)? = created else {
            return #expect(Bool(false))
        }
        let listener = try Listener(session, .session, from: "now")
        delaying.release()
        #expect(refusal(Wait.until([response])[0]) == .storageFull)
        listener.drain()
        #expect(listener.isOver)
    }
}
