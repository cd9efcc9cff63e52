// The newest commits as a feed's streams send them: streams with equal filters send equal bytes, so
// they are written once, and a stream that is woken for the newest commit needs nothing else.

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
        /// Nothing that concerns the feed happened after this revision and before the commit's.
        var after: Int64
        let revision: Int64
        let records: any FramedRecords
        /// What the commit adds to the digest of a cache; 0 without digest.
        let digestDelta: UInt64
        /// Milliseconds of the monotonic clock.
        let writtenAt: Int64
        /// The commit's.
        let decidedAt: UInt64
    }

    /// Streams that are some commits behind each other find theirs here; a lone one has no use for
    /// more than the newest, and there may be thousands of those, each with a feed of its own.
    private static let commitsMax = 8
    private static let bytesMax = 131_072
    /// Longer records are kept only where another stream may come for them: thousands of feeds with one
    /// stream each would keep as many copies of one long value.
    private static let loneBytesMax = 4_096

    /// The newest last.
    private var commits: [Commit] = []
    private var bytes = 0
    /// The newest commit that concerns the feed, of those since the feed was made.
    private(set) var newestRevision: Int64 = 0
    private var hasEnded = false
    /// How many streams may come for the same records.
    var readers = 0
    /// Another one whenever the set of registrations and watches changed.
    var setVersion = 0

    /// To be called before those who listen are woken.
    mutating func happened(_ revision: Int64) { newestRevision = revision }

    mutating func end() { hasEnded = true }

    /// The records of the newest commit, if they are all that is left after `position`. O(1).
    ///
    /// - Parameter version: of the set that the stream knows; nil when it does not matter.
    func latest(_ key: Key, after position: Int64, version: Int? = nil) -> Commit? {
        guard !hasEnded, version ?? setVersion == setVersion else { return nil }
        for commit in commits.reversed() where commit.revision == newestRevision {
            guard commit.key == key else { continue }
            return commit.after <= position && position < commit.revision ? commit : nil
        }
        return nil
    }

    /// The records of a commit that comes next after `position`. O(1).
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
        // One that catches up with what is long past must not take the place of what all want.
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
