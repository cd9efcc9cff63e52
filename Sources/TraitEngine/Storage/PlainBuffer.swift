// Lists that every commit fills and empties: they are never shared, so a write needs no check for
// uniqueness, and emptying is O(1).

/// A list of plain values that keeps its memory when it is emptied.
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int
    private var byteCapacity: Int

    init(minimumCapacity: Int = 0) {
        capacity = minimumCapacity
        byteCapacity = capacity * MemoryLayout<Element>.stride
        base = Memory.allocate(byteCapacity, isZeroed: false)
            .bindMemory(to: Element.self, capacity: capacity)
    }

    /// O(elements).
    init(copying other: borrowing PlainBuffer) {
        self.init(minimumCapacity: other.count)
        base.initialize(from: other.base, count: other.count)
        count = other.count
    }

    deinit { Memory.deallocate(base, byteCapacity) }

    var isEmpty: Bool { count == 0 }

    @inline(__always)
    subscript(position: Int) -> Element {
        get {
            precondition(position >= 0 && position < count, "position outside of a buffer")
            return base[position]
        }
        nonmutating _modify {
            precondition(position >= 0 && position < count, "position outside of a buffer")
            yield &base[position]
        }
    }

    /// Amortised O(1).
    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { fit(count &+ 1) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always)
    mutating func popLast() -> Element? {
        if count == 0 { return nil }
        count &-= 1
        return base[count]
    }

    mutating func removeAll() { count = 0 }

    /// The elements; valid until one is added.
    var view: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: base, count: count)
    }

    /// Makes room for so many elements in all; answers where they lie. What is there stays.
    @inline(never)
    @discardableResult
    mutating func fit(_ needed: Int) -> UnsafeMutablePointer<Element> {
        if needed <= capacity { return base }
        let stride = MemoryLayout<Element>.stride
        let (block, bytes) = Memory.grow(
            base, from: byteCapacity, to: needed * stride,
            wanted: max(needed, 4, capacity < 64 ? capacity * 2 : capacity + capacity / 2) * stride)
        byteCapacity = bytes
        capacity = bytes / stride
        base = block.bindMemory(to: Element.self, capacity: capacity)
        return base
    }

    /// Gives back the memory of elements from `kept` on; the buffer must be empty.
    mutating func trim(to kept: Int) {
        if count > 0 || kept >= capacity { return }
        let stride = MemoryLayout<Element>.stride
        Memory.discard(base, kept * stride..<capacity * stride, of: byteCapacity)
    }
}
