// What a log does with the room that it has: free pages of its own database, copies that find no room,
// and bounds that come before those of its readers.

import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Synchronization
import Testing

@testable import SQLiteLog

@Suite("The room of a log")
struct RoomTests {
    private static let mail = ReopeningTests.mail
    private static let notes = ReopeningTests.notes

    /// Waits until upkeep has nothing more to delete.
    private static func settle(_ log: SQLiteLog) {
        while log.queue.sync({ !log.garbage.isEmpty }) {}
    }

    @Test("takes commits into the pages of deleted sessions, while some of the disk is free")
    func reusesPages() throws {
        let free = Mutex<Int64>(100_000_000)
        let disk = try Disk()
        let log = try disk.open {
            $0.minFreeDiskBytes = 1_000_000
            $0.freeBytes = { free.withLock { $0 } }
        }
        var mail = ChainWriter(Self.mail)
        var notes = ChainWriter(Self.notes)
        #expect(notes.append(to: log) == .appended)
        for _ in 0..<40 { #expect(mail.append(200, to: log) == .appended) }
        free.withLock { $0 = 900_000 }
        guard case .full = notes.append(to: log) else {
            Issue.record("the log uses room that has to stay free, and has no pages of its own")
            return
        }
        #expect(mail.append(endingWith: .tombstone, to: log) == .appended)
        try log.forget(Self.mail)
        Self.settle(log)
        #expect(notes.append(20, to: log) == .appended)
        // Less than half of the reserve: the write-ahead log may need what is left.
        free.withLock { $0 = 400_000 }
        guard case .full = notes.append(to: log) else {
            Issue.record("the log takes what the write-ahead log may need")
            return
        }
    }

    @Test("uses no more than the free pages hold")
    func usesUpPages() throws {
        let free = Mutex<Int64>(100_000_000)
        let disk = try Disk()
        let log = try disk.open {
            $0.minFreeDiskBytes = 1_000_000
            $0.freeBytes = { free.withLock { $0 } }
        }
        var mail = ChainWriter(Self.mail)
        var notes = ChainWriter(Self.notes)
        for _ in 0..<10 { #expect(mail.append(200, to: log) == .appended) }
        #expect(mail.append(endingWith: .tombstone, to: log) == .appended)
        try log.forget(Self.mail)
        Self.settle(log)
        free.withLock { $0 = 999_999 }
        var taken = 0
        while taken < 1_000, notes.append(200, to: log) == .appended { taken += 1 }
        #expect((1...20).contains(taken))
    }

    @Test(
        "is full when a quota or the largest size of a file is reached, and goes on afterwards",
        arguments: [EDQUOT, EFBIG, ENOSPC])
    func quota(number: Int32) throws {
        let disk = try Disk()
        let log = try disk.open()
        var writer = ChainWriter(Self.mail)
        #expect(writer.append(3, to: log) == .appended)
        disk.fail(.write, times: 40, with: Disk.writeError, errno: number)
        guard case .full = writer.append(to: log) else {
            Issue.record("a quota is taken for a broken disk")
            return
        }
        #expect(log.trouble == nil)
        #expect(log.statistics?.failedFlushes == 0)
        disk.fail(.write, times: 0)
        #expect(writer.append(3, to: log) == .appended)
    }

    @Test("goes on after any number of copies that found no room")
    func copies() throws {
        let disk = try Disk()
        let log = try disk.open { $0.checkpointPages = 8 }
        var writer = ChainWriter(Self.mail)
        // Makes the file of the write-ahead log large, so that later transactions fit into it.
        #expect(writer.append(4_000, to: log) == .appended)
        _ = try log.bounds(of: Self.mail)
        disk.leaveRoom(0)
        var taken = 0
        while writer.append(10, to: log) == .appended { taken += 1 }
        #expect(taken > 0)
        let copies = log.statistics?.checkpoints
        for _ in 0..<150 { log.queue.sync { log.copyWriteAheadLog() } }
        #expect(log.statistics?.checkpoints == copies)
        #expect(log.trouble == nil)
        disk.leaveRoom(nil)
        #expect(writer.append(to: log) == .appended)
        Self.settle(log)
    }

    @Test("refuses entries and snapshots that could not be read again, and keeps what is behind")
    func largest() throws {
        let folder = try TemporaryFolder()
        var options = ReopeningTests.options
        options.entryBytesMax = 1_000
        let log = try SQLiteLog(path: folder.path, options: options)
        var writer = ChainWriter(Self.mail)
        #expect(writer.append(3, to: log) == .appended)
        let large = LogEntry(
            revision: 4, time: 0, payload: [UInt8](repeating: 32, count: 1_001),
            after: writer.checksum)
        guard
            case .refused = log.append([
                LogAppend(session: Self.mail, entries: [large], expecting: 3)
            ]).first
        else {
            Issue.record("an entry is taken that no start could read")
            return
        }
        #expect(throws: LogFailure.self) {
            try log.write(
                LogSnapshot(
                    revision: 3, checksum: writer.checksum,
                    payload: [UInt8](repeating: 32, count: 1_001)),
                of: Self.mail)
        }
        #expect(throws: LogFailure.self) { try log.truncate(Self.mail, through: 3) }
        #expect(try log.tail(of: Self.mail, after: 0, limit: 9).count == 3)
    }

    @Test("opens on a full disk: what is stored can be read, and appends go on when there is room")
    func opensFull() throws {
        let disk = try Disk()
        var writer = ChainWriter(Self.mail)
        let first = try disk.open()
        #expect(writer.append(400, to: first) == .appended)
        // As if killed: all of it is in the write-ahead log alone.
        first.end(copies: false)
        disk.leaveRoom(0)
        let log = try disk.open()
        #expect(log.opening.isFull)
        #expect(try log.bounds(of: Self.mail)?.head == 400)
        #expect(try log.tail(of: Self.mail, after: 390, limit: 100).count == 10)
        var full = writer
        guard case .full = full.append(1_000, to: log) else {
            Issue.record("a full disk takes entries")
            return
        }
        #expect(log.trouble == nil)
        disk.leaveRoom(nil)
        #expect(writer.append(5, to: log) == .appended)
        log.end()
        let again = try disk.open()
        #expect(!again.opening.isFull)
        #expect(try again.bounds(of: Self.mail)?.head == 405)
    }
}
