// The window of acknowledged commits that streams can resume from.

import DequeModule
import SessionLog

/// Contiguous revisions, oldest first; bounded by count and by bytes.
package struct RetainedCommits {
    private var commits = Deque<RetainedCommit>()
    package private(set) var bytes = 0
    /// The bytes of all commits that were ever appended.
    private(set) var bytesTaken = 0
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
        guard commit.isWhole, commit.revision > 1 || commit.byteCount <= bytesMax else { return }
        commits.append(commit)
        let added = commit.byteCount
        bytes += added
        bytesTaken &+= added
        let oldestTime = commit.entry.time - ageMax
        while let first = commits.first,
            count > commitsMax || (bytes > bytesMax && count > 1)
                || (first.entry.time < oldestTime && count > 1),
            let oldest = commits.popFirst()
        {
            bytes -= oldest.byteCount
        }
    }

    /// Drops the oldest commits until the window has at most so many bytes; the newest stays. Returns what
    /// was dropped, to be let go without any lock. O(dropped).
    mutating func shrink(to bytesMax: Int) -> [RetainedCommit] {
        var dropped: [RetainedCommit] = []
        while bytes > bytesMax, count > 1, let oldest = commits.popFirst() {
            bytes -= oldest.byteCount
            dropped.append(oldest)
        }
        return dropped
    }

    /// The retained commit of that revision. O(1).
    package subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[Int(revision - oldest)]
    }
}
