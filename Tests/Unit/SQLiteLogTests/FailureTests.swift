// Calls that fail while a log is written: what is acknowledged, what is refused, and what goes on.

import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Synchronization
import Testing

@testable import SQLiteLog

/// The system's files. Notes what of them was written, and flushed after it.
private final class NotedFiles: LogFiles {
    private var paths: [Int32: String] = [:]
    private var written: [String: IndexSet] = [:]
    /// At each flush.
    private(set) var flushed: [String: [IndexSet]] = [:]
    /// The name of a file that cannot be flushed.
    var failing: String?

    func open(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = Foundation.open(path, flags, 0o600)
        paths[descriptor] = URL(fileURLWithPath: path).lastPathComponent
        return descriptor
    }

    func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

    func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        pread(descriptor, bytes.baseAddress, bytes.count, offset)
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let count = pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        if count > 0, let name = paths[descriptor] {
            written[name, default: []].insert(integersIn: offset..<offset + count)
        }
        return count
    }

    func flush(_ descriptor: Int32) -> Int32 {
        guard let name = paths[descriptor], name != failing else {
            errno = EIO
            return -1
        }
        flushed[name, default: []].append(written[name] ?? [])
        return fsync(descriptor)
    }

    func forget() { (written, flushed) = ([:], [:]) }

    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }

    func remove(_ path: String) -> Int32 { unlink(path) }

    func status(_ path: String) -> (size: Int64, number: UInt64)? {
        var status = stat()
        return stat(path, &status) == 0 ? (Int64(status.st_size), UInt64(status.st_ino)) : nil
    }
}

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

    // After a failed flush bytes may be read that the disk does not have. The files are those of a process, so the test
    // has one of its own.
    @Test("stores again what it finds at a start, before it copies anything")
    func storesAgain() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var writer = ChainWriter(ReopeningTests.mail)
            let first = try ReopeningTests.open(folder)
            #expect(writer.append(3, to: first) == .appended)
            first.end(copies: false)
            func bytes(_ name: String) throws -> Data {
                try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
            }
            let database = try bytes("traitd.db")
            let wal = try bytes("traitd.db-wal")
            #expect(wal.count > 4_096)

            let files = NotedFiles()
            SystemFiles.simulated = files
            for name in ["traitd.db-wal", "acknowledged"] {
                files.failing = name
                let failure = #expect(throws: LogFailure.self) {
                    try ReopeningTests.open(folder)
                }
                #expect(failure?.kind == .unavailable, "\(name): \(failure?.reason ?? "")")
                #expect(try bytes("traitd.db") == database)
                #expect(try bytes("traitd.db-wal") == wal)
            }
            files.failing = nil
            files.forget()
            let second = try ReopeningTests.open(folder)
            // SQLite flushes its header before what follows, too.
            #expect(
                files.flushed["traitd.db-wal"]
                    == [IndexSet(integersIn: 0..<32), IndexSet(integersIn: 0..<wal.count)])
            #expect(files.flushed["acknowledged"] == [IndexSet(integersIn: 0..<512)])
            #expect(try second.bounds(of: ReopeningTests.mail)?.head == 3)
            second.end()
        }
    }
}
