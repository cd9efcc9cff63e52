// What a log has when its directory is opened again.

import CSQLite
import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

@Suite("A log that is opened again")
struct ReopeningTests {
    static let mail = LogSession(name: "mail", uid: "abcdefghijkl")
    static let notes = LogSession(name: "notes", uid: "mmmmmmmmmmmm")

    static var options: SQLiteLogOptions {
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        options.snapshotPartBytes = 1_000
        options.upkeepRowsMax = 3
        return options
    }

    static func open(_ folder: TemporaryFolder) throws -> SQLiteLog {
        try SQLiteLog(path: folder.path, options: options)
    }

    @Test("has every entry as it was, and takes the next ones", arguments: [true, false])
    func entries(ends: Bool) throws {
        let folder = try TemporaryFolder()
        var mail = ChainWriter(Self.mail)
        var notes = ChainWriter(Self.notes)
        for round in 0..<3 {
            let log = try Self.open(folder)
            #expect(try log.bounds(of: Self.mail)?.head == (round == 0 ? nil : Int64(round) * 5))
            #expect(mail.append(2, to: log) == .appended)
            #expect(notes.append(to: log) == .appended)
            #expect(mail.append(3, to: log) == .appended)
            log.end(copies: ends)
        }
        let log = try Self.open(folder)
        #expect(try log.sessions() == [Self.mail, Self.notes])
        #expect(try log.session(named: "mail") == Self.mail)
        let read = try log.tail(of: Self.mail, after: 0, limit: 100)
        #expect(read.map(\.revision) == Array(1...15))
        #expect(read.last?.checksum == mail.checksum)
        #expect(log.opening.entries == 18 && log.opening.cut.isEmpty)
    }

    @Test("keeps what truncation and snapshots left, and the chain goes on")
    func truncation() throws {
        let folder = try TemporaryFolder()
        var writer = ChainWriter(Self.mail)
        let payload = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        do {
            let log = try Self.open(folder)
            writer.append(20, to: log)
            try log.write(
                LogSnapshot(revision: 20, checksum: writer.checksum, payload: payload),
                of: Self.mail)
            writer.append(20, to: log)
            try log.write(
                LogSnapshot(revision: 40, checksum: writer.checksum, payload: [7]), of: Self.mail)
            #expect(try log.truncate(Self.mail, through: 20) == 1...20)
            writer.append(5, to: log)
            log.end(copies: false)
        }
        for _ in 0..<2 {
            let log = try Self.open(folder)
            #expect(
                try log.bounds(of: Self.mail) == LogBounds(oldest: 21, head: 45, isDeleted: false))
            #expect(try log.snapshotRevisions(of: Self.mail) == [20, 40])
            #expect(try log.start(of: Self.mail).snapshot?.payload == payload)
            #expect(try log.newestSnapshot(of: Self.mail)?.revision == 40)
            #expect(try log.tail(of: Self.mail, after: 0, limit: 1).first?.revision == 21)
            log.end(copies: false)
        }
        let log = try Self.open(folder)
        #expect(writer.append(to: log) == .appended)
        #expect(try log.truncate(Self.mail, through: 40) == 21...40)
        #expect(try log.snapshotRevisions(of: Self.mail) == [40])
    }

    @Test("forgets sessions that had ended, and has their names free")
    func deletion() throws {
        let folder = try TemporaryFolder()
        do {
            let log = try Self.open(folder)
            var writer = ChainWriter(Self.mail)
            writer.append(30, to: log)
            try log.write(
                LogSnapshot(revision: 30, checksum: writer.checksum, payload: [7]), of: Self.mail)
            writer.append(endingWith: .tombstone, to: log)
            // Not forgotten: the process ends first.
            var other = ChainWriter(Self.notes)
            other.append(4, endingWith: .tombstone, to: log)
            try log.forget(Self.notes)
            log.end(copies: false)
        }
        let log = try Self.open(folder)
        #expect(try log.sessions() == [] && log.bounds(of: Self.mail) == nil)
        #expect(try log.newestSnapshot(of: Self.mail) == nil)
        while log.queue.sync({ !log.garbage.isEmpty }) {}
        #expect(log.statistics?.logBytes == 0)
        let next = LogSession(name: "mail", uid: "second")
        var writer = ChainWriter(next)
        #expect(writer.append(2, to: log) == .appended)
        log.end()
        #expect(try Self.open(folder).sessions() == [next])
    }

    @Test("counts the same bytes as before, after upkeep has deleted garbage")
    func bytes() throws {
        let folder = try TemporaryFolder()
        var before: Int64 = 0
        do {
            let log = try Self.open(folder)
            var writer = ChainWriter(Self.mail)
            for _ in 0..<4 { writer.append(10, to: log) }
            let most = log.statistics?.logBytes ?? 0
            try log.write(
                LogSnapshot(revision: 40, checksum: writer.checksum, payload: [7]), of: Self.mail)
            #expect(try log.truncate(Self.mail, through: 30) == 1...30)
            var other = ChainWriter(Self.notes)
            other.append(9, endingWith: .tombstone, to: log)
            try log.forget(Self.notes)
            while log.queue.sync({ !log.garbage.isEmpty }) {}
            before = log.statistics?.logBytes ?? 0
            #expect(before > 0 && before < most / 2)
            log.end(copies: false)
        }
        #expect(try Self.open(folder).statistics?.logBytes == before)
    }

    @Test("deletes the truncated entries alone where those of other sessions lie between them")
    func alternating() throws {
        let folder = try TemporaryFolder()
        var bytes: Int64 = 0
        do {
            let log = try Self.open(folder)
            var (mail, notes) = (ChainWriter(Self.mail), ChainWriter(Self.notes))
            for round in 0..<20 {
                mail.append(round % 3 == 0 ? 2 : 1, to: log)
                notes.append(1, to: log)
            }
            try log.write(
                LogSnapshot(revision: 27, checksum: mail.checksum, payload: [7]), of: Self.mail)
            let most = log.statistics?.logBytes ?? 0
            #expect(try log.truncate(Self.mail, through: 25) == 1...25)
            while log.queue.sync({ !log.garbage.isEmpty }) {}
            bytes = log.statistics?.logBytes ?? 0
            #expect(bytes < most)
            log.end(copies: false)
        }
        let log = try Self.open(folder)
        #expect(try log.tail(of: Self.mail, after: 25, limit: 100).map(\.revision) == [26, 27])
        #expect(try log.tail(of: Self.notes, after: 0, limit: 100).map(\.revision) == Array(1...20))
        #expect(log.statistics?.logBytes == bytes)
    }

    @Test("A salvage takes time in proportion to the rows, whatever their largest key")
    func sparse() throws {
        let folder = try TemporaryFolder()
        do {
            let log = try Self.open(folder)
            var writer = ChainWriter(Self.mail)
            writer.append(4, to: log)
            log.end()
        }
        do {
            let database = try DataDirectory(folder.path, creates: false)
            let connection = try Connection(path: database.databasePath, vfs: "traitd")
            try connection.check(traitd_keep_log_on_close(connection.handle))
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("UPDATE entries SET sequence = \(Int64.max)")
            try connection.execute("UPDATE sessions SET number = \(Schema.numbers.upperBound)")
        }
        let salvage = try Salvage(path: folder.path)
        // Entries name their session by its number, which was changed.
        #expect(salvage.sessions.isEmpty)
        #expect(salvage.losses.contains { $0.contains("all of 'mail'") }, "\(salvage.losses)")
    }

    @Test("takes an entry of many pages, and one of none")
    func sizes() throws {
        let folder = try TemporaryFolder()
        let large = LogEntry(
            revision: 1, time: 1, payload: [UInt8](repeating: 42, count: 3_000_000), after: 0)
        let empty = LogEntry(revision: 2, time: 2, payload: [], after: large.checksum)
        do {
            let log = try Self.open(folder)
            #expect(log.append(large, to: Self.mail, expecting: 0) == .appended)
            #expect(log.append(empty, to: Self.mail, expecting: 1) == .appended)
            log.end(copies: false)
        }
        let read = try Self.open(folder).tail(of: Self.mail, after: 0, limit: 2)
        #expect(read.map(\.payload.count) == [3_000_000, 0])
    }
}

@Suite("A data directory that cannot be used")
struct RefusedDirectoryTests {
    private static func refusal(_ path: String) throws -> LogFailure {
        try #require(#expect(throws: LogFailure.self) { try SQLiteLog(path: path) })
    }

    @Test("is refused while another process has it, and taken when it is free")
    func inUse() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let refusal = try Self.refusal(folder.path)
        #expect(refusal.kind == .unavailable)
        #expect(refusal.reason.contains("in use by another process"))
        log.end()
        _ = try ReopeningTests.open(folder)
    }

    @Test("is refused when a later release wrote it, and is left as it is")
    func laterFormat() throws {
        let folder = try TemporaryFolder()
        do {
            let log = try ReopeningTests.open(folder)
            log.queue.sync { try? log.connection?.execute("PRAGMA user_version = 3") }
            log.end()
        }
        for _ in 0..<2 {
            let refusal = try Self.refusal(folder.path)
            #expect(refusal.kind == .unsupported(version: 3))
            #expect(refusal.reason.contains("a later release"))
        }
    }

    @Test("is refused when its database is gone or empty", arguments: [true, false])
    func lost(isEmpty: Bool) throws {
        let folder = try TemporaryFolder()
        try ReopeningTests.open(folder).end()
        let path = folder.file("traitd.db")
        try FileManager.default.removeItem(atPath: path)
        if isEmpty { try Data().write(to: URL(filePath: path)) }
        let refusal = try Self.refusal(folder.path)
        #expect(refusal.kind == .damaged())
        #expect(refusal.reason.contains(isEmpty ? "empty" : "missing"))
    }

    @Test("is refused when it is a file, or cannot be written")
    func noDirectory() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.file("file")))
        #expect(try Self.refusal(folder.file("file")).reason.contains("is no directory"))
        #expect(try Self.refusal(folder.file("file")).kind == .unavailable)
        // No user can make files there.
        #expect(try Self.refusal("/proc/self").reason.contains("cannot be written to"))
    }

    @Test("is refused when its newest acknowledged commit is missing, which is named")
    func lostTail() throws {
        let folder = try TemporaryFolder()
        let copy = try TemporaryFolder()
        var writer = ChainWriter(ReopeningTests.mail)
        let log = try ReopeningTests.open(folder)
        writer.append(3, to: log)
        for name in ["traitd.db", "traitd.db-wal", "created"] {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
        }
        writer.append(to: log)
        try FileManager.default.copyItem(
            atPath: folder.file("acknowledged"), toPath: copy.file("acknowledged"))
        let refusal = try Self.refusal(copy.path)
        #expect(refusal.kind == .damaged(session: ReopeningTests.mail, revision: 4))
        #expect(refusal.reason.contains("traitd recover"))
    }

    @Test("A snapshot that no start needs yet is verified on request")
    func snapshots() throws {
        let folder = try TemporaryFolder()
        do {
            let log = try ReopeningTests.open(folder)
            var writer = ChainWriter(ReopeningTests.mail)
            writer.append(3, to: log)
            for payload in [UInt8(ascii: "x"), UInt8(ascii: "y")] {
                writer.append(to: log)
                try log.write(
                    LogSnapshot(
                        revision: writer.head, checksum: writer.checksum,
                        payload: [UInt8](repeating: payload, count: 3_000)),
                    of: ReopeningTests.mail)
            }
            try log.verifySnapshots(of: ReopeningTests.mail)
            log.end()
        }
        let path = folder.file(DataDirectory.databaseName)
        var bytes = try Data(contentsOf: URL(filePath: path))
        let place = try #require(bytes.firstRange(of: Data(repeating: 0x78, count: 64)))
        bytes[place.lowerBound] ^= 4
        try bytes.write(to: URL(filePath: path))
        let log = try ReopeningTests.open(folder)
        let failure = #expect(throws: LogFailure.self) {
            try log.verifySnapshots(of: ReopeningTests.mail)
        }
        #expect(failure?.kind == .damaged(session: ReopeningTests.mail, revision: 4))
    }

    @Test("refuses a write-ahead log whose header is damaged when it has commits of its own")
    func header() throws {
        let folder = try TemporaryFolder()
        do {
            let log = try ReopeningTests.open(folder)
            var writer = ChainWriter(ReopeningTests.mail)
            #expect(writer.append(600, to: log) == .appended)
            // The log begins anew. Frames of this round lie before most of those of the last one, which
            // have the same pages as the database.
            log.queue.sync { log.copyWriteAheadLog() }
            for _ in 0..<3 { #expect(writer.append(1, to: log) == .appended) }
            log.end(copies: false)
        }
        let path = folder.file(DataDirectory.walName)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[30] ^= 1
        try bytes.write(to: URL(filePath: path))
        // Without this file only the write-ahead log itself shows what is missing.
        try FileManager.default.removeItem(atPath: folder.file(DataDirectory.acknowledgedName))
        var options = ReopeningTests.options
        options.unproved = .read
        let failure = #expect(throws: LogFailure.self) {
            try SQLiteLog(path: folder.path, options: options)
        }
        guard case .damaged = failure?.kind else {
            Issue.record("opened, or refused for another reason: \(String(describing: failure))")
            return
        }
    }
}
