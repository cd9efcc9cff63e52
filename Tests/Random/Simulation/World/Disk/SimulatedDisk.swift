// A disk in memory. A power cut leaves of it what flushes have confirmed, and of each later write all, some sectors or
// nothing. Calls fail as `DiskFaults.swift` plans it.

import Background
import Glibc
import SQLiteLog
import SeededRandom
import Simulated

/// A file as processes see it, and as it lies on the disk.
final class DiskFile {
    enum Change {
        case write(Int, [UInt8])
        case resize(Int)
    }

    let number: UInt64
    /// What reads get.
    private(set) var bytes: [UInt8] = []
    /// What a power cut leaves at least.
    private(set) var stored: [UInt8] = []
    /// What no flush has confirmed, oldest first.
    private(set) var changes: [Change] = []

    init(_ number: UInt64) { self.number = number }

    func make(_ change: Change) {
        Self.apply(change, to: &bytes)
        changes.append(change)
    }

    /// A flush has succeeded.
    func confirm() {
        for change in changes { Self.apply(change, to: &stored) }
        changes = []
    }

    /// A flush has failed. The system takes the pages for clean, so no later flush writes them.
    func forget() { changes = [] }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .resize(let size):
            bytes.removeLast(max(0, bytes.count - size))
            bytes += repeatElement(0, count: size - bytes.count)
        case .write(let offset, let some):
            if bytes.count < offset + some.count { apply(.resize(offset + some.count), to: &bytes) }
            // A debug build would copy byte by byte otherwise.
            some.withUnsafeBytes { some in
                bytes.withUnsafeMutableBytes {
                    UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: some)
                }
            }
        }
    }

    private static let sectorBytes = 512

    /// Keeps, tears or drops each change. Returns how many of each.
    func cut(_ random: inout SeededRandom) -> (kept: Int, torn: Int, dropped: Int) {
        var counts = (kept: 0, torn: 0, dropped: 0)
        for change in changes {
            switch (random.below(3), change) {
            case (0, _): counts.dropped += 1
            case (1, .write(let offset, let some)) where some.count > Self.sectorBytes:
                counts.torn += 1
                var start = 0
                while start < some.count {
                    let sector = (offset + start) / Self.sectorBytes + 1
                    let end = min(some.count, sector * Self.sectorBytes - offset)
                    if random.chance(50) {
                        Self.apply(.write(offset + start, Array(some[start..<end])), to: &stored)
                    }
                    start = end
                }
            default:
                counts.kept += 1
                Self.apply(change, to: &stored)
            }
        }
        (bytes, changes) = (stored, [])
        return counts
    }
}

/// The disk and its one folder.
final class SimulatedDisk {
    static let folder = "/simulated"

    private struct Opened {
        /// Nil for the folder.
        let file: DiskFile?
        /// Of SQLite's locks.
        var level: Int32 = 0
        var isLocked = false
    }

    let scheduler: Scheduler
    var faults: DiskFaults
    private var random: SeededRandom
    private(set) var names: [String: DiskFile] = [:]
    /// The names on the disk, and those that were made or removed since the folder was flushed.
    private var storedNames: [String: DiskFile] = [:]
    private var changedNames: [String] = []
    private var opened: [Int32: Opened] = [:]
    private var lastFile: UInt64 = 0
    private var lastDescriptor: Int32 = 0
    var count: (String, Int) -> Void = { _, _ in }

    init(_ scheduler: Scheduler, seed: UInt64) {
        self.scheduler = scheduler
        faults = DiskFaults()
        random = SeededRandom(seed: seed, for: "disk")
    }

    var usedBytes: Int { names.values.reduce(0) { $0 + $1.bytes.count } }

    /// The processes that had the files are gone.
    func dropHandles() { opened = [:] }

    /// Cuts the power. Of no process that uses the disk.
    func cut() {
        for name in changedNames where random.chance(50) { storedNames[name] = names[name] }
        (names, changedNames) = (storedNames, [])
        for (name, file) in names.sorted(by: { $0.key < $1.key }) {
            let counts = file.cut(&random)
            count("writes kept", counts.kept)
            count("writes torn", counts.torn)
            count("writes dropped", counts.dropped)
            scheduler.trace.note(
                scheduler.now, "left of \(name): \(file.bytes.count) bytes",
                UInt64(bitPattern: Int64(file.bytes.hashValue)))
        }
        count("fault powerCut", 1)
    }

    /// Before each call that changes the disk. A power cut ends the process here.
    private func begin() {
        guard faults.takesPower() else { return scheduler.giveWay() }
        scheduler.at(scheduler.now, faults.onCut)
        _ = scheduler.wait(until: .max) { false }
    }

    /// Whether a call fails.
    private func fails(_ call: DiskCall) -> Bool {
        guard faults.take(call) else { return false }
        scheduler.trace.note(scheduler.now, "the disk fails: \(call)")
        count("fault \(call.fault)", 1)
        errno = EIO
        return true
    }

    // MARK: - Files

    private func file(_ descriptor: Int32) -> DiskFile {
        guard let file = opened[descriptor]?.file else {
            preconditionFailure("\(descriptor) is no open file")
        }
        return file
    }

    func size(_ descriptor: Int32) -> Int { file(descriptor).bytes.count }

    func resize(_ descriptor: Int32, to size: Int) -> Int32 {
        if size == 0 { faults.endCopy(&random) }
        begin()
        if fails(.write) { return -1 }
        file(descriptor).make(.resize(size))
        return 0
    }

    /// Flushes the folder: names that were made or removed.
    private func flushNames() {
        for name in changedNames { storedNames[name] = names[name] }
        changedNames = []
    }

    /// One of SQLite's locks: at most one process may write, and none may read meanwhile. Returns whether it is taken.
    func take(_ level: Int32, of descriptor: Int32) -> Bool {
        let file = file(descriptor)
        let others = opened.filter { $0.key != descriptor && $0.value.file === file }
            .map(\.value.level)
        let most: Int32 = level == 1 ? 2 : level == 2 ? 1 : 0
        if others.contains(where: { $0 > most }) { return false }
        opened[descriptor]?.level = level
        return true
    }

    func loosen(_ descriptor: Int32, to level: Int32) { opened[descriptor]?.level = level }
}

extension SimulatedDisk: LogFiles {
    func open(_ path: String, _ flags: Int32) -> Int32 {
        var file = names[path]
        if flags & O_DIRECTORY == 0, file == nil {
            guard flags & O_CREAT != 0 else {
                errno = ENOENT
                return -1
            }
            begin()
            lastFile += 1
            let made = DiskFile(lastFile)
            names[path] = made
            changedNames.append(path)
            file = made
        }
        if flags & O_TRUNC != 0 { file?.make(.resize(0)) }
        lastDescriptor += 1
        opened[lastDescriptor] = Opened(file: file)
        return lastDescriptor
    }

    func close(_ descriptor: Int32) { opened[descriptor] = nil }

    func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        if fails(.read) { return -1 }
        return file(descriptor).bytes.withUnsafeBytes { all in
            let start = min(offset, all.count)
            let end = min(offset + bytes.count, all.count)
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
            return end - start
        }
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        begin()
        let file = file(descriptor)
        var count = bytes.count
        let isBroken = fails(.write)
        let more = offset + count - file.bytes.count
        let isFull = more > 0 && faults.room.map { usedBytes + more > $0 } ?? false
        if isFull {
            faults.takeFull()
            self.count("fault \(FaultKind.fullDisk)", 1)
        }
        // A part of it may be there.
        if isBroken || isFull { count = random.chance(50) ? count / 2 : 0 }
        if count > 0 { file.make(.write(offset, Array(bytes[..<count]))) }
        if isFull { errno = ENOSPC }
        return count > 0 ? count : -1
    }

    func flush(_ descriptor: Int32) -> Int32 {
        begin()
        let isLong = random.chance(2)
        Uptime.pause(.microseconds(500 + random.below(isLong ? 60_000 : 4_000)))
        begin()
        let file = opened[descriptor]?.file
        if fails(.flush) {
            file?.forget()
            return -1
        }
        if let file { file.confirm() } else { flushNames() }
        return 0
    }

    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
        let file = file(descriptor)
        let isTaken = opened.contains {
            $0.key != descriptor && $0.value.file === file && $0.value.isLocked
        }
        if operation & LOCK_EX != 0, isTaken {
            errno = EWOULDBLOCK
            return -1
        }
        opened[descriptor]?.isLocked = operation & LOCK_EX != 0
        return 0
    }

    func remove(_ path: String) -> Int32 {
        begin()
        guard names.removeValue(forKey: path) != nil else {
            errno = ENOENT
            return -1
        }
        changedNames.append(path)
        return 0
    }

    func status(_ path: String) -> (size: Int64, number: UInt64)? {
        names[path].map { (Int64($0.bytes.count), $0.number) }
    }
}
