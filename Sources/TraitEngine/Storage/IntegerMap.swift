// Finds the journal entry of a node or value within one transaction. Forgetting everything is
// one increment, so that a transaction of one operation pays for one.

/// A map from integers to 32-bit positions, open addressing, emptied in O(1).
struct IntegerMap {
    private struct Entry {
        var key: UInt64
        var value: Int32
        /// The entry counts when this is the map's epoch.
        var epoch: UInt32
    }

    private var entries: [Entry]
    private var epoch: UInt32 = 1
    private(set) var count = 0

    init() {
        entries = Array(repeating: Entry(key: 0, value: 0, epoch: 0), count: 16)
    }

    private func position(_ key: UInt64) -> Int {
        let product = (key &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let shift = UInt64(entries.count.leadingZeroBitCount + 1)
        return Int(truncatingIfNeeded: product &>> shift) & (entries.count &- 1)
    }

    subscript(key: UInt64) -> Int32? {
        var slot = position(key)
        while entries[slot].epoch == epoch {
            if entries[slot].key == key { return entries[slot].value }
            slot = (slot + 1) & (entries.count &- 1)
        }
        return nil
    }

    /// Adds a key that is not there.
    mutating func insert(_ key: UInt64, _ value: Int32) {
        if count * 2 >= entries.count { grow() }
        place(Entry(key: key, value: value, epoch: epoch))
        count += 1
    }

    private mutating func place(_ entry: Entry) {
        var slot = position(entry.key)
        while entries[slot].epoch == epoch { slot = (slot + 1) & (entries.count &- 1) }
        entries[slot] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(
            repeating: Entry(key: 0, value: 0, epoch: 0), count: old.count * 2)
        for entry in old where entry.epoch == epoch { place(entry) }
    }

    /// Memory of an unusually large transaction is given back.
    mutating func removeAll() {
        if entries.count > 65_536 {
            self = IntegerMap()
            return
        }
        count = 0
        if epoch == .max {
            self = IntegerMap()
        } else {
            epoch += 1
        }
    }
}
