// Temporary values in documents, copies, comparisons and reverts.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Temporary values in documents")
struct ExpiringDocumentTests {
    /// The clock of a new process shows 2027-01-15T08:00:00Z.
    private static let soon = "2027-01-15T08:00:10.000Z"

    private static func document(_ ends: String, value: Int = 7) -> String {
        #"{"traits":{"level":{"type":"int","default":0}},"nodes":[{"id":"n1","kind":"environment","overrides":{"level":\#(value)}\#(ends)}]}"#
    }

    private static let ending = document(#","expiresAt":{"level":"\#(soon)"}"#)

    private func end(_ process: Process, _ session: Session) {
        process.store.endExpiredValues()
        _ = Wait.until([session.queue(Proposal(.expire([])), isLong: false)])
    }

    private func time(_ session: Session, _ node: String = "n1") -> Int64? {
        session.withState { state in
            guard let node = state.hierarchy.node(node),
                let trait = state.hierarchy.definitions.index(of: "level")
            else { return nil }
            return state.end(of: trait, at: node)
        }
    }

    private func load(_ document: String, _ process: Process) throws -> Session {
        try process.client.withDocument(document) { json throws(SessionError) in
            try process.store.load(json)
        }
    }

    private func apply(
        _ document: String, _ process: Process, _ session: Session, manager: String? = nil,
        prune: Bool = false
    ) throws {
        var options = ApplyOptions()
        options.manager = manager
        options.prune = prune
        _ = try process.client.withDocument(document) { json throws(SessionError) in
            try process.client.carryOut(Proposal(.apply(json, options)), on: session)
        }
    }

    @Test("An export has the times, and a session that is made of it ends its values")
    func export() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Self.ending)
        #expect(time(session) == process.clock.now + 10_000 && session.head == 1)
        for profile: DocumentWriter.Profile in [.exchange, .specified] {
            let snapshot = try session.withState { state throws(SessionError) in
                try state.snapshot()
            }
            var json = JSONWriter()
            DocumentWriter(try snapshot.session(), profile).writeAll(into: &json)
            let document = String(decoding: json.array(), as: UTF8.self)
            #expect(document.contains(#""expiresAt":{"level":"\#(Self.soon)"}"#))
            let log = MemoryLog()
            let other = Process(log, seed: 6)
            let imported = try load(document, other)
            #expect(time(imported) == time(session))
            #expect(imported.digest.content == session.digest.content)
            #expect(try imported.replica(log).digest == imported.digest)
            other.clock.move(by: 9_999)
            end(other, imported)
            #expect(imported.level == 7)
            other.clock.move(by: 1)
            end(other, imported)
            #expect(imported.level == 0 && imported.head == 2)
            // A document whose times are over.
            let late = Process(MemoryLog(), seed: 7)
            late.clock.move(by: 60_000)
            let over = try load(document, late)
            #expect(over.level == 7 && time(over) == time(session))
            end(late, over)
            #expect(over.level == 0 && over.head == 2)
        }
    }

    @Test("A new session leaves out what is over")
    func creation() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        process.clock.move(by: 10_000)
        let session = try process.session("demo", Self.ending)
        #expect(session.level == 0 && time(session) == nil)
        #expect(try session.replica(log).digest == session.digest)
    }

    @Test("An apply of the same document changes nothing, and another time is a change")
    func applied() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try apply(Self.ending, process, session, manager: "ci")
        #expect(time(session) == process.clock.now + 10_000 && session.head == 2)
        try apply(Self.ending, process, session, manager: "ci")
        #expect(session.head == 2)
        let later = Self.document(#","expiresAt":{"level":"2027-01-15T08:00:20Z"}"#)
        let error = #expect(throws: SessionError.self) {
            try apply(later, process, session, manager: "ops")
        }
        #expect(error?.code == .managed && error?.pointer == "/nodes/0/overrides/level")
        try apply(later, process, session, manager: "ci")
        #expect(time(session) == process.clock.now + 20_000 && session.head == 3)
        try apply(Self.document(""), process, session, manager: "ci")
        #expect(time(session) == nil && session.level == 7 && session.head == 4)
        try apply(later, process, session, manager: "ci")
        process.clock.move(by: 30_000)
        end(process, session)
        #expect(session.level == 0 && session.head == 6)
        // What is over is no part of the document: it is not set, and pruned where it is set.
        try apply(later, process, session, manager: "ci", prune: true)
        #expect(session.level == 0 && session.head == 6)
        try apply(Self.document(""), process, session, manager: "ci")
        try apply(later, process, session, manager: "ci", prune: true)
        #expect(session.level == 0 && session.head == 8)
        #expect(try session.replica(log).digest == session.digest)
    }

    @Test("Times of a document that cannot be are refused")
    func refusals() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Operations.start)
        for (ends, code, pointer) in [
            (#","expiresAt":"soon""#, SessionErrorCode.malformedBody, "/expiresAt"),
            (#","expiresAt":null"#, .malformedBody, "/expiresAt"),
            (#","expiresAt":{"level":"soon"}"#, .malformedBody, "/expiresAt/level"),
            (#","expiresAt":{"level":5}"#, .malformedBody, "/expiresAt/level"),
            (#","expiresAt":{"other":"\#(Self.soon)"}"#, .missingMember, "/expiresAt/other"),
        ] {
            let document = Self.document(ends)
            let applied = #expect(throws: SessionError.self) {
                try apply(document, process, session)
            }
            #expect(applied?.code == code && applied?.pointer == "/nodes/0" + pointer, "\(ends)")
            let made = #expect(throws: SessionError.self) {
                try process.session("other", document)
            }
            #expect(made?.code == code && made?.pointer == "/nodes/0" + pointer, "\(ends)")
            let whole = #"{"format":1,"name":"other",\#(document.dropFirst())"#
            let imported = #expect(throws: SessionError.self) { try load(whole, process) }
            #expect(imported?.code == code, "\(ends): \(imported?.detail ?? "")")
            #expect(imported?.pointer == "/nodes/0" + pointer, "\(ends)")
        }
        #expect(session.head == 1 && process.store.find("other") == nil)
    }

    @Test("A copy of a node ends when the original does")
    func copies() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Self.ending)
        try process.commit(#"{"op":"copyNode","node":"n1","to":"n2"}"#, session)
        #expect(time(session, "n2") == time(session) && time(session) != nil)
        #expect(try session.replica(log).digest == session.digest)
        process.clock.move(by: 10_000)
        end(process, session)
        #expect(time(session, "n2") == nil && session.level == 0 && session.head == 3)
    }

    @Test("A revert brings back a value with its time, and leaves out a value that is over")
    func reverts() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try apply(Self.ending, process, session, manager: "ci")
        let end = time(session)
        let earlier = try session.withState { state throws(SessionError) in try state.snapshot() }
        func revert() throws {
            let revert = Revert(to: earlier.revision, try earlier.session())
            _ = try process.client.carryOut(
                Proposal(.revert(revert), answer: .revert(revert.goal)), on: session)
        }
        for other in [
            Operations.set(7), Operations.set(8),
            #"{"op":"removeOverride","node":"n1","trait":"level"}"#,
            #"{"op":"deleteNode","node":"n1"}"#,
        ] {
            let head = session.head
            try process.commit(other, session)
            try revert()
            #expect(session.level == 7 && time(session) == end, "\(other)")
            #expect(session.head == head + 2, "\(other)")
        }
        let head = session.head
        try revert()
        #expect(session.head == head)
        try process.commit(Operations.set(7), session)
        process.clock.move(by: 10_000)
        try revert()
        #expect(session.level == 0 && time(session) == nil && session.head == head + 2)
        try revert()
        #expect(session.head == head + 2)
        self.end(process, session)
        #expect(session.head == head + 2)
        #expect(try session.replica(log).digest == session.digest)
    }
}
