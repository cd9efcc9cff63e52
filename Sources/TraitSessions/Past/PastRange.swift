// Which revisions of a session can still be read, and which one a time means.

import TraitEngine

/// A revision and its time.
package struct PastPlace: Sendable {
    package let revision: Int64
    /// Milliseconds since 1970; nil where the commit is not retained.
    package let time: Int64?
}

/// The revision that a request reads.
package enum PastTarget: Sendable {
    case revision(Int64)
    /// Milliseconds since 1970: the newest revision at or before this time.
    case time(Int64)
}

extension SessionState {
    /// The oldest revision that can be rebuilt. With a log this is the oldest retained commit: the log has a
    /// snapshot at or before it. O(bases).
    package var oldestPast: PastPlace {
        let oldest = oldestRetained
        if oldest == 1 { return PastPlace(revision: 1, time: retained[1]?.entry.time) }
        let newest = PastPlace(revision: acknowledged, time: queue.acknowledgedTime)
        guard log == nil else {
            // The first entry of a session from a long document is in the log and not in the window.
            if oldest == 2 { return PastPlace(revision: 1, time: createdAt) }
            return retained[oldest].map { PastPlace(revision: oldest, time: $0.entry.time) }
                ?? newest
        }
        return upkeep.past.bases?.withBases { bases in
            bases.first { $0.revision + 1 >= oldest }.map {
                PastPlace(revision: $0.revision, time: $0.time)
            }
        } ?? newest
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
                    "The session '\(name)' is at revision \(newest). Ask for an older one, or leave `revision` out."
                ).with("currentRevision", newest)
            }
            if revision < oldestPast.revision { throw pastGone }
            return revision
        case .time(let time):
            let oldest = oldestPast
            if let begun = oldest.time, time < begun { throw pastGone }
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
                : "The oldest revision of the session '\(name)' that can be read is \(oldest.revision). --retained-commits-max and the options beside it say how many commits are kept."
        ).with("oldestRevision", oldest.revision)
        return oldest.time.map { error.with("oldestTime", Timestamp.text($0)) } ?? error
    }
}
