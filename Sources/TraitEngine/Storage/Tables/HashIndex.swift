// An index by hashes that grows a little with every insertion: rehashing a million entries at once
// would be the longest pause of the engine.
//
//   bucket   one cache line: five hashes of 64 bits, five references of 32, the count of used slots
//   passed   the number of entries with their home at or before this bucket that lie behind it
//
// A search ends at a bucket that no entry passed, in nine cases of ten the first one. An entry can
// be removed without moving others: the buckets that it passed count one entry less.

/// A multimap from 64-bit hashes to 31-bit references.
///
/// Open addressing with linear probing, bucket by bucket. A home is `hash >> 32 * buckets >> 32`,
/// so the number of buckets need not be a power of two, and entries move to a new table in the
/// order in which they lie. While it grows there are two tables, and every change moves 12 buckets.
struct HashIndex: ~Copyable {
    private static let bucketsMin = 1
    private static let movedPerChange = 12

    private var current = HashTable.empty
    private var old: HashTable?
    /// The first bucket of `old` that is still in use; all before it have moved.
    private var cursor = 0
    private(set) var count = 0

    deinit {
        if !current.isEmpty { current.deallocate() }
        old?.deallocate()
    }

    /// The first reference under the hash that `matches`. O(1) expected.
    @inline(__always)
    func find(_ hash: UInt64, _ matches: (Int32) -> Bool) -> Int32? {
        if let found = current.find(hash, first: 0, matches) { return found }
        return old?.find(hash, first: cursor, matches)
    }

    /// Adds a reference. Amortised O(1), and never more than some hundred steps.
    mutating func insert(_ hash: UInt64, _ reference: Int32) {
        if old != nil {
            moveSome()
        } else if current.isEmpty {
            current = HashTable(buckets: Self.bucketsMin)
        } else if (count &+ 1) &* 5 > current.slotCount &* 4 {
            startMoving(to: current.buckets &+ max(1, current.buckets / 2))
        }
        current.place(hash, UInt32(bitPattern: reference) &+ 1)
        count &+= 1
    }

    /// Removes a reference that is there. O(1) expected.
    mutating func remove(_ hash: UInt64, _ reference: Int32) {
        let tag = UInt32(bitPattern: reference) &+ 1
        if !current.remove(hash, tag, first: 0) {
            let isThere = old?.remove(hash, tag, first: cursor) ?? false
            precondition(isThere, "not in the index")
        }
        count &-= 1
        if old != nil {
            moveSome()
        } else if current.buckets > Self.bucketsMin, count &* 8 < current.slotCount {
            startMoving(to: max(Self.bucketsMin, current.buckets / 3))
        }
    }

    private mutating func startMoving(to buckets: Int) {
        old = current
        cursor = 0
        current = HashTable(buckets: buckets)
        moveSome()
    }

    /// Empties the next buckets, and gives some pages of emptied ones back at a time.
    private mutating func moveSome() {
        guard let table = old else { return }
        let end = min(cursor &+ Self.movedPerChange, table.buckets)
        while cursor < end {
            table.moveEntries(of: cursor, to: current)
            cursor &+= 1
            let discarded = table.discardedBuckets
            if cursor & (discarded &- 1) == 0 { table.discard(cursor &- discarded..<cursor) }
        }
        if cursor == table.buckets {
            table.deallocate()
            old = nil
        }
    }

    var byteCount: Int {
        (current.isEmpty ? 0 : current.byteCount) + (old?.byteCount ?? 0)
    }
    var isMoving: Bool { old != nil }

    /// The first thing in which the tables contradict themselves; nil when all is well. O(size).
    var fault: String? {
        var entries = 0
        for (table, start) in [(current, 0)] + (old.map { [($0, cursor)] } ?? []) {
            if let fault = table.fault(first: start) { return fault }
            entries += table.entryCount
        }
        return entries == count ? nil : "\(entries) entries, \(count) counted"
    }
}
