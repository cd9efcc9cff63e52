// The window of acknowledged commits that streams can resume from.

/// Contiguous revisions, oldest first; bounded by count and by bytes. Confined by the session's
/// lock.
struct RetainedCommits {
    private var commits: [RetainedCommit] = []
    private var first = 0
    private(set) var bytes = 0
    private let commitsMax: Int
    private let bytesMax: Int

    init(limits: ServiceLimits) {
        commitsMax = max(1, limits.retainedCommitsMax)
        bytesMax = limits.retainedBytesMax
    }

    var count: Int { commits.count - first }
    var oldestRevision: Int64? { count > 0 ? commits[first].revision : nil }

    /// Amortised O(1). Returns the revision up to which the window moved on, if it did.
    mutating func append(_ commit: RetainedCommit) -> Int64? {
        // Only the first commit of a session can be this; the window begins after it.
        guard commit.isWhole else { return commit.revision }
        commits.append(commit)
        bytes += commit.byteCount
        var dropped: Int64?
        while count > commitsMax || (bytes > bytesMax && count > 1) {
            dropped = commits[first].revision
            bytes -= commits[first].byteCount
            first += 1
        }
        if first > 256, first > commits.count / 2 {
            commits.removeFirst(first)
            first = 0
        }
        return dropped
    }

    /// The retained commit of that revision. O(1).
    subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[first + Int(revision - oldest)]
    }
}
