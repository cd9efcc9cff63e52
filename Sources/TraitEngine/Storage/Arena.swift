// The one kind of memory everything in a hierarchy lies in. Its representation can change here
// without anything else knowing: nobody outside sees more than an index.

/// A growing array of plain values, addressed by 32-bit indices that stay valid.
struct Arena<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int
    private var byteCapacity: Int

    init(minimumCapacity: Int = 8) {
        capacity = max(minimumCapacity, 1)
        byteCapacity = capacity * MemoryLayout<Element>.stride
        base = Memory.allocate(byteCapacity, isZeroed: false)
            .bindMemory(to: Element.self, capacity: capacity)
    }

    deinit { Memory.deallocate(base, byteCapacity) }

    /// Reading and writing never move anything, so writing needs no exclusive access.
    @inline(__always)
    subscript(index: Int32) -> Element {
        get {
            precondition(index >= 0 && Int(index) < count, "index outside of an arena")
            return base[Int(index)]
        }
        nonmutating _modify {
            precondition(index >= 0 && Int(index) < count, "index outside of an arena")
            yield &base[Int(index)]
        }
    }

    /// Adds one element and answers its index. Amortised O(1).
    @inline(__always)
    mutating func append(_ element: Element) -> Int32 {
        if count == capacity { grow(to: count + 1) }
        base[count] = element
        count += 1
        return Int32(truncatingIfNeeded: count - 1)
    }

    /// Adds `amount` copies and answers the index of the first.
    mutating func append(repeating element: Element, count amount: Int) -> Int32 {
        let start = count
        if start + amount > capacity { grow(to: start + amount) }
        (base + start).initialize(repeating: element, count: amount)
        count = start + amount
        return Int32(truncatingIfNeeded: start)
    }

    mutating func removeLast() {
        precondition(count > 0, "nothing to remove")
        count -= 1
    }

    @inline(never)
    private mutating func grow(to minimum: Int) {
        // Indices are 32 bits wide; the limits of a hierarchy keep far below.
        precondition(minimum <= Int(Int32.max), "an arena is full")
        let stride = MemoryLayout<Element>.stride
        let wanted = max(minimum, capacity + capacity / 2, 16)
        let (block, bytes) = Memory.grow(base, from: byteCapacity, to: wanted * stride)
        byteCapacity = bytes
        capacity = bytes / stride
        base = block.bindMemory(to: Element.self, capacity: capacity)
    }

    /// Bytes in use, without slack.
    var byteCount: Int { count * MemoryLayout<Element>.stride }

    /// For walks: saves the bounds checks, valid until the arena grows.
    var reader: Reader { Reader(base: base) }

    struct Reader {
        fileprivate let base: UnsafeMutablePointer<Element>

        @inline(__always)
        subscript(index: Int32) -> Element {
            _read { yield base[Int(index)] }
        }

        @inline(__always)
        func pointer(_ index: Int32) -> UnsafeMutablePointer<Element> { base + Int(index) }
    }
}
