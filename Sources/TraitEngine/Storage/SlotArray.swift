// A place for the few things that are no plain values: labels, definitions to go back to.

/// Values under small numbers that are used again once they are free.
struct SlotArray<Value>: ~Copyable {
    private var slots = Arena<Value?>(minimumCapacity: 1)
    private var free = Arena<Int32>(minimumCapacity: 1)

    init() {}

    init(_ copy: ArenaCopy<Value?>) {
        slots = Arena(copy)
        for slot in 0..<Int32(slots.count) where slots[slot] == nil { _ = free.append(slot) }
    }

    mutating func beginCopy(_ state: SnapshotState) -> ArenaCopy<Value?> { slots.beginCopy(state) }

    mutating func endClosedCopies() { slots.endClosedCopies() }

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
    func replace(_ slot: Int32, _ value: Value) { slots[slot] = value }

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
