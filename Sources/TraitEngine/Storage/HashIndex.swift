// From hashes to places, growing a little with every insertion: rehashing a million entries at
// once would be the longest pause of the whole engine.

/// A multimap from 32-bit hashes to 32-bit references; equality is the caller's to decide.
///
/// Open addressing with linear probing. An entry's home is `hash * capacity >> 32`, so capacities
/// need not be powers of two and entries move to a new table in the order in which they lie.
/// While it grows there are two tables and every change moves 64 entries of the old one.
struct HashIndex: ~Copyable {
    struct Entry: BitwiseCopyable {
        var hash: UInt32
        /// The reference plus one, so that zeroed memory is empty.
        var tag: UInt32

        /// In the old table: removed, but others may have been placed behind it.
        static let removed = UInt32.max
    }

    struct Table {
        var entries: UnsafeMutablePointer<Entry>
        var capacity: Int

        init(capacity: Int) {
            let bytes = capacity * MemoryLayout<Entry>.stride
            entries = Memory.allocate(bytes, isZeroed: true)
                .bindMemory(to: Entry.self, capacity: capacity)
            self.capacity = capacity
        }

        func deallocate() {
            Memory.deallocate(entries, capacity * MemoryLayout<Entry>.stride)
        }

        @inline(__always)
        func home(_ hash: UInt32) -> Int {
            Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(capacity)) &>> 32)
        }

        @inline(__always)
        func next(_ slot: Int) -> Int { slot &+ 1 == capacity ? 0 : slot &+ 1 }

        func place(_ entry: Entry) {
            var slot = home(entry.hash)
            while entries[slot].tag != 0 { slot = next(slot) }
            entries[slot] = entry
        }
    }

    private static let capacityMin = 32
    private static let movedPerChange = 64
    /// A multiple of `movedPerChange`, and of the slots in a page.
    private static let discardedSlots = 8_192

    private var current = Table(capacity: capacityMin)
    private var old: Table?
    /// The first slot of `old` that was not looked at yet; all before it have moved.
    private var cursor = 0
    private(set) var count = 0
    /// Means nothing: what is read in advance has to be kept somewhere.
    private var approached: UInt32 = 0

    deinit {
        current.deallocate()
        old?.deallocate()
    }

    /// The first reference under the hash that `matches`. O(1) expected.
    @inline(__always)
    func find(_ hash: UInt32, _ matches: (Int32) -> Bool) -> Int32? {
        let home = current.home(hash)
        if let found = Self.find(hash, in: current, from: home, matches) { return found }
        guard let old else { return nil }
        // Slots before the cursor read as empty, those behind were probed past them.
        let start = max(old.home(hash), cursor)
        return Self.find(hash, in: old, from: start, matches)
    }

    @inline(__always)
    private static func find(
        _ hash: UInt32, in table: Table, from start: Int, _ matches: (Int32) -> Bool
    ) -> Int32? {
        var slot = start
        while true {
            let entry = table.entries[slot]
            if entry.tag == 0 { return nil }
            if entry.hash == hash, entry.tag != Entry.removed {
                let reference = Int32(bitPattern: entry.tag &- 1)
                if matches(reference) { return reference }
            }
            slot = table.next(slot)
        }
    }

    mutating func insert(_ hash: UInt32, _ reference: Int32) {
        if old != nil { moveSome() }
        if (count &+ 1) &* 5 > current.capacity &* 4, old == nil {
            startMoving(to: current.capacity &+ current.capacity / 2)
        }
        current.place(Entry(hash: hash, tag: UInt32(bitPattern: reference) &+ 1))
        count &+= 1
    }

    /// Fetches the entries at the homes of several hashes into the caches, side by side.
    mutating func approach(_ hashes: UnsafeMutableBufferPointer<UInt32>) {
        var bits: UInt32 = 0
        for hash in hashes { bits |= current.entries[current.home(hash)].tag }
        approached = bits
    }

    /// Removes a reference that is there.
    mutating func remove(_ hash: UInt32, _ reference: Int32) {
        let tag = UInt32(bitPattern: reference) &+ 1
        if !removeFromCurrent(hash, tag), let old {
            var slot = max(old.home(hash), cursor)
            while old.entries[slot].tag != tag {
                precondition(old.entries[slot].tag != 0, "not in the index")
                slot = old.next(slot)
            }
            old.entries[slot].tag = Entry.removed
        }
        count &-= 1
        if old != nil {
            moveSome()
        } else if current.capacity > Self.capacityMin, count &* 8 < current.capacity {
            startMoving(to: max(Self.capacityMin, current.capacity / 3))
        }
    }

    /// Takes the entry out and closes the gap, so that no marks are left behind.
    private func removeFromCurrent(_ hash: UInt32, _ tag: UInt32) -> Bool {
        let table = current
        var slot = table.home(hash)
        while table.entries[slot].tag != tag {
            if table.entries[slot].tag == 0 {
                precondition(old != nil, "not in the index")
                return false
            }
            slot = table.next(slot)
        }
        var gap = slot
        var next = table.next(gap)
        while table.entries[next].tag != 0 {
            let home = table.home(table.entries[next].hash)
            // The entry may fill the gap unless its home lies cyclically behind the gap.
            let distance = next &- home &+ (next < home ? table.capacity : 0)
            let reach = next &- gap &+ (next < gap ? table.capacity : 0)
            if distance >= reach {
                table.entries[gap] = table.entries[next]
                gap = next
            }
            next = table.next(next)
        }
        table.entries[gap] = Entry(hash: 0, tag: 0)
        return true
    }

    private mutating func startMoving(to capacity: Int) {
        old = current
        cursor = 0
        current = Table(capacity: capacity)
        moveSome()
    }

    /// Slots that were moved are emptied, a few pages at a time given back at once.
    private mutating func moveSome() {
        guard let table = old else { return }
        let end = min(cursor &+ Self.movedPerChange, table.capacity)
        while cursor < end {
            let entry = table.entries[cursor]
            if entry.tag != 0 {
                if entry.tag != Entry.removed { current.place(entry) }
                table.entries[cursor].tag = 0
            }
            cursor &+= 1
        }
        if cursor == table.capacity {
            table.deallocate()
            old = nil
        } else if cursor & (Self.discardedSlots &- 1) == 0 {
            let stride = MemoryLayout<Entry>.stride
            let start = (cursor &- Self.discardedSlots) &* stride
            Memory.discard(
                table.entries, start..<cursor &* stride, of: table.capacity &* stride)
        }
    }

    var byteCount: Int {
        (current.capacity + (old?.capacity ?? 0)) * MemoryLayout<Entry>.stride
    }
    var isMoving: Bool { old != nil }
}
