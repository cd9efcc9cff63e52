// Temporary values: overrides that end at a time, by a commit of the server.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Temporary values")
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

    @Test(
        "A value of a document that is over before the log has the session ends behind its first entry"
    )
    func imported() throws {
        let log = RacingLog()
        let process = Process(log, seed: 5)
        log.beforeNextAppend { _ in
            process.clock.move(by: 10_000)
            process.store.endExpiredValues()
            let listed = process.store.upkeep.expiries.keep()
            _ = Wait.until(listed.map { $0.queue(Proposal(.expire([])), isLong: false) })
        }
        let end = Timestamp.text(process.clock.now + 10_000)
        let document = """
            {"format":1,"name":"demo","traits":{"level":{"type":"int","default":0}},
            "nodes":[{"id":"n1","kind":"environment","parent":null,
            "overrides":{"level":7},"expiresAt":{"level":"\(end)"}}]}
            """
        let reading = DocumentImport(DocumentImport.Order(), process.store)
        try Array(document.utf8).withUnsafeBytes { try reading.feed($0) }
        guard case .created(let session, _, let response) = try reading.finish() else {
            Issue.record("no session was made")
            return
        }
        if let response { _ = Wait.until([response]) }
        self.end(process, session)
        #expect(log.racesLeft == 0)
        #expect(session.level == 0 && session.head == 2)
        #expect(try session.replica(log).digest == session.digest)
    }

    @Test("Any other write of the override has it stay, and a new time counts")
    func writes() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(
            #"{"op":"defineEnvironmentKey","key":"bridge","definition":{"type":"int","default":0,"bridgedTrait":"level"}}"#,
            session)
        for other in [
            Self.set(7), Self.set(8),
            #"{"op":"removeOverride","node":"n1","trait":"level"}"#,
            #"{"op":"clearOverrides","node":"n1"}"#,
            #"{"op":"putNode","node":"n1","kind":"environment","overrides":{"level":7}}"#,
            #"{"op":"setEnvironment","node":"n1","key":"bridge","value":7}"#,
            #"{"op":"removeEnvironment","node":"n1","key":"bridge"}"#,
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
            (#","expiresAt":"2027-01-15T08:00:20""#, "/operations/0/expiresAt"),
            (#","expiresAt":null"#, "/operations/0/expiresAt"),
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

    @Test("Values that end together end by one commit, and a zone and a patch count")
    func together() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        let names = (0..<600).map { "v\($0)" }
        try process.commit(names.map { Operations.create($0) }.joined(separator: ","), session)
        let without = session.withState { $0.countBytes().total }
        for some in [names[..<300], names[300...]] {
            process.clock.move(by: 100)
            // 2027-01-15T08:00:20Z
            let time = #","expiresAt":"2027-01-15T09:00:20.5+01:00""#
            try process.commit(
                some.map { Self.set(1, time, at: $0) }.joined(separator: ","), session)
        }
        let held = session.withState { $0.countBytes().total } - without
        #expect(held > 600 * 100, "\(held) bytes are counted")
        process.clock.move(by: 20_299)
        end(process, session)
        #expect(session.head == 4)
        process.clock.move(by: 1)
        end(process, session)
        #expect(session.head == 5)
        #expect(
            session.withState {
                $0.annotations.expiries.isEmpty && $0.annotations.expiries.heldBytes == 0
            })
        #expect(try session.replica(log).digest == session.digest)
        // A patch has no times, and what it sets stays.
        try process.commit(Self.set(7, #","ttl":1"#), session)
        let patched = process.client.sendAndWait(
            Write(.patch(isSupplied: false, node: "n1", #"{"level":7}"#)), to: session)
        guard case .done = patched else { throw Differs("\(patched)") }
        process.clock.move(by: 2_000)
        end(process, session)
        #expect(session.level == 7 && time(session) == nil)
    }

    @Test("Ends that notify too much for one commit end by several")
    func tooLarge() throws {
        var limits = ServiceLimits.quiet
        limits.notificationBytesMax = 4_096
        let process = Process(MemoryLog(), seed: 5, limits: limits)
        let session = try process.session("demo", Operations.start)
        for name in (0..<100).map({ "v\($0)" }) {
            try process.commit(
                Operations.create(name) + "," + Self.set(1, #","ttl":1000"#, at: name)
                    + #",{"op":"register","registration":"\#(name)","node":"\#(name)","traits":["level"]}"#,
                session)
        }
        let head = session.head
        process.clock.move(by: 1_000_000)
        end(process, session)
        #expect(session.head == head && session.withState { !$0.annotations.expiries.isEmpty })
        for _ in 0..<6 {
            process.clock.move(by: 5_001)
            end(process, session)
        }
        #expect(session.withState(\.annotations.expiries.isEmpty))
        #expect(session.head > head + 1 && session.head < head + 101, "\(session.head - head)")
    }

    @Test("A clock that was set back behind the newest commit: a ttl counts from the clock")
    func clockSetBack() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(Self.set(1), session)
        process.clock.move(by: -3_600_000)
        try process.commit(Self.set(7, #","ttl":10"#), session)
        #expect(time(session) == process.clock.now + 10_000)
        // The entry's own time is later than the end, and the entry is replayed all the same.
        #expect(try session.replica(log).digest == session.digest)
        process.clock.move(by: 10_000)
        end(process, session)
        #expect(session.level == 0)
        #expect(try session.replica(log).digest == session.digest)
    }

    @Test("A clock that is set back between the look and the commit ends nothing early")
    func clockSetBackMeanwhile() throws {
        let process = Process(MemoryLog(), seed: 5)
        let session = try process.session("demo", Operations.start)
        try process.commit(Self.set(7, #","ttl":10"#), session)
        process.clock.move(by: 10_000)
        let due = session.withState { $0.takeExpiredValues() }
        #expect(due.count == 1)
        process.clock.move(by: -5_000)
        session.end(due)
        end(process, session)
        #expect(session.level == 7 && session.head == 2)
        process.clock.move(by: 5_000)
        end(process, session)
        #expect(session.level == 0 && session.head == 3)
    }

    @Test("Past revisions have the times that they had")
    func past() throws {
        for log in [MemoryLog(), nil] {
            let process = Process(log, seed: 5)
            let session = try process.session("demo", Operations.start)
            try process.commit(Self.set(7, #","ttl":10"#), session)
            let end = time(session)
            try process.commit(Self.set(7), session)
            process.clock.move(by: 60_000)
            self.end(process, session)
            for (revision, expected) in [(Int64(2), end), (3, nil)] {
                let past = try PastReader.session(at: revision, of: session, in: process.store)
                #expect(time(past) == expected && past.level == 7)
            }
            process.store.endExpiredValues()
            #expect(session.head == 3)
        }
    }
}
