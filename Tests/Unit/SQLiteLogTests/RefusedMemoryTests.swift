// Memory that SQLite does not get, at any place: what is stored is read whole, or not at all.

import CSQLite
import DurabilityRuns
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

@Suite("A log without memory")
struct RefusedMemoryTests {
    private static let mail = ReopeningTests.mail

    /// Two short entries, a long one, a snapshot of them, and one entry behind it.
    private static func fill(_ path: String) throws {
        let log = try SQLiteLog(path: path)
        var writer = ChainWriter(mail)
        writer.append(2, to: log)
        let long = LogEntry(
            revision: 3, time: 30, kind: .commit, payload: [UInt8](repeating: 7, count: 60_000),
            after: writer.checksum)
        #expect(
            log.append([LogAppend(session: mail, entries: [long], expecting: 2)]) == [.appended])
        writer.note(long)
        try log.write(
            LogSnapshot(
                revision: 3, checksum: long.checksum, payload: [UInt8](repeating: 8, count: 90_000)),
            of: mail)
        writer.append(to: log)
        log.end()
    }

    /// Runs `body` with each limit of what SQLite may take, up to where nothing is refused.
    private static func withEachLimit(_ body: () throws -> Void) {
        var refused = 0
        var whole = 0
        for bytes in stride(from: Int64(2_000), to: 1_000_000, by: 8_000) where whole < 5 {
            sqlite3_hard_heap_limit64(sqlite3_memory_used() + bytes)
            let failure: (any Error)?
            do {
                try body()
                failure = nil
            } catch {
                failure = error
            }
            sqlite3_hard_heap_limit64(0)
            if let failure {
                refused += 1
                #expect((failure as? LogFailure)?.kind == .outOfMemory, "\(bytes): \(failure)")
            } else {
                whole += 1
            }
        }
        #expect(refused > 10 && whole == 5, "\(refused) refused, \(whole) whole")
    }

    // The limit is one of the process, so each test has a process of its own.

    @Test("is salvaged whole, or the salvage says that memory is missing")
    func salvage() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.fill(folder.path)
            Self.withEachLimit {
                let salvage = try Salvage(path: folder.path)
                #expect(salvage.losses.isEmpty && !salvage.hasLost)
                #expect(salvage.sessions.map(\.session) == [Self.mail])
                #expect(salvage.sessions.map { $0.beginnings.map(\.head) } == [[4, 4]])
            }
        }
    }

    @Test("opens whole and gives all that it has, or says that memory is missing")
    func opened() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.fill(folder.path)
            Self.withEachLimit {
                let log = try SQLiteLog(path: folder.path)
                #expect(try log.sessions() == [Self.mail])
                let entries = try log.tail(of: Self.mail, after: 0, limit: 9)
                #expect(entries.map(\.revision) == [1, 2, 3, 4])
                #expect(try log.newestSnapshot(of: Self.mail)?.payload.count == 90_000)
                try log.verifySnapshots(of: Self.mail)
            }
        }
    }
}
