// Sessions over the log on disk: restarts, snapshots, backups.

import DurabilityRuns
import JSONCodec
import SQLiteLog
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Sessions on disk")
struct SessionTests {
    private static func store(_ log: any SessionLog, seed: UInt64) -> SessionStore {
        SessionStore(
            limits: Workload.limits, environment: Clock().environment(seed: seed), log: log)
    }

    @Test("Entries are truncated behind snapshots, and a restart has the same window and state")
    func snapshots() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let first = Self.store(log, seed: 1)
        let client = Client(first)
        let session = try client.create("demo", Operations.start)
        for value in 1...200 {
            _ = try client.transaction("[\(Operations.set(value))]", to: session)
            // One snapshot at a time, so that where they are does not depend on the machine.
            if value % 12 == 0 { first.finishSnapshots() }
        }
        let oldest = session.withState { $0.retained.oldestRevision ?? 0 }
        let digest = session.withState { $0.digest }
        let bounds = try #require(try log.bounds(of: session.logSession))
        #expect(bounds.head == 201 && bounds.oldest > 100 && bounds.oldest <= oldest)
        log.end(copies: false)
        let again = try ReopeningTests.open(folder)
        let second = Self.store(again, seed: 2)
        try second.openAll()
        let reopened = try #require(second.find("demo"))
        #expect(reopened.uid == session.uid && reopened.acknowledged == 201)
        #expect(reopened.withState { $0.digest } == digest)
        #expect(reopened.withState { $0.retained.oldestRevision } == oldest)
        let write = "[\(Operations.set(999))]"
        #expect(try Client(second).transaction(write, to: reopened)?.revision == 202)
        again.end()
    }

    @Test("A document that no start could read is refused as too large, white space does not count")
    func longDocument() throws {
        let folder = try TemporaryFolder()
        var options = ReopeningTests.options
        options.entryBytesMax = 4_000
        let log = try SQLiteLog(path: folder.path, options: options)
        let store = Self.store(log, seed: 1)
        let document = #"{"format":1,"name":"NAME","nodes":[{"id":"a","kind":"environment"}]}"#
        func load(_ name: String, _ filling: Int, within: Bool) throws(SessionError) {
            let spaces = String(repeating: " ", count: filling)
            let text = document.replacing("NAME", with: name)
                .replacing("]}", with: within ? spaces + "]}" : "]}" + spaces)
            let reading = DocumentImport(DocumentImport.Order(), store)
            for start in stride(from: 0, to: text.utf8.count, by: 512) {
                let part = Array(text.utf8.dropFirst(start).prefix(512))
                let fed = part.withUnsafeBytes { bytes in
                    Result { () throws(SessionError) in try reading.feed(bytes) }
                }
                try fed.get()
            }
            _ = try reading.finish()
        }
        try load("short", 1_000, within: true)
        try load("followed", 9_000, within: false)
        let error = #expect(throws: SessionError.self) { try load("long", 9_000, within: true) }
        #expect(error?.code == .bodyTooLarge)
        log.end(copies: false)
        let again = Self.store(try SQLiteLog(path: folder.path, options: options), seed: 2)
        try again.openAll()
        #expect(again.page(after: nil, limit: 9).map(\.name) == ["followed", "short"])
    }

    @Test("Leases do not expire while a server starts: no stream can renew them before")
    func leasesAtStart() throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        func store(_ log: any SessionLog) -> SessionStore {
            SessionStore(limits: Workload.limits, environment: clock.environment(seed: 1), log: log)
        }
        let log = try ReopeningTests.open(folder)
        let client = Client(store(log))
        _ = try client.transaction(
            #"[{"op":"register","registration":"r","node":"n1","traits":["level"],"ttl":30}]"#,
            to: client.create("demo", Operations.start))
        log.end(copies: false)
        let again = store(try ReopeningTests.open(folder))
        again.beginStart()
        try again.openAll()
        let session = try #require(again.find("demo"))
        let key = try #require(session.withState { $0.registrationNotes.all.keys.first })
        clock.move(by: 31_000)
        again.endExpiredLeases()
        again.finishStart()
        #expect(session.withState { !$0.isExpired(key) })
        clock.move(by: 31_000)
        #expect(session.withState { $0.isExpired(key) })
    }

    @Test("Readers of other revisions do not end a backup")
    func backupBesideReaders() throws {
        let folder = try TemporaryFolder()
        var limits = Workload.limits
        limits.readSnapshotsMax = 1
        let store = SessionStore(
            limits: limits, environment: Clock().environment(seed: 1),
            log: try ReopeningTests.open(folder))
        let client = Client(store)
        let session = try client.create("demo", Operations.start)
        let held = try session.withState { state throws(SessionError) in try state.snapshot() }
        _ = try client.transaction("[\(Operations.set(1))]", to: session)
        #expect(throws: SessionError.self) {
            try session.withState { state throws(SessionError) in try state.snapshot() }
        }
        let writer = BackupWriter(store)
        var bytes: [UInt8] = []
        while try writer.write({ bytes += $0 }) {}
        #expect(try bytes.withUnsafeBytes { try BackupReader.sessions(of: $0) }.count == 1)
        withExtendedLifetime(held) {}
    }

    @Test("Outcomes are as old as they are, in whatever order a table got them")
    func expiredOutcomes() throws {
        var limits = Workload.limits
        limits.idempotencyKeysMax = 2
        var table = RecordedOutcomes(limits)
        func key(_ name: String) -> IdempotentRequest {
            IdempotentRequest(caller: "", key: name, request: 1)
        }
        func add(_ name: String, at time: Int64) {
            let outcome = CommitOutcome(
                revision: 2, isUnchanged: false, isNew: true, notified: 0, notes: [])
            table.add(
                RecordedOutcome(
                    key(name), outcome, time: time, id: nil,
                    answer: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        let age = limits.idempotencyAgeMilliseconds
        add("new", at: age)
        add("old", at: 0)
        #expect(try table.outcome(of: key("old"), now: age) != nil)
        #expect(try table.outcome(of: key("old"), now: age + 1) == nil)
        #expect(try table.outcome(of: key("new"), now: age + 1) != nil)
        // Recorded again, it is the newest, so that another one goes first.
        add("old", at: age + 1)
        add("newest", at: age + 2)
        #expect(try table.outcome(of: key("old"), now: age + 2) != nil)
        #expect(try table.outcome(of: key("new"), now: age + 2) == nil)
    }

    @Test("An error of the log is told in its words, without the names of its types")
    func words() {
        #expect("\(LogFailure(.unavailable, "the disk is away"))" == "the disk is away")
    }

    @Test("A backup restores every session with its digest, under new uids", arguments: [1, 7])
    func backup(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let workload = Workload(try ReopeningTests.open(folder), seed: seed)
        try workload.run(steps: 40)
        var bytes: [UInt8] = []
        let writer = BackupWriter(workload.store)
        while try writer.write({ bytes += $0 }) {}
        let read = try bytes.withUnsafeBytes { try BackupReader.sessions(of: $0) }
        #expect(read.map(\.name) == workload.known.keys.sorted())
        let other = try TemporaryFolder()
        let log = try ReopeningTests.open(other)
        for session in read {
            let (renewed, snapshot) = try session.renewed(
                limits: ServiceLimits(), environment: .system)
            try log.install(renewed, at: snapshot)
            let restored = try Session.load(
                renewed, from: log, limits: ServiceLimits(), environment: .system)
            let original = try #require(workload.known[session.name]?.session)
            #expect(restored.uid != original.uid)
            #expect(
                restored.withState { $0.digest.content }
                    == original.withState { $0.digest.content })
            #expect(restored.acknowledged == original.acknowledged)
        }
        log.end()
    }

    @Test("A backup that was changed or cut off anywhere is refused")
    func damagedBackup() throws {
        let folder = try TemporaryFolder()
        let workload = Workload(try ReopeningTests.open(folder), seed: 3)
        try workload.run(steps: 8)
        var bytes: [UInt8] = []
        let writer = BackupWriter(workload.store)
        while try writer.write({ bytes += $0 }) {}
        var random = SeededRandom(seed: 3)
        for _ in 0..<60 {
            var damaged = bytes
            let place = random.below(bytes.count)
            let bit = UInt8(random.below(8))
            let isCut = random.chance(50)
            if isCut {
                damaged.removeLast(bytes.count - place)
            } else {
                damaged[place] ^= 1 << bit
            }
            #expect(
                throws: BackupError.self, "byte \(place) of \(bytes.count), bit \(bit), \(isCut)"
            ) {
                try damaged.withUnsafeBytes { try BackupReader.sessions(of: $0) }
            }
        }
    }

    @Test("Requests that come during the start wait, and run when it is over")
    func waiting() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let store = Self.store(log, seed: 1)
        func wait() -> PendingResponse? {
            if case .until(let response) = store.waitForStart() { response } else { nil }
        }
        #expect(!store.isStarting && wait() == nil)
        store.beginStart()
        #expect(store.isStarting)
        let response = try #require(wait())
        guard case .pending = response.decision else {
            Issue.record("a request ran before the sessions were there")
            return
        }
        try store.openAll()
        store.finishStart()
        guard case .readAgain = response.decision else {
            Issue.record("a request waits after the start")
            return
        }
        #expect(wait() == nil)
    }

    @Test("Requests that wait when a start is abandoned run at once, and none waits after them")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        let store = Self.store(try ReopeningTests.open(folder), seed: 1)
        store.beginStart()
        guard case .until(let response) = store.waitForStart() else {
            Issue.record("a request ran before the sessions were there")
            return
        }
        store.abandonStart()
        guard case .readAgain = response.decision, case .abandoned = store.waitForStart() else {
            Issue.record("a request waits for a start that does not come to its end")
            return
        }
    }

    @Test("A log that cannot be read is told apart from one that is damaged")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let store = Self.store(log, seed: 1)
        log.end(copies: false)
        let error = #expect(throws: ReplayError.self) { try store.openAll() }
        #expect(error?.cause == .unavailable)
        #expect(error?.description.hasPrefix("The sessions cannot be read: ") == true)
    }

    @Test("With a slow disk, sessions without pending commits are read at once")
    func slowDisk() throws {
        let disk = try Disk()
        let log = try disk.open()
        let store = Self.store(log, seed: 1)
        let client = Client(store)
        let busy = try client.create("busy", Operations.start)
        let idle = try client.create("idle", Operations.start)
        disk.delay(microseconds: 200_000)
        let flushes = disk.calls(.flush)
        let write = Write(.transaction([Operations.set(1)]))
        guard case .pending(let response) = client.send(write, to: busy) else {
            Issue.record("the log answered at once")
            return
        }
        // While the flush runs, the idle session has nothing to wait for, and the busy one has.
        #expect(idle.withState { $0.pendingResponse(until: $0.head) } == nil)
        #expect(store.find("idle") != nil)
        #expect(try log.session(named: "busy")?.uid == busy.uid)
        let read = busy.withState { $0.pendingResponse(until: $0.head) }
        #expect(disk.calls(.flush) <= flushes + 1)
        let decisions = Wait.until([response] + (read.map { [$0] } ?? []))
        for decision in decisions {
            guard case .released = decision else {
                Issue.record("\(decision)")
                return
            }
        }
        // One flush released both.
        #expect(disk.calls(.flush) == flushes + 1)
    }
}
