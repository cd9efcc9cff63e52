// Finds what an operator has to know of the log on disk, by comparing its counters of two moments.

import SessionLog
import SessionViews
import TraitSessions

/// Finds what has happened to a log since the last look.
package struct StorageReport {
    package enum Event: Equatable, Sendable {
        /// The log takes no commits until the server starts again.
        case stopped(reason: String)
        /// So many writes or flushes failed; those that commits wait for are repeated.
        case flushesFailed(UInt64)
        /// Commits are refused because the disk has too little room.
        case isFull
        /// Commits are taken again. The end of a session counts too, although it needs no room.
        case hasRoom
        /// The log that servers share has not answered for a while.
        case isSilent(Duration)
        /// The log that servers share refuses this one, and why.
        case isRefused(String)
        /// It does so no longer.
        case isPermitted
        /// It answers again.
        case answers
        /// The log keeps less history than usual, since so much of its room is used.
        case isShort(LogSpaceUse)
        case isNoLongerShort(LogSpaceUse)
        /// Snapshots cannot be written; so many since the start, and why the newest one.
        case snapshotsFail(SnapshotFailures)
    }

    private var before = LogStatistics()
    private var isStopped = false
    private var isFull = false
    private var isSilent = false
    private var isShort = false
    private var isRefused = false
    /// Snapshot failures at the last look, and the one that was reported last.
    private var failures: UInt64 = 0
    private var reportedFailure = ""

    package init() {}

    /// To be called about once a second, with the log's counters, `trouble` and `contact` of now, and the snapshots
    /// that could not be written. O(1).
    package mutating func events(
        of statistics: LogStatistics, trouble: String?, contact: LogContact? = nil,
        snapshots: SnapshotFailures = SnapshotFailures()
    ) -> [Event] {
        defer { before = statistics }
        var events: [Event] = []
        let failed = statistics.failedFlushes &- before.failedFlushes
        if failed > 0 { events.append(.flushesFailed(failed)) }
        if statistics.refusedForSpace > before.refusedForSpace {
            if !isFull { events.append(.isFull) }
            isFull = true
        } else if isFull, statistics.entries > before.entries {
            events.append(.hasRoom)
            isFull = false
        }
        if let trouble, !isStopped {
            events.append(.stopped(reason: trouble))
            isStopped = true
        }
        let silence = contact?.silence ?? .zero
        if (silence > TraitService.silenceMax) != isSilent {
            isSilent.toggle()
            events.append(isSilent ? .isSilent(silence) : .answers)
        }
        let refusal = contact?.refusal
        if (refusal != nil) != isRefused {
            isRefused.toggle()
            events.append(refusal.map { .isRefused($0) } ?? .isPermitted)
        }
        if let space = contact?.space, space.isShort != isShort {
            isShort.toggle()
            events.append(isShort ? .isShort(space) : .isNoLongerShort(space))
        }
        // A cause is reported once, and again after a snapshot was written.
        if statistics.snapshots > before.snapshots { reportedFailure = "" }
        if snapshots.count > failures, snapshots.newest != reportedFailure {
            events.append(.snapshotsFail(snapshots))
            reportedFailure = snapshots.newest
        }
        failures = snapshots.count
        return events
    }
}
