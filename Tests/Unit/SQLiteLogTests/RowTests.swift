// Rows that hold several entries: how they are read, cut and deleted, and directories from before there were
// any.

import CSQLite
import DurabilityRuns
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

@Suite("Rows of entries")
struct RowTests {
    private static let mail = ReopeningTests.mail

    /// An integer that a query answers with.
    private static func integer(_ log: SQLiteLog, _ query: String) -> Int64 {
        log.queue.sync { (try? log.connection?.integer(query)) ?? nil } ?? -1
    }

    @Test("hold the entries of one append, and each of them can be read")
    func reading() throws {
        let folder = try TemporaryFolder()
        var writer = ChainWriter(Self.mail)
        do {
            let log = try ReopeningTests.open(folder)
            #expect(writer.append(200, to: log) == .appended)
            #expect((2...100).contains(Self.integer(log, "SELECT count(*) FROM entries")))
            #expect(writer.append(to: log) == .appended)
            log.end(copies: false)
        }
        let log = try ReopeningTests.open(folder)
        #expect(log.opening.entries == 201)
        for after in 0..<201 {
            for limit in [1, 3, 40] {
                let read = try log.tail(of: Self.mail, after: Int64(after), limit: limit)
                let expected = Array(Int64(after + 1)...201).prefix(limit)
                #expect(read.map(\.revision) == Array(expected))
            }
        }
    }

    @Test("stay until none of their entries is needed", arguments: [true, false])
    func truncation(reopens: Bool) throws {
        let folder = try TemporaryFolder()
        var writer = ChainWriter(Self.mail)
        var log = try ReopeningTests.open(folder)
        writer.append(100, to: log)
        let count = Self.integer(log, "SELECT count(*) FROM entries")
        try log.write(
            LogSnapshot(revision: 100, checksum: writer.checksum, payload: [7]), of: Self.mail)
        for revision in Int64(1)...100 {
            #expect(try log.truncate(Self.mail, through: revision) == revision...revision)
            if reopens, revision % 9 == 0 {
                log.end(copies: false)
                log = try ReopeningTests.open(folder)
                #expect(log.opening.entries == Int(100 - revision))
            }
            let left = try log.tail(of: Self.mail, after: 0, limit: 200)
            #expect(left.map(\.revision) == (revision == 100 ? [] : Array(revision + 1...100)))
        }
        while log.queue.sync({ !log.garbage.isEmpty }) {}
        #expect(count > 2 && Self.integer(log, "SELECT count(*) FROM entries") == 0)
        #expect(log.statistics?.logBytes == 1)
        #expect(writer.append(to: log) == .appended)
    }

    @Test("of sessions that are appended together are apart, and each goes with its session")
    func sessions() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let (mail, notes) = (ChainWriter(Self.mail), ChainWriter(ReopeningTests.notes))
        let results = log.append([
            LogAppend(session: Self.mail, entries: mail.entries(5), expecting: 0),
            LogAppend(
                session: ReopeningTests.notes,
                entries: notes.entries(5, endingWith: .tombstone), expecting: 0),
        ])
        #expect(results == [.appended, .appended])
        #expect(Self.integer(log, "SELECT count(*) FROM entries") == 2)
        try log.forget(ReopeningTests.notes)
        while log.queue.sync({ !log.garbage.isEmpty }) {}
        #expect(Self.integer(log, "SELECT count(*) FROM entries") == 1)
        #expect(try log.tail(of: Self.mail, after: 0, limit: 9).count == 5)
    }

    @Test("are refused with any bit changed, and cut anywhere")
    func damage() throws {
        let writer = ChainWriter(Self.mail)
        var bytes: [UInt8] = []
        var ends: Set<Int> = [0]
        for entry in writer.entries(3) {
            StoredRow.append(entry, of: 3, to: &bytes)
            ends.insert(bytes.count)
        }
        #expect(try Self.revisions(bytes) == [1, 2, 3])
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: StorageError.self, "bit \(bit)") { try Self.revisions(changed) }
        }
        for count in 0..<bytes.count where !ends.contains(count) {
            #expect(throws: StorageError.self, "\(count) bytes") {
                try Self.revisions(Array(bytes[..<count]))
            }
        }
    }

    private static func revisions(_ bytes: [UInt8]) throws(StorageError) -> [Int64] {
        let read = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in
                var row = try StoredRow(bytes)
                var revisions: [Int64] = []
                while let entry = try row.next() { revisions.append(entry.revision) }
                return revisions
            }
        }
        return try read.get()
    }

    @Test("A directory with one entry in each row is read, and later releases own it from then on")
    func olderFormat() throws {
        let folder = try TemporaryFolder()
        var writer = ChainWriter(Self.mail)
        do {
            let log = try ReopeningTests.open(folder)
            for _ in 0..<20 { writer.append(to: log) }
            #expect(Self.integer(log, "SELECT count(*) FROM entries") == 20)
            log.queue.sync { try? log.connection?.execute("PRAGMA user_version = 1") }
            log.end(copies: false)
        }
        for round in 0..<2 {
            let log = try ReopeningTests.open(folder)
            #expect(Self.integer(log, "PRAGMA user_version") == OpenedDatabase.format)
            #expect(log.opening.entries == 20 + round * 5)
            #expect(writer.append(5, to: log) == .appended)
            let read = try log.tail(of: Self.mail, after: 18, limit: 4)
            #expect(read.map(\.revision) == [19, 20, 21, 22])
            log.end(copies: false)
        }
    }
}

@Suite("Garbage")
struct GarbageTests {
    private static let mail = ReopeningTests.mail

    /// A log that has garbage, and deletes it only with batches.
    private static func logWithGarbage(
        _ disk: Disk, _ writer: inout ChainWriter
    ) throws -> SQLiteLog {
        let log = try disk.open()
        for _ in 0..<50 { writer.append(to: log) }
        try log.write(
            LogSnapshot(revision: 50, checksum: writer.checksum, payload: [7]), of: mail)
        log.queue.sync { log.isUpkeepScheduled = true }
        #expect(try log.truncate(mail, through: 50) == 1...50)
        #expect(log.queue.sync { log.garbage.places.count } == 50)
        return log
    }

    @Test("is deleted with the next batches, without flushes of its own")
    func withBatches() throws {
        let disk = try Disk()
        var writer = ChainWriter(Self.mail)
        let log = try Self.logWithGarbage(disk, &writer)
        let most = log.statistics?.logBytes ?? 0
        var batches = 0
        while log.queue.sync({ !log.garbage.isEmpty }) {
            let flushes = disk.calls(.flush)
            #expect(writer.append(to: log) == .appended)
            #expect(disk.calls(.flush) == flushes + 1)
            batches += 1
        }
        #expect(batches == 7)
        #expect((log.statistics?.logBytes ?? 0) < most / 2)
        log.end(copies: false)
        #expect(try disk.open().bounds(of: Self.mail)?.head == Int64(50 + batches))
    }

    @Test("is deleted without a write of the pages that become free")
    func freePages() throws {
        let disk = try Disk()
        let log = try disk.open()
        let pages = 200
        let large = LogEntry(
            revision: 1, time: 1, payload: [UInt8](repeating: 42, count: pages * 4_096), after: 0)
        let next = LogEntry(revision: 2, time: 2, payload: [], after: large.checksum)
        #expect(log.append(large, to: Self.mail, expecting: 0) == .appended)
        try log.write(
            LogSnapshot(revision: 1, checksum: large.checksum, payload: [7]), of: Self.mail)
        log.queue.sync { log.isUpkeepScheduled = true }
        #expect(try log.truncate(Self.mail, through: 1) == 1...1)
        let writes = disk.calls(.write)
        #expect(log.append(next, to: Self.mail, expecting: 1) == .appended)
        #expect(log.queue.sync { log.garbage.isEmpty })
        #expect(disk.calls(.write) - writes < pages / 4)
    }

    @Test("that cannot be deleted keeps no batch from being written")
    func failure() throws {
        let disk = try Disk()
        var writer = ChainWriter(Self.mail)
        let log = try Self.logWithGarbage(disk, &writer)
        disk.fail(.flush, times: 1, with: Disk.flushError)
        #expect(writer.append(to: log) == .appended)
        #expect(log.queue.sync { log.garbage.places.count } == 50)
        #expect(log.statistics?.failedFlushes == 1)
        #expect(writer.append(to: log) == .appended)
        #expect(log.queue.sync { log.garbage.places.count } == 42)
        log.end(copies: false)
        #expect(try disk.open().bounds(of: Self.mail)?.head == 52)
    }
}
