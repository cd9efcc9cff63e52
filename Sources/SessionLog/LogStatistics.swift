// Counts of a log's work, for metrics.

import Synchronization

/// Totals since the log was opened.
package struct LogStatistics: Sendable {
    package var batches: UInt64 = 0
    package var entries: UInt64 = 0
    /// Batches by their number of entries: up to 1, 2, 4, 8 … 2^12.
    package var batchesBySize: [UInt64] = []
    /// Flushes by their duration: below 2^n · 64 µs for n = 0, 1, … 15; the last has the others.
    package var flushesByDuration: [UInt64] = []
    /// The sum of all flushes.
    package var flushTime = Duration.zero
    /// Flushes that failed, whether or not a repetition succeeded.
    package var failedFlushes: UInt64 = 0
    /// Appends that were refused because the disk was full or nearly so.
    package var refusedForSpace: UInt64 = 0
    /// Requests that the storage refused, as to a process without a permission.
    package var denied: UInt64 = 0
    /// How often the log was followed anew after a failure.
    package var watchRestarts: UInt64 = 0
    package var checkpoints: UInt64 = 0
    package var snapshots: UInt64 = 0
    /// Bytes of the entries and snapshots that are needed.
    package var logBytes: Int64 = 0
    /// Milliseconds since 1970 of the newest snapshot; 0 before the first.
    package var lastSnapshotAt: Int64 = 0

    package init() {}

    /// The upper bounds of `flushesByDuration` but the last, in microseconds.
    package static let flushBoundsMicroseconds: [Int] = (0..<15).map { 64 << $0 }
    /// The upper bounds of `batchesBySize`.
    package static let sizeBounds: [Int] = (0...12).map { 1 << $0 }
}

/// The counters behind the statistics.
package final class LogCounters: Sendable {
    private let counts: Mutex<LogStatistics>

    package init() {
        var none = LogStatistics()
        none.batchesBySize = Array(repeating: 0, count: LogStatistics.sizeBounds.count)
        none.flushesByDuration = Array(
            repeating: 0, count: LogStatistics.flushBoundsMicroseconds.count + 1)
        counts = Mutex(none)
    }

    package func change(_ body: (inout LogStatistics) -> Void) { counts.withLock { body(&$0) } }

    /// Counts a batch of `count` entries that is on disk after a flush of the time `flush`.
    package func note(entries count: Int, flush: Duration) {
        let size = LogStatistics.sizeBounds.firstIndex { count <= $0 }
        let microseconds = flush / .microseconds(1)
        let bounds = LogStatistics.flushBoundsMicroseconds
        let duration = bounds.firstIndex { microseconds < Double($0) } ?? bounds.count
        change { counts in
            counts.entries += UInt64(count)
            counts.batches += 1
            counts.flushTime += flush
            counts.batchesBySize[size ?? counts.batchesBySize.count - 1] += 1
            counts.flushesByDuration[duration] += 1
        }
    }

    package var statistics: LogStatistics { counts.withLock { $0 } }
}
