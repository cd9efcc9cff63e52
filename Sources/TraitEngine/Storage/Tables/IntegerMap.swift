// Finds the journal entry of a node or value within one transaction. Emptying it is one increment:
// with a dictionary a commit of one override takes 4,160 instructions instead of 1,970.

/// A map from integers to 32-bit positions, open addressing, emptied in O(1).
struct IntegerMap: ~Copyable {
    private struct Entry {
        var key: UInt64
        var value: Int32
        /// The entry counts when this is the map's epoch.
        var epoch: UInt32
    }

    private var entries: UnsafeMutablePointer<Entry>
    /// A power of two.
    private var capacity: Int
    private var epoch: UInt32 = 1
    private(set) var count = 0

    private static let capacityMin = 4
    /// Memory of an unusually large transaction is given back.
    private static let capacityMax = 65_536

    init() {
        capacity = Self.capacityMin
        entries = Self.allocate(capacity)
    }

    deinit { entries.deallocate() }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: 0, value: 0, epoch: 0), count: capacity)
        return entries
    }

    @inline(__always)
    private func position(_ key: UInt64) -> Int {
        let product = (key &+ 1) &* 0x9E37_79B9_7F4A_7C15
        // The high bits, as many as positions need.
        let shift = UInt64(truncatingIfNeeded: capacity.leadingZeroBitCount &+ 1)
        return Int(truncatingIfNeeded: product &>> shift) & (capacity &- 1)
    }

    subscript(key: UInt64) -> Int32? {
        var slot = position(key)
        while entries[slot].epoch == epoch {
            if entries[slot].key == key { return entries[slot].value }
            slot = (slot &+ 1) & (capacity &- 1)
        }
        return nil
    }

    /// Adds a key that is not there. Amortised O(1).
    mutating func insert(_ key: UInt64, _ value: Int32) {
        if count &* 2 >= capacity { resize(capacity &* 2) }
        place(Entry(key: key, value: value, epoch: epoch))
        count &+= 1
    }

    @inline(__always)
    private func place(_ entry: Entry) {
        var slot = position(entry.key)
        while entries[slot].epoch == epoch { slot = (slot &+ 1) & (capacity &- 1) }
        entries[slot] = entry
    }

    @inline(never)
    private mutating func resize(_ wanted: Int) {
        let (old, oldCapacity) = (entries, capacity)
        entries = Self.allocate(wanted)
        capacity = wanted
        for slot in 0..<oldCapacity where old[slot].epoch == epoch { place(old[slot]) }
        old.deallocate()
    }

    mutating func removeAll() {
        count = 0
        if capacity > Self.capacityMax || epoch == .max {
            entries.deallocate()
            self.entries = Self.allocate(Self.capacityMin)
            capacity = Self.capacityMin
            epoch = 1
        } else {
            epoch &+= 1
        }
    }
}
