// From hashes to places, growing a little with every insertion: rehashing a million entries at
// once would be the longest pause of the whole engine.
//
//   bucket   one cache line: five hashes of 64 bits, five references of 32, how many are used, and
//   passed   how many entries have their home here or before and found no room until behind here
//
// So a search ends where nobody passed, nine times of ten within the line in which it began. And
// an entry can be removed without moving others: it is taken off those it had passed.

/// A multimap from 64-bit hashes to 31-bit references; what a hash says is the caller's to know.
///
/// Open addressing with linear probing, bucket by bucket. A home is `hash >> 32 * buckets >> 32`,
/// so the number of buckets need not be a power of two, and entries move to a new table in the
/// order in which they lie. While it grows there are two tables and every change moves 12 buckets;
/// before, every change asks for one of the new table's huge pages, which takes the system longest.
struct HashIndex: ~Copyable {
    private static let bucketsMin = 4
    private static let movedPerChange = 12

    private var current = HashTable(buckets: bucketsMin)
    private var old: HashTable?
    /// The table to move to, while its memory is being asked for; empty.
    private var next: HashTable?
    private var touched = 0
    /// The first bucket of `old` that is still in use; all before it have moved.
    private var cursor = 0
    private(set) var count = 0
    /// Means nothing: what is read in advance has to be kept somewhere.
    private var approached: UInt32 = 0

    deinit {
        current.deallocate()
        old?.deallocate()
        next?.deallocate()
    }

    /// What a search needs; valid until the index changes.
    struct Reader {
        fileprivate let current: HashTable
        fileprivate let old: HashTable?
        fileprivate let cursor: Int

        /// The first reference under the hash that `matches`. O(1) expected.
        @inline(__always)
        func find(_ hash: UInt64, _ matches: (Int32) -> Bool) -> Int32? {
            if let found = current.find(hash, first: 0, matches) { return found }
            return old?.find(hash, first: cursor, matches)
        }
    }

    @inline(__always)
    var reader: Reader { Reader(current: current, old: old, cursor: cursor) }

    /// The first reference under the hash that `matches`. O(1) expected.
    @inline(__always)
    func find(_ hash: UInt64, _ matches: (Int32) -> Bool) -> Int32? {
        reader.find(hash, matches)
    }

    /// Adds a reference. Amortised O(1), and never more than some hundred steps.
    mutating func insert(_ hash: UInt64, _ reference: Int32) {
        if old != nil {
            moveSome()
        } else if next != nil {
            prepare()
        } else if (count &+ 1) &* 5 > current.slotCount &* 4 {
            startPreparing(current.buckets &+ current.buckets / 2)
        }
        current.place(hash, UInt32(bitPattern: reference) &+ 1)
        count &+= 1
    }

    /// Fetches what several hashes need into the caches, side by side.
    mutating func approach(_ hashes: UnsafeMutableBufferPointer<UInt64>) {
        var bits: UInt32 = 0
        for hash in hashes { bits |= current.approach(current.home(hash)) }
        approached = bits
    }

    /// Fetches what a hash needs into the caches.
    @inline(__always)
    mutating func approach(_ hash: UInt64) {
        approached = current.approach(current.home(hash))
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
        } else if next != nil {
            prepare()
        } else if current.buckets > Self.bucketsMin, count &* 8 < current.slotCount {
            startPreparing(max(Self.bucketsMin, current.buckets / 3))
        }
    }

    private mutating func startPreparing(_ buckets: Int) {
        next = HashTable(buckets: buckets)
        touched = 0
        prepare()
    }

    /// Touches one page more; then moving begins. Until then the old table has room: there are far
    /// fewer pages than free slots.
    private mutating func prepare() {
        guard let table = next else { return }
        touched = table.touch(at: touched)
        if touched < table.byteCount { return }
        old = current
        cursor = 0
        current = table
        next = nil
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
        current.byteCount + (old?.byteCount ?? 0) + (next?.byteCount ?? 0)
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
