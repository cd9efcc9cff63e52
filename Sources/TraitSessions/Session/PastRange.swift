// Which revisions of a session can still be read, and which one a time means.

import SessionLog
import TraitEngine
import TraitJSON

/// A revision and its time.
package struct PastPlace: Sendable {
    package let revision: Int64
    /// Milliseconds since 1970.
    package let time: Int64

    init(revision: Int64, time: Int64) {
        self.revision = revision
        self.time = time
    }

    init(_ entry: LogEntry) { self.init(revision: entry.revision, time: entry.time) }
}

/// The revision that a request reads.
package enum PastTarget: Sendable {
    case revision(Int64)
    /// Milliseconds since 1970: the newest revision at or before this time.
    case time(Int64)
}

extension SessionState {
    /// The oldest revision that can be rebuilt. A frozen session has that of its origin. O(bases).
    package var oldestPast: PastPlace {
        if let origin = streams.oldestOfOrigin { return origin }
        let window = streams.retained.oldest.map { PastPlace($0.entry) }
        let newest = PastPlace(
            revision: max(1, acknowledged), time: max(queue.acknowledgedTime, createdAt))
        // With a log there is a snapshot at or before the oldest retained commit, unless the log is short of space.
        let begun =
            log == nil
            ? oldestBase : upkeep.past.logged ?? PastPlace(revision: 0, time: createdAt)
        guard let begun else { return newest }
        guard let window else { return begun.revision > 0 ? begun : newest }
        // The first commit of a session from a long document is not retained.
        if window.revision == 2, begun.revision <= 1 {
            return PastPlace(revision: 1, time: createdAt)
        }
        return window.revision >= begun.revision ? window : begun
    }

    /// The oldest commit of which it is known what it replaced.
    package var oldestWithPrevious: Int64 {
        guard log == nil, let base = oldestBase else { return oldestPast.revision }
        return max(oldestRetained, base.revision + 1)
    }

    /// In a session without a log, the state before all commits that the past is rebuilt with: of a base, or, as
    /// revision 0, the empty session.
    private var oldestBase: PastPlace? {
        let first = streams.retained.oldestForPast?.revision ?? head + 1
        if first == 1 { return PastPlace(revision: 0, time: createdAt) }
        let base = upkeep.past.bases?.oldest(thatReaches: first)
        return base.map { PastPlace(revision: $0.revision, time: $0.time) }
    }

    /// The time of a revision, where it is known; otherwise that of the oldest one that is.
    package func time(of revision: Int64) -> Int64 {
        if let commit = retained[revision] { return commit.entry.time }
        if revision == acknowledged { return queue.acknowledgedTime }
        return oldestPast.time
    }

    /// The revision that a request means. O(log retained commits).
    ///
    /// - Throws: `revisionAhead`, `historyGone`.
    package func pastRevision(_ target: PastTarget) throws(SessionError) -> Int64 {
        let newest = acknowledged
        switch target {
        case .revision(let revision):
            if revision == newest { return newest }
            if revision > newest {
                throw SessionError(
                    .revisionAhead,
                    "The session '\(name)' is at revision \(newest), and revision \(revision) has not happened yet. Name revision \(newest) or an older one."
                ).with("currentRevision", newest)
            }
            if revision < oldestPast.revision { throw pastGone }
            return revision
        case .time(let time):
            let oldest = oldestPast
            if time < oldest.time { throw pastGone }
            if time >= queue.acknowledgedTime { return newest }
            let found = oldestRetained + Int64(retained.count(before: time + 1)) - 1
            return max(oldest.revision, min(found, newest))
        }
    }

    /// The error for a revision that cannot be read any more.
    package var pastGone: SessionError {
        let oldest = oldestPast
        let error = SessionError(
            .historyGone,
            oldest.revision <= 1
                ? "The session '\(name)' begins with revision \(oldest.revision)."
                : "The oldest revision of the session '\(name)' that can be read is \(oldest.revision). --limit retained-commits-max and the limits beside it say how many commits are kept."
        ).with("oldestRevision", oldest.revision)
        return error.with("oldestTime", Timestamp.text(oldest.time))
    }
}
