// A place for the few things that are no plain values: labels, definitions to go back to.

/// Values under small numbers that are used again once they are free.
struct SlotArray<Value>: ~Copyable {
    private var slots: Arena<Value?>
    private var free: Arena<Int32>

    init() {
        slots = Arena()
        free = Arena()
    }

    init(copying other: inout SlotArray, _ copies: inout SnapshotCopies) {
        slots = Arena(copying: &other.slots, &copies)
        free = Arena(copying: &other.free, &copies)
    }

    mutating func insert(_ value: Value) -> Int32 {
        if let slot = free.popLast() {
            slots[slot] = value
            return slot
        }
        return slots.append(value)
    }

    /// The value at a slot in use; nil for -1 and for free slots.
    subscript(slot: Int32) -> Value? {
        slot >= 0 && Int(slot) < slots.count ? slots[slot] : nil
    }

    /// Replaces the value at a slot in use.
    mutating func replace(_ slot: Int32, _ value: Value) { slots[slot] = value }

    @discardableResult
    mutating func remove(_ slot: Int32) -> Value? {
        guard let value = self[slot] else { return nil }
        slots[slot] = nil
        _ = free.append(slot)
        return value
    }

    var count: Int { slots.count - free.count }
    /// Bytes of the slots, without what the values refer to.
    var heldBytes: Int { slots.heldBytes + free.heldBytes }
    /// Slots in use and free ones.
    var slotCount: Int { slots.count }
}
