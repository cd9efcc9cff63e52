// Faults of the disk: two power cuts and five failures for each world that has one, flushes among them. Each begins with
// one of the next calls.

import SQLiteLog
import SeededRandom
import SessionLog
import Simulated

enum DiskCall {
    case read
    /// A truncation, too.
    case write
    case flush

    var fault: FaultKind {
        switch self {
        case .read: .failingRead
        case .write: .failingWrite
        case .flush: .failingFlush
        }
    }
}

/// What is planned for the next calls of a disk.
struct DiskFaults {
    private struct Plan {
        let call: DiskCall
        /// How many calls come before.
        var wait: Int
        /// How many fail.
        var times: Int
    }

    private var plans: [Plan] = []
    /// How many calls that change the disk come before the power cut.
    private var callsUntilCut: Int?
    /// Whether the power is cut soon after the write-ahead log is copied the next time, which a start does.
    private var cutsNextCopy = false
    /// The most bytes of all files.
    var room: Int?
    /// Calls that have failed.
    private(set) var failures = 0
    /// Outside of all threads: ends the process, and starts it again.
    var onCut: () -> Void = {}

    mutating func plan(_ call: DiskCall, wait: Int, times: Int) {
        plans.append(Plan(call: call, wait: wait, times: times))
    }

    mutating func planCut(after calls: Int) { callsUntilCut = calls }

    mutating func planCutOfCopy() { cutsNextCopy = true }

    /// The write-ahead log is about to be emptied.
    mutating func endCopy(_ random: inout SeededRandom) {
        if cutsNextCopy { (cutsNextCopy, callsUntilCut) = (false, random.below(8)) }
    }

    mutating func end() { (plans, callsUntilCut, cutsNextCopy, room) = ([], nil, false, nil) }

    mutating func takesPower() -> Bool {
        guard let calls = callsUntilCut else { return false }
        callsUntilCut = calls == 0 ? nil : calls - 1
        return calls == 0
    }

    /// Whether this call fails.
    mutating func take(_ call: DiskCall) -> Bool {
        guard let place = plans.firstIndex(where: { $0.call == call }) else { return false }
        if plans[place].wait > 0 {
            plans[place].wait -= 1
            return false
        }
        plans[place].times -= 1
        if plans[place].times == 0 { plans.remove(at: place) }
        failures += 1
        return true
    }

    mutating func takeFull() { failures += 1 }
}

extension Fault {
    /// The faults of a world with a disk, in order.
    static func ofDisk(seed: UInt64, within time: UInt64) -> [Fault] {
        var random = SeededRandom(seed: seed, for: "faults")
        var kinds: [FaultKind] = [.powerCut, .powerCut, .failingFlush, .failingFlush]
        for _ in 0..<3 { kinds.append(random.pick(FaultKind.failuresOfDisk) ?? .failingFlush) }
        for _ in 0..<6 { kinds.append(random.pick(FaultKind.ofProcesses) ?? .kill) }
        return kinds.map { (kind: $0, time: random.next() % time) }.sorted { $0.time < $1.time }
            .enumerated().map { number, fault in
                Fault(number: number, kind: fault.kind, time: fault.time)
            }
    }
}

extension World {
    /// One world of seven.
    static func hasDisk(_ seed: UInt64) -> Bool { seed % memoryWorlds == 3 }

    func openLog(on disk: SimulatedDisk) throws(LogFailure) -> SQLiteLog {
        var random = SeededRandom(seed: options.seed, for: "disk options")
        var options = SQLiteLogOptions()
        options.createsDirectory = false
        options.checkpointPages = random.pick([16, 64, 250]) ?? 16
        options.snapshotPartBytes = 4_096
        options.upkeepRowsMax = 8
        options.minFreeDiskBytes = 65_536
        // A quota says nothing of itself.
        let isQuota = random.chance(50)
        nonisolated(unsafe) let disk = disk
        options.freeBytes = {
            guard let room = disk.faults.room, !isQuota else { return 1 << 40 }
            return Int64(max(0, room - disk.usedBytes))
        }
        return try SQLiteLog(path: SimulatedDisk.folder, options: options)
    }

    /// Has entries known that a power cut kept from being told.
    func takeEntries(of log: any SessionLog) throws(LogFailure) {
        for session in try log.sessions() {
            let tail = try log.tail(of: session, after: 0, limit: .max)
            entries.take(tail, of: session, from: "the log at its start")
            if tail.first?.revision ?? 1 > 1 { tally.add("logs truncated") }
        }
    }

    func prepareDisk() {
        guard let disk else { return }
        DiskVFS.install(disk, seed: options.seed)
        SystemFiles.simulated = disk
        disk.count = { [unowned self] in tally.add($0, $1) }
        var random = SeededRandom(seed: options.seed, for: "first start")
        // In a third of the worlds the first start is cut off: the directory is being made.
        let first = random.below(120)
        if first < 40 { disk.faults.planCut(after: first) }
        disk.faults.onCut = { [unowned self] in
            replicas[0].kill()
            disk.cut()
            let rest = 10_000_000 + scheduler.random() % 1_500_000_000
            scheduler.at(scheduler.now + rest) { [self] in replicas[0].start() }
            // Now and then the next start is cut off, too.
            let next = Int(scheduler.random() % 120)
            if next < 40 { disk.faults.planCut(after: next) }
        }
    }

    func plan(_ kind: FaultKind, _ part: UInt64, _ time: UInt64) {
        guard let disk else { return }
        let wait = Int(part % 30)
        let number = Int(part >> 32)
        switch kind {
        case .powerCut: disk.faults.planCut(after: Int(part % 60))
        // A log that has written five times again stops. Its next start may fail, too.
        case .failingFlush: disk.faults.plan(.flush, wait: wait, times: [1, 5, 6, 12][number % 4])
        case .failingWrite: disk.faults.plan(.write, wait: wait, times: 1 + number % 3)
        // Pages are read when a process begins.
        case .failingRead: disk.faults.plan(.read, wait: wait, times: 1 + number % 3)
        case .fullDisk:
            disk.faults.room = disk.usedBytes + number % 100_000
            scheduler.at(scheduler.now + time) { disk.faults.room = nil }
        default: break
        }
    }

    /// The last power cut: what was acknowledged is there behind it.
    func endDiskFaults() {
        guard let disk else { return }
        disk.faults.end()
        replicas[0].kill()
        disk.cut()
    }

    /// A log that does not open, or stops, needs a reason.
    func expectFailedDisk(_ what: String, since failures: Int) {
        guard let disk, disk.faults.failures > failures else { found(what) }
        tally.add("disk: \(what.prefix(while: { $0 != ":" }))")
        // What failed flushes leave is read by the next start, and not on the disk.
        disk.faults.planCutOfCopy()
    }
}
