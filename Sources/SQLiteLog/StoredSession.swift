// The state of a session that is in memory: the places of its entries and its newest revision.

import DequeModule
import SessionLog

/// Confined to the queue of its log.
package final class StoredSession {
    /// The number that the database has given it.
    let number: Int64
    let session: LogSession
    /// Sequence numbers of the rows of the entries from `base + 1` to `head`, one for each entry.
    var places = Deque<Int64>()
    /// The newest revision, 0 before the first entry.
    package internal(set) var head: Int64 = 0
    var headChecksum: UInt64 = 0
    /// The newest revision that was truncated, and its checksum.
    var base: Int64 = 0
    var baseChecksum: UInt64 = 0
    var isDeleted = false
    /// Complete snapshots, oldest first. Replay can continue from each: none is older than `base`.
    var snapshots: [StoredSnapshot] = []

    init(number: Int64, session: LogSession) {
        self.number = number
        self.session = session
    }

    var oldest: Int64 { base + 1 }

    var bounds: LogBounds { LogBounds(oldest: oldest, head: head, isDeleted: isDeleted) }

    /// Forgets the oldest entry. O(1).
    ///
    /// - Returns: the place of its row, when the row has no other entry that is needed.
    func dropOldest() -> Int64? {
        guard let place = places.popFirst() else { return nil }
        base += 1
        return places.first == place ? nil : place
    }

    /// Ends a session of a log that is only read at an earlier revision: at 0 when nothing of it is that early.
    package func end(at revision: Int64) {
        let last = revision < max(base, 1) ? 0 : min(revision, head)
        places.removeLast(max(0, places.count - Int(max(0, last - base))))
        head = last
    }

    /// The row of the entry of that revision; nil when the log does not have it.
    func place(of revision: Int64) -> Int64? {
        guard revision > base, revision <= head else { return nil }
        return places[Int(revision - base) - 1]
    }
}

/// A snapshot on disk.
struct StoredSnapshot {
    /// The number that the database has given it.
    let number: Int64
    let revision: Int64
    /// The checksum of the revision's entry.
    let checksum: UInt64
    let bytes: Int
    /// Over the payload, by `StoredSnapshot.checksum(of:…)`.
    let payloadChecksum: UInt64

    /// The columns of a row behind its number.
    static let columns = "session, revision, checksum, bytes, payloadChecksum, isComplete"

    static func checksum(
        of payload: UnsafeRawBufferPointer, revision: Int64, after checksum: UInt64
    ) -> UInt64 {
        EntryChecksum.of(
            revision: revision, time: 0, kind: .commit, payload: payload, after: checksum)
    }
}

extension StoredSnapshot {
    /// - Parameter row: the number, and `columns`.
    /// - Throws: damage, for a number that this log does not write.
    init(_ row: Statement) throws(StorageError) {
        self.init(
            number: try row.integer(0, in: Schema.numbers),
            revision: try row.integer(2, in: Schema.revisions), checksum: row.word(3),
            bytes: Int(try row.integer(4, in: Schema.snapshotBytes)), payloadChecksum: row.word(5))
    }
}
