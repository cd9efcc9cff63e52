// The newest commits in the form in which a feed's streams send them. Streams with equal filters
// send equal bytes, so each commit is written once. A stream that is woken for the newest commit
// needs no more.

/// Shared by the streams of one feed, on all shards.
struct EncodedRecords {
    struct Key: Hashable {
        let format: RecordFormat
        let withOperations: Bool
        let withDigest: Bool
    }

    /// All records of one commit.
    struct Commit {
        let key: Key
        /// No commit between this revision and the commit's concerns the feed.
        var after: Int64
        let revision: Int64
        let records: any FramedRecords
        /// The difference that the commit makes to the digest of a cache; 0 when no digest is
        /// wanted.
        let digestDelta: UInt64
        /// Milliseconds of `SessionEnvironment.uptime`.
        let writtenAt: Int64
        /// When the commit was decided, see `RetainedCommit.decidedAt`.
        let decidedAt: UInt64
    }

    /// Several commits are kept for streams that are some commits behind each other. A feed with
    /// one stream keeps the newest commit only, as there may be thousands of such feeds.
    private static let commitsMax = 8
    private static let bytesMax = 131_072
    /// Longer records are kept only for feeds with several streams. Thousands of feeds with one
    /// stream each would otherwise keep as many copies of one long value.
    private static let loneBytesMax = 4_096

    /// Commits, the newest last.
    private var commits: [Commit] = []
    private var bytes = 0
    /// The newest commit since the feed was made that concerns the feed.
    private(set) var newestRevision: Int64 = 0
    private var hasEnded = false
    /// How many streams may need the same records.
    var readers = 0
    /// Changes whenever the set of registrations and watches changes.
    var setVersion = 0

    /// Notes a commit that concerns the feed. To be called before the listeners are woken.
    mutating func happened(_ revision: Int64) { newestRevision = revision }

    mutating func end() { hasEnded = true }

    /// The records of the newest commit, if no other commit is left after `position`. O(1).
    ///
    /// - Parameter version: the `setVersion` of the stream's state; nil when any set will do.
    func latest(_ key: Key, after position: Int64, version: Int? = nil) -> Commit? {
        guard !hasEnded, version ?? setVersion == setVersion else { return nil }
        for commit in commits.reversed() where commit.revision == newestRevision {
            guard commit.key == key else { continue }
            return commit.after <= position && position < commit.revision ? commit : nil
        }
        return nil
    }

    /// The records of a commit that is the next one after `position`. O(1).
    mutating func records(
        _ key: Key, of revision: Int64, after position: Int64
    ) -> Commit? {
        for index in commits.indices.reversed()
        where commits[index].revision == revision && commits[index].key == key {
            commits[index].after = min(commits[index].after, position)
            return commits[index]
        }
        return nil
    }

    mutating func keep(_ commit: Commit) {
        // An old commit, of a stream that catches up, must not replace the newest ones.
        if let last = commits.last, last.revision > commit.revision { return }
        if readers < 2, commit.records.count > Self.loneBytesMax {
            commits = []
            bytes = 0
            return
        }
        commits.append(commit)
        bytes += commit.records.count
        let most = min(Self.commitsMax, max(1, readers))
        while commits.count > most || (bytes > Self.bytesMax && commits.count > 1) {
            bytes -= commits.removeFirst().records.count
        }
    }
}
