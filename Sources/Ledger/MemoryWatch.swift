// The timer that keeps the ledger true, and does something when memory gets short: windows of retained
// commits shrink first, the allocator gives free pages back, and the streams of slow
// readers are ended last.

import Dispatch
import Synchronization

/// The callbacks of a memory watch.
package struct MemoryDuties: Sendable {
    /// Bytes of the parts that something counts. May take milliseconds.
    package var count: @Sendable () -> [MemoryPart: Int]
    /// Shrinks what can be lost without harm. Returns the number of freed bytes.
    package var shrink: @Sendable () -> Int
    /// Ends the streams of slow readers.
    package var endSlowest: @Sendable () -> Void

    package init(
        count: @escaping @Sendable () -> [MemoryPart: Int] = { [:] },
        shrink: @escaping @Sendable () -> Int = { 0 },
        endSlowest: @escaping @Sendable () -> Void = {}
    ) {
        self.count = count
        self.shrink = shrink
        self.endSlowest = endSlowest
    }
}

/// Looks at the process's memory ten times a second, as long as it lives.
///
/// `@unchecked Sendable`: everything that changes is touched on `queue` alone, but for `timer`, which is
/// touched when the watch is made and when it ends.
package final class MemoryWatch: @unchecked Sendable {
    private static let intervalMilliseconds = 100
    private static let ticksPerCount = 10

    private let ledger: MemoryLedger
    private let duties: MemoryDuties
    private let programBytes: Int
    private let fileBytesAtStart = ResidentMemory.fileBytes() ?? 0
    private let queue = DispatchQueue(label: "memory.watch")
    private let timer: any DispatchSourceTimer
    private var tickCount = 0
    private var load = ProcessLoad()
    private var walks = AllocatorWalks()
    private var trimDueAt: UInt64 = 0

    /// - Parameter programBytes: the process's memory before it has served anything.
    package init(_ ledger: MemoryLedger, programBytes: Int, _ duties: MemoryDuties) {
        self.ledger = ledger
        self.duties = duties
        self.programBytes = programBytes
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(Self.intervalMilliseconds),
            leeway: .milliseconds(10))
        timer.activate()
    }

    deinit { timer.cancel() }

    private var isShort: Bool { ledger.bytes > ledger.bytesMax / 4 * 3 }
    private var isVeryShort: Bool { ledger.bytes > ledger.bytesMax / 16 * 15 }

    private func tick() {
        let isCounting = tickCount % Self.ticksPerCount == 0
        tickCount += 1
        load.measure()
        ledger.measureNow()
        if isCounting || isShort { lookAtAllocator() }
        if isShort { relieve() }
        if isCounting { count() }
    }

    private func relieve() {
        if duties.shrink() > 0 { lookAtAllocator() }
        // Memory that the allocator keeps counts as free already, up to a quarter of the budget. So returning it
        // makes room only when the process has more than the budget. Under load nothing else is worth the
        // wait of other threads.
        if isShort, load.isLow || ledger.residentBytes > ledger.bytesMax {
            trim(restNanoseconds: Self.restWhenShort)
        }
        if isVeryShort { duties.endSlowest() }
    }

    /// Bytes in the allocator's lists of free blocks, resident or not.
    private var kept = 0
    /// About how much of that the allocator has returned to the system.
    private var given = 0
    private static let restWhenShort: UInt64 = 1_000_000_000
    private static let restOtherwise: UInt64 = 5_000_000_000
    /// After a trim that returned little, another one would not return more soon.
    private static let restInVain: UInt64 = 30_000_000_000

    private func lookAtAllocator() {
        let start = DispatchTime.now().uptimeNanoseconds
        guard walks.isDue(at: start, isMemoryShort: isShort, isLoadLow: load.isLow) else { return }
        kept = ResidentMemory.allocator().kept
        given = min(given, kept)
        walks.note(from: start, to: DispatchTime.now().uptimeNanoseconds)
        ledger.setKept(kept - given)
        ledger.measureNow()
    }

    /// Returns free pages of the allocator to the system when there are many. Threads that
    /// allocate wait until it returns.
    private func trim(restNanoseconds: UInt64) {
        let start = DispatchTime.now().uptimeNanoseconds
        guard start >= trimDueAt, kept - given > ledger.bytesMax / 16 else { return }
        let before = ledger.residentBytes
        ResidentMemory.trim()
        let end = DispatchTime.now().uptimeNanoseconds
        ledger.measureNow()
        // The allocator's figure stays: returned pages are still in its lists.
        let freed = max(0, before - ledger.residentBytes)
        let isInVain = freed < (kept - given) / 4
        given = min(kept, given + freed)
        ledger.setKept(kept - given)
        ledger.measureNow()
        let rest = isInVain ? Self.restInVain : restNanoseconds
        trimDueAt = end &+ max(rest, (end &- start) &* AllocatorWalks.restPerWorkWhenShort)
    }

    private func count() {
        var parts = duties.count()
        let fileBytes = ResidentMemory.fileBytes() ?? 0
        parts[.program] = programBytes + max(0, fileBytes - fileBytesAtStart)
        let counted = parts.reduce(0) { $0 + $1.value }
        // Only a part of the memory that the allocator keeps may be resident.
        let free = min(kept - given, max(0, ledger.residentBytes - counted))
        parts[.allocator] = free
        ledger.setParts(parts)
        if free > ledger.bytesMax / 16, load.isLow { trim(restNanoseconds: Self.restOtherwise) }
    }
}
