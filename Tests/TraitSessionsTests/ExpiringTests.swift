// Temporary values: overrides that end at a time, by a commit of the server.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import TraitSessions

@Suite("Temporary values", .timeLimit(.minutes(2)))
struct ExpiringTests {
    private static func set(_ value: Int, _ more: String = "", at node: String = "n1") -> String {
        #"{"op":"setOverride","node":"\#(node)","trait":"level","value":\#(value)\#(more)}"#
    }

    /// Ends what is over, and waits for it.
    private func end(_ process: Process, _ session: Session) {
        process.store.endExpiredValues()
        _ = Wait.until([session.queue(Proposal(.expire([])), isLong: false)])
    }

    private func time(_ session: Session) -> Int64? {
        session.withState { state in
            guard let node = state.hierarchy.node("n1"),
                let trait = state.hierarchy.definitions.index(of: "level")
            else { return nil }
            return state.end(of: trait, at: node)
        }
    }

    @Test("A value ends at its time, not before, by a commit with a cause")
    func ends() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(Self.set(7, #","ttl":10"#), session)
        #expect(time(session) == process.clock.now + 10_000)
        process.clock.move(by: 9_999)
        end(process, session)
        #expect(session.level == 7 && session.head == 2)
        // A clock that is set back ends nothing early, and nothing late once it is right again.
        process.clock.move(by: -5_000)
        end(process, session)
        #expect(session.level == 7)
        process.clock.move(by: 5_001)
        end(process, session)
        #expect(session.level == 0 && session.head == 3 && time(session) == nil)
        let cause = session.retained[3]?.withCause { String(decoding: $0, as: UTF8.self) }
        #expect(cause == #"{"expired":true}"#)
        let operations = session.retained[3]?.withOperations {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(operations == #"[{"op":"removeOverride","node":"n1","trait":"level"}]"#)
        let replica = try session.replica(log)
        #expect(replica.digest == session.digest)
        end(process, session)
        #expect(session.head == 3)
    }

    @Test("Any other write of the override has it stay, and a new time counts")
    func writes() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Operations.start)
        for other in [
            Self.set(7), Self.set(8),
            #"{"op":"removeOverride","node":"n1","trait":"level"}"#,
            #"{"op":"clearOverrides","node":"n1"}"#,
            #"{"op":"deleteNode","node":"n1"},"# + Operations.create("n1") + "," + Self.set(3),
        ] {
            try process.commit(Self.set(7, #","ttl":1"#), session)
            let written = try process.commit(other, session)
            #expect(!written.isUnchanged && time(session) == nil, "\(other)")
            let level = session.level
            process.clock.move(by: 2_000)
            end(process, session)
            #expect(session.level == level && session.head == written.revision, "\(other)")
        }
        try process.commit(Self.set(7, #","ttl":1"#), session)
        let longer = try process.commit(Self.set(7, #","ttl":60"#), session)
        #expect(!longer.isUnchanged)
        process.clock.move(by: 2_000)
        end(process, session)
        #expect(session.level == 7)
        // Other names do not change the time.
        try process.commit(
            #"{"op":"renameNode","node":"n1","to":"x"},{"op":"renameTrait","trait":"level","to":"y"}"#,
            session)
        try process.commit(
            #"{"op":"renameNode","node":"x","to":"n1"},{"op":"renameTrait","trait":"y","to":"level"}"#,
            session)
        #expect(time(session) == process.clock.now + 58_000)
        process.clock.move(by: 58_000)
        end(process, session)
        #expect(session.level == 0)
    }

    @Test("A refused commit and a dry run leave the time, and an undone one gives it back")
    func undone() throws {
        let log = FailingLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(Self.set(7, #","ttl":10"#), session)
        let (digest, end) = (session.digest, time(session))
        #expect(throws: SessionError.self) {
            try process.commit(Self.set(7) + "," + Self.set(9, at: "none"), session)
        }
        #expect(session.digest == digest && time(session) == end)
        log.add(.refused())
        #expect(throws: SessionError.self) { try process.commit(Self.set(7), session) }
        #expect(session.digest == digest && time(session) == end)
        // The end that the log refuses is tried again.
        process.clock.move(by: 10_000)
        log.add(.refused())
        self.end(process, session)
        #expect(session.level == 7 && time(session) == end)
        process.clock.move(by: 6_000)
        self.end(process, session)
        #expect(session.level == 0)
    }

    @Test("A restart reads the times from entries and from a snapshot, and ends what is over")
    func restart() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(
            Self.set(7, #","expiresAt":"2027-01-15T08:00:20Z""#) + ","
                + #"{"op":"createNode","node":"n2","kind":"environment"},"#
                + Self.set(5, #","ttl":3600"#, at: "n2"), session)
        for snapshots in [false, true] {
            if snapshots { try session.writeSnapshot() }
            let replica = try session.replica(log)
            #expect(replica.digest == session.digest)
            #expect(time(replica) == time(session) && time(session) != nil)
        }
        let later = Process(log, seed: 6)
        later.clock.move(by: 60_000)
        let loaded = try later.session("demo")
        #expect(loaded.level == 7)
        end(later, loaded)
        #expect(loaded.level == 0 && loaded.head == session.head + 1)
    }

    @Test("Times that cannot be are refused")
    func refusals() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Operations.start)
        for (more, pointer) in [
            (#","ttl":0"#, "/operations/0/ttl"), (#","ttl":31536001"#, "/operations/0/ttl"),
            (#","ttl":1.5"#, "/operations/0/ttl"), (#","ttl":"1""#, "/operations/0/ttl"),
            (#","ttl":null"#, "/operations/0/ttl"),
            (#","expiresAt":"2027-01-15T08:00:00Z""#, "/operations/0/expiresAt"),
            (#","expiresAt":"2029-01-15T08:00:00Z""#, "/operations/0/expiresAt"),
            (#","expiresAt":"soon""#, "/operations/0/expiresAt"),
            (#","expiresAt":5"#, "/operations/0/expiresAt"),
            (#","ttl":5,"expiresAt":"2027-01-15T08:00:20Z""#, "/operations/0/ttl"),
        ] {
            let error = #expect(throws: SessionError.self) {
                try process.commit(Self.set(7, more), session)
            }
            #expect(error?.code == .malformedBody && error?.pointer == pointer, "\(more)")
        }
        let supplied = #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"setSupplied","node":"n1","trait":"level","value":1,"ttl":5}"#, session)
        }
        #expect(supplied?.code == .unknownMember)
        try process.commit(Self.set(7, #","ttl":31536000"#), session)
        #expect(session.head == 2)
    }
}
