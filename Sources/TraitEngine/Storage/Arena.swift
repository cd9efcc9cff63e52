// The one kind of memory everything in a hierarchy lies in. Its representation can change here
// without anything else knowing: nobody outside sees more than an index.

/// A growing array, addressed by 32-bit indices that stay valid.
///
/// Every write goes through the subscript, `append` or `mutablePointer`: these are
/// the places that know who has to be told before something is overwritten.
struct Arena<Element>: ~Copyable {
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

    deinit {
        base.deinitialize(count: count)
        Memory.deallocate(base, byteCapacity)
    }

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
        (base + count).initialize(to: element)
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

    /// Takes the last element out. O(1).
    mutating func popLast() -> Element? {
        if count == 0 { return nil }
        count -= 1
        return (base + count).move()
    }

    @inline(never)
    private mutating func grow(to minimum: Int) {
        // Indices are 32 bits wide; the limits of a hierarchy keep far below.
        precondition(minimum <= Int(Int32.max), "an arena is full")
        let stride = MemoryLayout<Element>.stride
        let wanted = max(minimum, capacity + capacity / 2, 16)
        // Every type here may be moved as bytes.
        let (block, bytes) = Memory.grow(base, from: byteCapacity, to: wanted * stride)
        byteCapacity = bytes
        capacity = bytes / stride
        base = block.bindMemory(to: Element.self, capacity: capacity)
    }

    /// Bytes in use, without slack.
    var byteCount: Int { count * MemoryLayout<Element>.stride }

    /// For walks: saves the bounds checks, valid until the arena grows.
    var reader: Reader { Reader(base: UnsafePointer(base)) }

    /// For writing `amount` elements in one go; valid until the arena grows.
    @inline(__always)
    func mutablePointer(_ index: Int32, count amount: Int) -> UnsafeMutablePointer<Element> {
        precondition(
            index >= 0 && amount >= 0 && Int(index) + amount <= count,
            "range outside of an arena")
        return base + Int(index)
    }

    struct Reader {
        fileprivate let base: UnsafePointer<Element>

        @inline(__always)
        subscript(index: Int32) -> Element {
            _read { yield base[Int(index)] }
        }

        @inline(__always)
        func pointer(_ index: Int32) -> UnsafePointer<Element> { base + Int(index) }
    }
}
