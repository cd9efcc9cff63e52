// One session as this process knows it.

import Background
import SessionLog

struct MirroredSession {
    let session: LogSession
    /// The revision of etcd that made the session, as far as known: of two sessions of one name, the later
    /// one has the name.
    let madeAt: Int64
    /// The entries that were not truncated; revisions are consecutive and end with `head`.
    private(set) var entries: ArraySlice<LogEntry> = []
    private(set) var head: Int64
    private(set) var headChecksum: UInt64
    /// When the session's tombstone came here; nil while it lives.
    private(set) var endedAt: Uptime?
    /// The checksum of the entry before the oldest one that is here.
    private(set) var baseChecksum: UInt64
    /// The session's snapshots, as far as known: other replicas write some, too.
    private(set) var list: SnapshotList
    /// Why the session stays where it is: an entry that cannot be read or does not follow.
    var failure: LogFailure?

    /// A session of which nothing but its snapshots is here.
    init(_ session: LogSession, madeAt: Int64, _ list: SnapshotList = SnapshotList()) {
        self.session = session
        self.madeAt = madeAt
        self.list = list
        head = list.base
        headChecksum = list.baseChecksum
        baseChecksum = list.baseChecksum
    }

    var isDeleted: Bool { endedAt != nil }

    var base: Int64 { head - Int64(entries.count) }

    var bounds: LogBounds? {
        head > 0 ? LogBounds(oldest: base &+ 1, head: head, isDeleted: isDeleted) : nil
    }

    func checksum(of revision: Int64) -> UInt64? {
        if revision == base { return baseChecksum }
        guard revision > base, revision <= head else { return nil }
        return entries[entries.startIndex + Int(revision - base) - 1].checksum
    }

    func tail(after revision: Int64, limit: Int) -> [LogEntry] {
        guard limit > 0, revision < head else { return [] }
        return Array(entries.dropFirst(Int(max(revision, base) - base)).prefix(limit))
    }

    /// Whether the truncated entries end with a tombstone, which `entries` does not tell then.
    mutating func noteDeleted() { endedAt = endedAt ?? .now }

    /// Takes the entries that follow the head, out of consecutive ones.
    ///
    /// - Returns: the entries that are new; nil when some are missing before them.
    /// - Throws: `damaged` when they do not follow the chain.
    mutating func take(_ list: [LogEntry]) throws(LogFailure) -> [LogEntry]? {
        let new = list.drop { $0.revision <= head }
        guard let first = new.first, let last = new.last else { return [] }
        guard head < .max, first.revision == head + 1 else { return nil }
        guard first.previous == headChecksum, !isDeleted else {
            throw LogFailure(
                .damaged(session: session, revision: first.revision), LogAppend.brokenChain(first))
        }
        entries += new
        head = last.revision
        headChecksum = last.checksum
        if last.kind == .tombstone { noteDeleted() }
        return Array(new)
    }

    /// Takes a newer list, and drops the entries up to its base.
    mutating func note(_ newer: SnapshotList) {
        guard newer.base >= list.base else { return }
        list = newer
        truncate(through: newer.base)
    }

    private mutating func truncate(through revision: Int64) {
        guard revision > base, let checksum = checksum(of: min(revision, head)) else { return }
        let count = Int(min(revision, head) - base)
        entries = ArraySlice(Array(entries.dropFirst(count)))
        baseChecksum = checksum
    }
}
