// A place for the few things that are no plain values: labels, definitions to go back to.

/// Values under small numbers that are used again once they are free.
struct SlotArray<Value> {
    private var slots: ContiguousArray<Value?> = []
    private var free: ContiguousArray<Int32> = []

    mutating func insert(_ value: Value) -> Int32 {
        if let slot = free.popLast() {
            slots[Int(slot)] = value
            return slot
        }
        slots.append(value)
        return Int32(truncatingIfNeeded: slots.count - 1)
    }

    /// The value at a slot in use; nil for -1 and for free slots.
    subscript(slot: Int32) -> Value? {
        slot >= 0 && Int(slot) < slots.count ? slots[Int(slot)] : nil
    }

    @discardableResult
    mutating func remove(_ slot: Int32) -> Value? {
        guard slot >= 0, Int(slot) < slots.count, let value = slots[Int(slot)] else { return nil }
        slots[Int(slot)] = nil
        free.append(slot)
        return value
    }

    var count: Int { slots.count - free.count }
}
