// The window of acknowledged commits that streams can resume from.

import DequeModule
import SessionLog

/// Contiguous revisions, oldest first; bounded by count and by bytes. Confined by the session's
/// lock.
package struct RetainedCommits {
    private var commits = Deque<RetainedCommit>()
    package private(set) var bytes = 0
    /// Revisions up to here have left the window, and so many bytes of them since the log was
    /// truncated last.
    private var droppedThrough: Int64 = 0
    private var truncatedThrough: Int64 = 0
    private var droppedBytes = 0
    private let commitsMax: Int
    private let bytesMax: Int
    private let ageMax: Int64

    init(limits: ServiceLimits) {
        commitsMax = max(1, limits.retainedCommitsMax)
        bytesMax = limits.retainedBytesMax
        ageMax = limits.retainedAgeMilliseconds
    }

    package var count: Int { commits.count }
    package var oldestRevision: Int64? { commits.first?.revision }

    /// Amortised O(1).
    mutating func append(_ commit: RetainedCommit) {
        // Only the first commit of a session can be this; the window begins after it. A first commit
        // that outgrows the window is left out too: no stream existed before it.
        guard commit.isWhole, commit.revision > 1 || commit.byteCount <= bytesMax else {
            droppedThrough = commit.revision
            droppedBytes += commit.byteCount
            return
        }
        commits.append(commit)
        bytes += commit.byteCount
        let oldestTime = commit.entry.time - ageMax
        while let first = commits.first,
            count > commitsMax || (bytes > bytesMax && count > 1)
                || (first.entry.time < oldestTime && count > 1),
            let oldest = commits.popFirst()
        {
            droppedThrough = oldest.revision
            droppedBytes += oldest.byteCount
            bytes -= oldest.byteCount
        }
    }

    /// Drops the oldest commits until the window has at most so many bytes; the newest stays. Returns what
    /// was dropped, to be let go without any lock. O(dropped).
    mutating func shrink(to bytesMax: Int) -> [RetainedCommit] {
        var dropped: [RetainedCommit] = []
        while bytes > bytesMax, count > 1, let oldest = commits.popFirst() {
            droppedThrough = oldest.revision
            droppedBytes += oldest.byteCount
            bytes -= oldest.byteCount
            dropped.append(oldest)
        }
        return dropped
    }

    /// The revision through which a log that ends with the process may be truncated, when that is
    /// worth a call: a call for each commit would cost as much as the append.
    mutating func takeTruncation() -> Int64? {
        guard
            droppedThrough - truncatedThrough >= Self.truncatedCommits
                || droppedBytes >= Self.truncatedBytes
        else { return nil }
        truncatedThrough = droppedThrough
        droppedBytes = 0
        return droppedThrough
    }

    private static let truncatedCommits: Int64 = 64
    private static let truncatedBytes = 262_144

    /// The retained commit of that revision. O(1).
    package subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[Int(revision - oldest)]
    }
}
