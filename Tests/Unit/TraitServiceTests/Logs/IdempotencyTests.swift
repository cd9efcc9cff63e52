// The outcome of a request with a key is a part of the log: the same request gets it again, from the
// session that made the commit, from one that replayed it, and from one restored from a snapshot.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

struct IdempotencyTests {
    private static func commit(
        _ session: Session, _ json: String, _ request: IdempotentRequest?
    ) throws -> (CommitOutcome, String) {
        let tape = JSONTape()
        let bytes = Array(json.utf8)
        return try bytes.withUnsafeBytes { bytes in
            var options = CommitOptions()
            options.idempotency = request
            var body = JSONWriter()
            var wakes = WakeList()
            let proposal = Proposal(.one(try Operation(try tape.parse(bytes))), options)
            let result = try session.commit(
                proposal, text: TextBuffer(), body: &body, wakes: &wakes)
            switch result {
            case .done(let outcome, _):
                return (outcome, String(decoding: body.bytes, as: UTF8.self))
            case .held(let outcome, _, let response):
                try response.wait()
                return (outcome, String(decoding: body.bytes, as: UTF8.self))
            case .pending, .mustWait, .takesLong:
                throw SessionError(.internalError, "the write was not decided at once")
            }
        }
    }

    private static func makeSession(_ log: MemoryLog? = nil) throws -> Session {
        let store = SessionStore(limits: ServiceLimits(), environment: .system, log: log)
        let tape = JSONTape()
        let bytes = Array(#"{"name":"s"}"#.utf8)
        return try bytes.withUnsafeBytes { try store.load(try tape.parse($0)) }
    }

    private static let create = #"{"op":"createNode","node":"n","kind":"environment"}"#

    @Test("The same request gets the first outcome, another one of the key is refused")
    func repeated() throws {
        let log = MemoryLog()
        let session = try Self.makeSession(log)
        let request = IdempotentRequest(caller: "a", key: "k", request: 7)
        let (first, body) = try Self.commit(session, Self.create, request)
        #expect(!first.isRepeated && first.revision == 2)
        let known = try #require(log.session(named: "s"))
        let replayed = try Session.load(
            known, from: log, limits: ServiceLimits(), environment: .system)
        try session.writeSnapshot()
        let restored = try Session.load(
            known, from: log, limits: ServiceLimits(), environment: .system)
        for session in [session, replayed, restored] {
            let (again, answer) = try Self.commit(session, Self.create, request)
            #expect(again.isRepeated && again.isNew == first.isNew)
            #expect(again.revision == 2 && answer == body)
            #expect(session.head == 2)
            let other = IdempotentRequest(caller: "a", key: "k", request: 8)
            let error = #expect(throws: SessionError.self) {
                try Self.commit(session, Self.create, other)
            }
            #expect(error?.code == .idempotencyKeyReused)
        }
        // Another caller's key is another key.
        let stranger = IdempotentRequest(caller: "b", key: "k", request: 7)
        #expect(throws: SessionError.self) { try Self.commit(session, Self.create, stranger) }
    }

    @Test("The key of a creation, which an earlier version recorded, is free for a write")
    func creation() throws {
        let log = MemoryLog()
        let session = try Self.makeSession(log)
        let known = try #require(log.session(named: "s"))
        let first = try #require(log.tail(of: known, after: 0, limit: 1).first)
        let recorded =
            #""idempotency":{"scope":"server","caller":"a","key":"k","request":"0000000000000008","#
            + #""notified":0,"isNew":true,"id":"s","answer":{"name":"s"}},"digest""#
        let payload = String(decoding: first.payload, as: UTF8.self)
            .replacing(#""digest""#, with: recorded)
        let entry = LogEntry(
            revision: 1, time: first.time, payload: Array(payload.utf8), after: 0)
        let older = MemoryLog()
        #expect(older.append(entry, to: known, expecting: 0) == .appended)
        let store = SessionStore(limits: ServiceLimits(), environment: .system, log: older)
        let loaded = try #require(try store.findOrOpen("s"))
        #expect(loaded.digest == session.digest && loaded.withState { $0.outcomes.count } == 0)
        let request = IdempotentRequest(caller: "a", key: "k", request: 7)
        #expect(try Self.commit(loaded, Self.create, request).0.isRepeated == false)
        #expect(try Self.commit(loaded, Self.create, request).0.isRepeated)
    }

    @Test("Requests that made no commit are run again")
    func unchanged() throws {
        let session = try Self.makeSession()
        let request = IdempotentRequest(caller: "a", key: "k", request: 7)
        let removal = #"{"op":"unregister","registration":"r"}"#
        for _ in 0..<2 {
            let (outcome, _) = try Self.commit(session, removal, request)
            #expect(outcome.isUnchanged && !outcome.isRepeated)
        }
        _ = try Self.commit(session, Self.create, request)
        #expect(session.head == 2)
    }
}
