// What is kept of a long sequence: new elements come at one end, old ones go at the other, one at a
// time. An array that is cut when half of it is dead frees thousands of elements at once, and whoever
// appends just then waits for all of them.

/// A first-in, first-out queue over a ring that grows and never shrinks. A plain value; inlinable, so that
/// other modules have it for their own elements.
package struct WindowQueue<Element> {
    @usableFromInline var slots: ContiguousArray<Element?> = []
    @usableFromInline var first = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { count == 0 }

    /// The element so far behind the oldest, which is 0; `offset` must be less than `count`. O(1).
    @inlinable
    package subscript(offset: Int) -> Element {
        precondition(offset >= 0 && offset < count, "no such element")
        guard let element = slots[slot(offset)] else { preconditionFailure("an empty slot") }
        return element
    }

    @inlinable
    package var oldest: Element? { count > 0 ? self[0] : nil }

    /// Amortised O(1): when the ring is full it is doubled.
    @inlinable
    package mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[slot(count)] = element
        count += 1
    }

    /// Takes out the oldest element, whose storage is free at once if nobody else has it. O(1).
    @inlinable @discardableResult
    package mutating func popOldest() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[first].take()
        first = slot(1)
        count -= 1
        return element
    }

    /// The number of slots is a power of two.
    @inlinable
    func slot(_ offset: Int) -> Int { (first &+ offset) & (slots.count &- 1) }

    @inlinable
    mutating func grow() {
        var larger = ContiguousArray<Element?>()
        larger.reserveCapacity(max(16, slots.count * 2))
        for offset in 0..<count { larger.append(slots[slot(offset)]) }
        while larger.count < max(16, slots.count * 2) { larger.append(nil) }
        slots = larger
        first = 0
    }
}
