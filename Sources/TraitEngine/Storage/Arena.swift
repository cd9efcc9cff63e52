// The memory of everything in a hierarchy. Other code sees indices only, so the representation can
// change here alone.

/// A growing array, addressed by 32-bit indices that stay valid.
///
/// Every write goes through the subscript, `append` or `mutablePointer`: these save what copies
/// still need before it is overwritten.
struct Arena<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int
    private var byteCapacity: Int
    /// Unfinished copies, linked; each is retained here.
    private var copies: Unmanaged<ArenaCopy<Element>>?
    /// Of an arena in a snapshot: the copy that owns the memory.
    private var source: ArenaCopy<Element>?

    /// An arena without memory, unless there is to be room for so many elements.
    init(minimumCapacity: Int = 0) {
        capacity = minimumCapacity
        byteCapacity = capacity * MemoryLayout<Element>.stride
        base = Memory.allocate(byteCapacity, isZeroed: false)
            .bindMemory(to: Element.self, capacity: capacity)
    }

    /// An arena with the elements of a copy: to be read once the copy is complete.
    init(_ copy: ArenaCopy<Element>) {
        count = copy.count
        (base, byteCapacity) = (copy.target, copy.targetBytes)
        // Full, so that the memory becomes the arena's own before an element is added.
        capacity = copy.count
        source = copy
    }

    /// An arena for a snapshot, with a copy of another's elements as they are now. O(1).
    init(copying other: inout Arena, _ copies: inout SnapshotCopies) {
        let copy = other.beginCopy(copies.state)
        copies.add(copy)
        self.init(copy)
    }

    /// The memory of the copy becomes the arena's own. False when the copy is not complete.
    private mutating func takeMemory() -> Bool {
        guard let copy = source else { return true }
        source = nil
        capacity = byteCapacity / MemoryLayout<Element>.stride
        return copy.take()
    }

    deinit {
        // An incomplete copy frees its own memory.
        if let source, !source.take() { return }
        if copies == nil {
            base.deinitialize(count: count)
            Memory.deallocate(base, byteCapacity)
            return
        }
        let owner = MemoryOwner(base, count: count, bytes: byteCapacity)
        Self.forEach(copies) { copy in
            copy.takeUnretainedValue().keep(owner)
            copy.release()
        }
    }

    @inline(__always)
    subscript(index: Int32) -> Element {
        get {
            precondition(index >= 0 && Int(index) < count, "index outside of an arena")
            return base[Int(index)]
        }
        _modify {
            precondition(index >= 0 && Int(index) < count, "index outside of an arena")
            if copies != nil { save(Int(index)) }
            yield &base[Int(index)]
        }
    }

    /// Adds one element and answers its index. Amortised O(1).
    @inline(__always)
    mutating func append(_ element: Element) -> Int32 {
        if count == capacity { grow(to: count + 1) }
        if copies != nil { save(count) }
        (base + count).initialize(to: element)
        count += 1
        return Int32(truncatingIfNeeded: count - 1)
    }

    /// Adds `amount` copies and answers the index of the first.
    mutating func append(repeating element: Element, count amount: Int) -> Int32 {
        let start = count
        if start + amount > capacity { grow(to: start + amount) }
        if copies != nil { save(start..<start + amount) }
        (base + start).initialize(repeating: element, count: amount)
        count = start + amount
        return Int32(truncatingIfNeeded: start)
    }

    /// Takes the last element out. O(1).
    mutating func popLast() -> Element? {
        if count == 0 { return nil }
        if source != nil { _ = takeMemory() }
        if copies != nil { save(count - 1) }
        count -= 1
        return (base + count).move()
    }

    @inline(never)
    private mutating func grow(to minimum: Int) {
        // Indices are 32 bits wide; the limits of a hierarchy keep far below.
        precondition(minimum <= Int(Int32.max), "an arena is full")
        let ownsMemory = takeMemory()
        precondition(ownsMemory, "a copy that is not complete")
        if minimum <= capacity { return }
        let stride = MemoryLayout<Element>.stride
        let wanted = max(minimum, 2, capacity < 32 ? capacity * 2 : capacity + capacity / 2)
        Self.forEach(copies) { $0.takeUnretainedValue().suspend() }
        // Every type here may be moved as bytes.
        let (block, bytes) = Memory.grow(
            base, from: byteCapacity, to: minimum * stride, wanted: wanted * stride)
        byteCapacity = bytes
        capacity = bytes / stride
        let base = block.bindMemory(to: Element.self, capacity: capacity)
        self.base = base
        Self.forEach(copies) { $0.takeUnretainedValue().resume(base) }
    }

    /// Bytes in use, without slack.
    var byteCount: Int { count * MemoryLayout<Element>.stride }

    /// Bytes that it takes of the process's memory, about: a large block has only the pages in use.
    var heldBytes: Int { min(byteCapacity, max(byteCount, Memory.mappedBytesMin)) }

    /// For walks: saves the bounds checks, valid until the arena grows.
    var reader: Reader { Reader(base: UnsafePointer(base)) }

    /// For writing `amount` elements in one go; valid until the arena grows.
    @inline(__always)
    mutating func mutablePointer(_ index: Int32, count amount: Int) -> UnsafeMutablePointer<Element>
    {
        precondition(
            index >= 0 && amount >= 0 && Int(index) + amount <= count,
            "range outside of an arena")
        if copies != nil { save(Int(index)..<Int(index) + amount) }
        return base + Int(index)
    }

    // MARK: - Copies

    /// Begins a copy of the arena as it is now. O(1).
    mutating func beginCopy(_ state: SnapshotState) -> ArenaCopy<Element> {
        endClosedCopies()
        let copy = ArenaCopy(of: base, count: count, state, older: copies)
        copies = Unmanaged.passRetained(copy)
        return copy
    }

    /// Drops the copies that are closed.
    mutating func endClosedCopies() {
        var open: Unmanaged<ArenaCopy<Element>>?
        Self.forEach(copies) { copy in
            let value = copy.takeUnretainedValue()
            if value.isClosed {
                copy.release()
            } else {
                value.older = open
                open = copy
            }
        }
        copies = open
    }

    private static func forEach(
        _ first: Unmanaged<ArenaCopy<Element>>?, _ body: (Unmanaged<ArenaCopy<Element>>) -> Void
    ) {
        var next = first
        while let copy = next {
            next = copy.takeUnretainedValue().older
            body(copy)
        }
    }

    /// Saves an element for the copies before it is overwritten.
    @inline(never)
    private mutating func save(_ index: Int) {
        var hasClosed = false
        var next = copies
        while let copy = next {
            next = copy._withUnsafeGuaranteedRef { copy in
                if copy.isClosed { hasClosed = true } else { copy.save(index, base) }
                return copy.older
            }
        }
        if hasClosed { endClosedCopies() }
    }

    @inline(never)
    private mutating func save(_ range: Range<Int>) {
        Self.forEach(copies) { $0.takeUnretainedValue().save(range, base) }
        endClosedCopies()
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
