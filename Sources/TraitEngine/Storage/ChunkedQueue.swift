// The memory of the undo log: grows at one end, shrinks at the other, and never moves elements. An
// array would copy megabytes within one operation.

/// A queue of plain values under positions that count from its beginning of time.
struct ChunkedQueue<Element: BitwiseCopyable>: ~Copyable {
    static var chunkCount: Int { 8 }
    private static var chunkBits: Int { 3 }

    /// Chunks from `firstChunk` on are in use.
    private var chunks: ContiguousArray<UnsafeMutablePointer<Element>> = []
    private var firstChunk = 0
    /// The number, from the beginning of time, of the chunk at `firstChunk`.
    private var firstNumber = 0
    /// The position of the first element.
    private(set) var start = 0
    /// The position behind the last element.
    private(set) var end = 0

    deinit {
        for chunk in chunks[firstChunk...] { chunk.deallocate() }
    }

    var count: Int { end &- start }
    var isEmpty: Bool { end == start }

    @inline(__always)
    private func place(_ position: Int) -> UnsafeMutablePointer<Element> {
        precondition(position >= start && position < end, "not in the queue")
        let chunk = chunks[firstChunk &+ (position &>> Self.chunkBits) &- firstNumber]
        return chunk + (position & (Self.chunkCount &- 1))
    }

    @inline(__always)
    subscript(position: Int) -> Element {
        get { place(position).pointee }
        nonmutating set { place(position).pointee = newValue }
    }

    var last: Element? { isEmpty ? nil : self[end &- 1] }

    /// O(1), without ever moving other elements.
    @inline(__always)
    mutating func append(_ element: Element) {
        let number = end &>> Self.chunkBits &- firstNumber
        if firstChunk &+ number == chunks.count {
            chunks.append(.allocate(capacity: Self.chunkCount))
        }
        let chunk = chunks[firstChunk &+ number]
        (chunk + (end & (Self.chunkCount &- 1))).initialize(to: element)
        end &+= 1
    }

    /// Takes the last element out; its position will be given again. O(1).
    mutating func popLast() -> Element? {
        if isEmpty { return nil }
        let element = self[end &- 1]
        end &-= 1
        // The chunk behind the last stays, for a queue that goes back and forth.
        let needed = firstChunk &+ (end &>> Self.chunkBits) &- firstNumber &+ 2
        while chunks.count > needed { chunks.removeLast().deallocate() }
        return element
    }

    /// Drops all elements before a position. O(chunks dropped), amortised.
    mutating func drop(before position: Int) {
        start = min(max(position, start), end)
        if firstNumber == start &>> Self.chunkBits { return }
        if isEmpty, firstChunk < chunks.count {
            // The chunk of what was first serves what comes.
            while chunks.count > firstChunk &+ 1 { chunks.removeLast().deallocate() }
            firstNumber = start &>> Self.chunkBits
            return
        }
        while firstNumber < start &>> Self.chunkBits, firstChunk < chunks.count {
            chunks[firstChunk].deallocate()
            firstChunk &+= 1
            firstNumber &+= 1
        }
        if firstChunk &* 2 > chunks.count {
            chunks.removeFirst(firstChunk)
            firstChunk = 0
        }
        firstNumber = chunks.isEmpty ? start &>> Self.chunkBits : firstNumber
    }
}
