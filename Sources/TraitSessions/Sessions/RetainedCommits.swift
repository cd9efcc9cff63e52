// The window of acknowledged commits that streams can resume from.

import DequeModule
import SessionLog

/// Contiguous revisions, oldest first. Beyond a minimal count, the window is bounded by count, bytes and age.
package struct RetainedCommits {
    private var commits = Deque<RetainedCommit>()
    package private(set) var bytes = 0
    /// The bytes of all commits that were ever appended.
    private(set) var bytesTaken = 0
    /// The time of the newest commit that was appended; 0 before. Kept, as a look at the commit would retain it.
    private var newestTime: Int64 = 0
    /// So many commits stay whatever their bytes and age.
    private let commitsMin: Int
    private let commitsMax: Int
    private let bytesMax: Int
    private let ageMax: Int64

    init(limits: ServiceLimits) {
        commitsMax = max(1, limits.retainedCommitsMax)
        commitsMin = min(max(1, limits.retainedCommitsMin), commitsMax)
        bytesMax = limits.retainedBytesMax
        ageMax = limits.retainedAgeMilliseconds
    }

    package var count: Int { commits.count }
    package var oldestRevision: Int64? { commits.first?.revision }

    /// The oldest retained commit.
    var oldest: RetainedCommit? { commits.first }

    /// Amortised O(1).
    mutating func append(_ commit: RetainedCommit) {
        // Only the first commit of a session can be this; the window begins after it. A first commit
        // that outgrows the window is left out too: no stream existed before it.
        guard commit.isWhole, commit.revision > 1 || commit.byteCount <= bytesMax else { return }
        // Age counts from the commit before, so that no commit is dropped at once when the clock jumps ahead.
        let oldestTime = newestTime - ageMax
        newestTime = commit.entry.time
        commits.append(commit)
        let added = commit.byteCount
        bytes += added
        bytesTaken &+= added
        while count > commitsMin, let first = commits.first,
            count > commitsMax || bytes > bytesMax || first.entry.time < oldestTime,
            let oldest = commits.popFirst()
        {
            bytes -= oldest.byteCount
        }
    }

    /// Drops the oldest commits until the window has at most so many bytes, for a process that is short of memory;
    /// the newest stays. Returns what was dropped, to be let go without any lock. O(dropped).
    mutating func shrink(to bytesMax: Int) -> [RetainedCommit] {
        var dropped: [RetainedCommit] = []
        while bytes > bytesMax, count > 1, let oldest = commits.popFirst() {
            bytes -= oldest.byteCount
            dropped.append(oldest)
        }
        return dropped
    }

    /// How many of the commits are older than a time. Times of commits never go back. O(log commits).
    package func count(before time: Int64) -> Int {
        commits.firstPlace { $0.entry.time >= time }
    }

    /// The retained commit of that revision. O(1).
    package subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[Int(revision - oldest)]
    }
}

/// The commit to which the history of a session reaches back.
package struct OldestCommit: Sendable {
    package let revision: Int64
    /// Milliseconds since 1970.
    package let time: Int64
}

extension SessionState {
    /// The oldest retained commit; the newest commit when none is retained. A frozen session has that of its
    /// origin.
    package var oldestCommit: OldestCommit {
        if let entry = streams.retained.oldest?.entry {
            return OldestCommit(revision: entry.revision, time: entry.time)
        }
        return streams.oldestOfOrigin
            ?? OldestCommit(revision: max(1, head), time: max(queue.headTime, createdAt))
    }
}
