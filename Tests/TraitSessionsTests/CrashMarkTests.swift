// What a process notes of the entries that it applies, and what it refuses after crashes. A crash is a copy of the
// memory, taken while an entry is applied.

import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import TraitSessions

@Suite
struct CrashMarkTests {
    /// What a mapped file would be.
    private final class Memory: @unchecked Sendable {
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: CrashMark.byteCount, alignment: 8)

        init() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
        deinit { bytes.deallocate() }

        func copy() -> Memory {
            let copy = Memory()
            copy.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return copy
        }

        func open(version: String = "1") throws -> CrashMark {
            try CrashMark(bytes, version: version)
        }

        var underApplication: Set<CrashMark.Place> {
            CrashMark.underApplication(UnsafeRawBufferPointer(bytes))
        }

        /// What the next process would find.
        func found(version: String = "1") throws -> [CrashMark.Record] {
            try copy().open(version: version).found.records
        }
    }

    private let log = MemoryLog()
    private let writer: Process
    private let session: Session

    init() throws {
        writer = Process(log, seed: 1)
        session = try writer.session("demo", Operations.start)
    }

    private func entry(_ revision: Int64, _ session: Session) -> CrashMark.Place {
        CrashMark.Place(part: .entry, uid: session.uid, revision: revision)
    }

    /// Memory of a process that has crashed so often while it applied a place.
    private func crashed(_ times: Int, at place: CrashMark.Place) throws -> Memory {
        var memory = Memory()
        for _ in 0..<times {
            let mark = try memory.open()
            memory = try CrashMark.naming(
                place.part, place.revision, of: place.uid, "demo", in: mark
            ) { memory.copy() }
        }
        return memory
    }

    /// A store that follows the log, and why it cannot.
    private func follow(_ mark: CrashMark) throws -> (Process, [ReplayError]) {
        let failures = Mutex<[ReplayError]>([])
        let process = Process(log, seed: 3, crashMark: mark)
        try process.store.follow { error in failures.withLock { $0.append(error) } }
        process.store.finishFollowing()
        return (process, failures.withLock { $0 })
    }

    // MARK: - Naming

    @Test("An entry is named while it is applied, and not before and afterwards")
    func naming() throws {
        let memory = Memory()
        let reader = Process(log, seed: 2, crashMark: try memory.open())
        let its = try #require(try reader.store.findOrOpen("demo"))
        #expect(memory.underApplication.isEmpty)
        for name in ["a", "b"] { try writer.commit(Operations.create(name), session) }
        let replayer = Replayer()
        var seen: [Set<CrashMark.Place>] = []
        replayer.witness = { _, _ in seen.append(memory.underApplication) }
        try its.catchUp(with: replayer)
        #expect(seen == [[entry(2, its)], [entry(3, its)]])
        #expect(memory.underApplication.isEmpty && its.has("b"))
        #expect(try memory.found().isEmpty)
    }

    @Test("Sessions that are applied at once are named at once")
    func twoAtOnce() throws {
        let memory = Memory()
        let mail = try writer.session("mail", Operations.start)
        let reader = Process(log, seed: 2, crashMark: try memory.open())
        let ours = try #require(try reader.store.findOrOpen("demo"))
        let other = try #require(try reader.store.findOrOpen("mail"))
        for session in [session, mail] { try writer.commit(Operations.create("a"), session) }
        let (outer, inner) = (Replayer(), Replayer())
        var seen: Set<CrashMark.Place> = []
        inner.witness = { _, _ in seen = memory.underApplication }
        outer.witness = { _, _ in try? other.catchUp(with: inner) }
        try ours.catchUp(with: outer)
        #expect(seen == [entry(2, ours), entry(2, other)])
        #expect(memory.underApplication.isEmpty && ours.has("a") && other.has("a"))
    }

    @Test("A snapshot is named while it is restored, and the first entry while a session begins")
    func loading() throws {
        let memory = Memory()
        let seen = Mutex<[Set<CrashMark.Place>]>([])
        var environment = writer.store.environment
        environment.random = {
            seen.withLock { $0.append(memory.underApplication) }
            return 1
        }
        for part in [CrashMark.Place.Part.entry, .snapshot] {
            if part == .snapshot {
                try log.write(
                    session.withState { try $0.snapshot() }.logSnapshot(), of: session.logged)
            }
            let surroundings = SessionSurroundings(
                limits: .quiet, environment: environment, writer: nil,
                crashMark: try memory.open())
            _ = try Session.loadState(session.logged, from: log, surroundings)
            let place = CrashMark.Place(part: part, uid: session.uid, revision: 1)
            let all = seen.withLock { all in
                defer { all = [] }
                return all
            }
            #expect(all.contains([place]), "\(all)")
        }
    }

    @Test("Where more threads apply than there are slots, the others go on without a name")
    func manyThreads() throws {
        let memory = Memory()
        let mark = try memory.open()
        func nest(_ depth: Int64) throws(ReplayError) -> Int {
            try CrashMark.naming(.entry, depth, of: "u\(depth)", "n", in: mark) {
                () throws(ReplayError) in
                try depth == 12 ? memory.underApplication.count : nest(depth + 1)
            }
        }
        #expect(try nest(1) == CrashMark.lanes.count)
        #expect(memory.underApplication.isEmpty)
        #expect(try nest(12) == 1)
    }

    // MARK: - Refusing

    @Test("After one crash an entry is tried again, and a success forgets the crash")
    func oneCrash() throws {
        try writer.commit(Operations.create("a"), session)
        let mail = try writer.session("mail", Operations.start)
        let memory = try crashed(1, at: entry(2, session))
        let mark = try memory.open()
        #expect(mark.found.records.map(\.place) == [entry(2, session)])
        #expect(mark.found.records.map(\.crashes) == [1] && mark.hasSuspects)
        #expect(mark.suspectsFirst([mail.logged, session.logged]).map(\.name) == ["demo", "mail"])
        let (process, failures) = try follow(mark)
        #expect(failures.isEmpty && process.store.find("demo")?.has("a") == true)
        #expect(!mark.hasSuspects)
        #expect(try memory.found().isEmpty)
    }

    @Test(
        "Sessions that may have ended the last process are opened one at a time, before the others")
    func alone() throws {
        let names = (1...8).map { "s\($0)" }
        let sessions = try names.map { try writer.session($0, Operations.start) }
        let memory = Memory()
        let before = try memory.open()
        let crashed = try CrashMark.naming(.entry, 1, of: sessions[2].uid, "s3", in: before) {
            () throws(ReplayError) in
            try CrashMark.naming(.entry, 1, of: sessions[6].uid, "s7", in: before) {
                memory.copy()
            }
        }
        let mark = try crashed.open()
        let seen = Mutex<[Set<CrashMark.Place>]>([])
        var environment = writer.store.environment
        environment.random = {
            seen.withLock { $0.append(crashed.underApplication) }
            return 1
        }
        let store = SessionStore(
            limits: .quiet, environment: environment, log: log, crashMark: mark)
        seen.withLock { $0 = [] }
        try store.openAll()
        let first = seen.withLock { $0.filter { !$0.isEmpty }.prefix(2) }
        #expect(Set(first) == [[entry(1, sessions[2])], [entry(1, sessions[6])]])
        #expect(store.count == 9 && !mark.hasSuspects)
        #expect(try crashed.found().isEmpty)
    }

    @Test("After two crashes at one entry its session is refused at that revision, and no other")
    func twoCrashes() throws {
        try writer.commit(Operations.create("a"), session)
        _ = try writer.session("mail", Operations.start)
        let memory = try crashed(2, at: entry(2, session))
        for _ in 0..<2 {
            let mark = try memory.open()
            #expect(mark.found.records.map(\.crashes) == [2] && !mark.hasSuspects)
            let (process, failures) = try follow(mark)
            #expect(failures.map(\.revision) == [2] && failures.map(\.cause) == [.refused])
            #expect(process.store.refusedSessions == 1 && process.store.find("demo") == nil)
            #expect(process.store.find("mail") != nil)
            let error = SessionError(try #require(failures.first), of: "demo")
            #expect(error.code == .sessionDiverged)
            #expect(
                error.detail
                    == "The session 'demo' stays at revision 1 here: this server has ended 2 times while it applied entry 2, and does not apply it again. Ask another server."
            )
        }
    }

    @Test("A refusal ends with a snapshot behind the entry, and with the session")
    func endOfRefusal() throws {
        try writer.commit(Operations.create("a"), session)
        let memory = try crashed(2, at: entry(2, session))
        try log.write(session.withState { try $0.snapshot() }.logSnapshot(), of: session.logged)
        let (process, failures) = try follow(try memory.open())
        #expect(failures.isEmpty && process.store.find("demo")?.has("a") == true)
        #expect(try memory.found().isEmpty)
        let other = try crashed(2, at: CrashMark.Place(part: .entry, uid: "gone", revision: 1))
        _ = try follow(try other.open())
        #expect(try other.found().isEmpty)
    }

    @Test("An entry that another writer has put before an own commit is refused as well")
    func conflict() throws {
        let memory = try crashed(2, at: entry(2, session))
        let process = Process(log, seed: 4, crashMark: try memory.open())
        let its = try #require(try process.store.findOrOpen("demo"))
        try writer.commit(Operations.create("a"), session)
        let decision = Wait.until([try process.start(Operations.create("b"), to: its)])[0]
        #expect(refusal(decision) == .sessionDiverged)
        #expect(its.withState(\.acknowledged) == 1 && !its.has("a"))
    }

    @Test("An orderly end counts as no crash, and another version forgets all crashes")
    func endings() throws {
        let memory = Memory()
        let mark = try memory.open()
        let ended = try CrashMark.naming(.entry, 2, of: "u", "n", in: mark) {
            mark.end()
            return memory.copy()
        }
        #expect(try ended.found().isEmpty)
        let twice = try crashed(2, at: entry(2, session))
        #expect(try twice.found(version: "1").count == 1)
        #expect(try twice.found(version: "2").isEmpty)
        let next = try twice.open(version: "2.0.0-with-a-long-name")
        #expect(next.found.version == "1")
        #expect(try twice.open(version: "3").found.version == "2.0.0-with-a-long-name")
        #expect(try twice.open(version: "3").found.version == "3")
    }

    // MARK: - The memory

    @Test("Memory that something else has written is refused, and stays as it was")
    func foreign() throws {
        let memory = Memory()
        memory.bytes.copyBytes(from: Array("SQLite format 3".utf8))
        let before = Array(memory.bytes)
        #expect(throws: CrashMark.Foreign.self) { try memory.open() }
        #expect(Array(memory.bytes) == before)
        #expect(throws: CrashMark.Foreign.self) {
            try CrashMark(
                UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<64]), version: "1")
        }
    }

    @Test("Slots with any bytes are read or count as free, and can be written again")
    func damaged() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let memory = try crashed(1, at: entry(2, session))
            for _ in 0..<Int.random(in: 1...300, using: &random) {
                let index = Int.random(in: 64..<memory.bytes.count, using: &random)
                memory.bytes[index] = .random(in: .min ... .max, using: &random)
            }
            let found = try memory.open().found
            #expect(found.records.allSatisfy { $0.place.revision > 0 && $0.crashes > 0 })
            #expect(try memory.found().count == found.records.count)
        }
    }

    @Test("When there is no room for all places with crashes, those with the most crashes stay")
    func full() throws {
        var memory = Memory()
        func crash(_ places: ArraySlice<Int64>, _ mark: CrashMark) throws(ReplayError) -> Memory {
            guard let revision = places.first else { return memory.copy() }
            return try CrashMark.naming(.entry, revision, of: "u\(revision)", "n", in: mark) {
                () throws(ReplayError) in try crash(places.dropFirst(), mark)
            }
        }
        for _ in 0..<2 { memory = try crash([60], try memory.open()) }
        let others = Array(Int64(1)...54) + Array(61...66)
        for start in stride(from: 0, to: others.count, by: 6) {
            memory = try crash(others[start..<start + 6], try memory.open())
        }
        let found = try memory.open().found
        #expect(found.records.count == CrashMark.records.count && found.dropped > 0)
        #expect(found.records.first?.place.revision == 60 && found.records.first?.crashes == 2)
    }
}
