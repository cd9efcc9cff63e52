// The window of acknowledged commits that streams can resume from.

import SessionLog

/// Contiguous revisions, oldest first; bounded by count and by bytes. Confined by the session's
/// lock.
struct RetainedCommits {
    private var commits = WindowQueue<RetainedCommit>()
    private(set) var bytes = 0
    private let commitsMax: Int
    private let bytesMax: Int

    init(limits: ServiceLimits) {
        commitsMax = max(1, limits.retainedCommitsMax)
        bytesMax = limits.retainedBytesMax
    }

    var count: Int { commits.count }
    var oldestRevision: Int64? { commits.oldest?.revision }

    /// Amortised O(1). Returns the revision up to which the window moved on, if it did.
    mutating func append(_ commit: RetainedCommit) -> Int64? {
        // Only the first commit of a session can be this; the window begins after it.
        guard commit.isWhole else { return commit.revision }
        commits.append(commit)
        bytes += commit.byteCount
        var dropped: Int64?
        while count > commitsMax || (bytes > bytesMax && count > 1),
            let oldest = commits.popOldest()
        {
            dropped = oldest.revision
            bytes -= oldest.byteCount
        }
        return dropped
    }

    /// The retained commit of that revision. O(1).
    subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[Int(revision - oldest)]
    }
}
