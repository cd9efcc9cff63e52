// Calls that fail while a log is written: what is acknowledged, what is refused, and what goes on.

import DurabilityRuns
import Foundation
import SQLiteLog
import SessionLog
import SessionLogTestSupport
import Synchronization
import Testing

@Suite("A log whose disk fails")
struct FailureTests {
    private static let mail = ReopeningTests.mail

    @Test("writes a batch again when its flush fails once or thrice", arguments: [1, 3])
    func flushFails(times: Int) throws {
        let disk = try Disk()
        do {
            let log = try disk.open()
            var writer = ChainWriter(Self.mail)
            #expect(writer.append(2, to: log) == .appended)
            disk.fail(.flush, times: times, with: Disk.flushError)
            #expect(writer.append(2, to: log) == .appended)
            #expect(log.statistics?.failedFlushes == UInt64(times))
            #expect(log.trouble == nil)
            log.end(copies: false)
        }
        #expect(try ReopeningTests.open(disk.folder).bounds(of: Self.mail)?.head == 4)
    }

    @Test("stops when flushes fail for ever, and acknowledges nothing from then on")
    func flushNeverSucceeds() throws {
        let disk = try Disk()
        do {
            let log = try disk.open()
            var writer = ChainWriter(Self.mail)
            #expect(writer.append(2, to: log) == .appended)
            disk.fail(.flush, times: -1, with: Disk.flushError)
            guard case .unknown = writer.append(to: log) else {
                Issue.record("the log knows what it cannot know")
                return
            }
            disk.fail(.flush, times: 0)
            guard case .unavailable = writer.append(to: log) else {
                Issue.record("the log goes on after a flush that never succeeded")
                return
            }
            #expect(log.trouble?.contains("failed 6 times") == true)
            // Reading would show the batch from memory, which proves nothing.
            #expect(throws: LogFailure.self) { try log.tail(of: Self.mail, after: 0, limit: 9) }
            log.end(copies: false)
        }
        let head = try ReopeningTests.open(disk.folder).bounds(of: Self.mail)?.head ?? 0
        #expect((2...3).contains(head))
    }

    @Test("refuses before the disk is full, takes the end of a session, and goes on by itself")
    func nearlyFull() throws {
        let free = Mutex<Int64>(10_000_000)
        let disk = try Disk()
        let log = try disk.open {
            $0.minFreeDiskBytes = 1_000_000
            $0.freeBytes = { free.withLock { $0 } }
        }
        var writer = ChainWriter(Self.mail)
        #expect(writer.append(2, to: log) == .appended)
        free.withLock { $0 = 1_000_010 }
        guard
            case .full(_, DiskRoom(freeBytes: 1_000_010, minFreeBytes: 1_000_000)) =
                writer.append(to: log)
        else {
            Issue.record("the log uses the room that has to stay free")
            return
        }
        #expect(try log.tail(of: Self.mail, after: 0, limit: 9).count == 2)
        free.withLock { $0 = 10_000_000 }
        #expect(writer.append(to: log) == .appended)
        free.withLock { $0 = 0 }
        #expect(writer.append(endingWith: .tombstone, to: log) == .appended)
        #expect(log.statistics?.refusedForSpace == 1)
    }

    @Test(
        "stops when its database, or all of its directory, is removed while it runs",
        arguments: [true, false])
    func removed(isDirectory: Bool) throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        var writer = ChainWriter(Self.mail)
        #expect(writer.append(2, to: log) == .appended)
        let removed = isDirectory ? folder.path : folder.file("traitd.db")
        try FileManager.default.removeItem(atPath: removed)
        guard case .unknown = writer.append(to: log) else {
            Issue.record("commits go into a file without a name, or into a disk that is full")
            return
        }
        #expect(log.trouble?.contains("removed") == true)
    }
}
