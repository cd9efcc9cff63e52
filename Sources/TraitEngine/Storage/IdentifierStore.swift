// The names of nodes and registrations, found by bytes and by number. Short ones lie inside
// their 12-byte slots, so that a lookup misses the cache twice: once in the index, once here.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Identifiers of things numbered from zero; several things may have the same one, as long as
/// the caller can tell which is meant.
struct IdentifierStore: ~Copyable {
    /// Byte 0: the length, up to 11, with the identifier in the bytes behind it; or 255, then
    /// `middle` is the offset of a block of words and `last` the length.
    struct Slot: BitwiseCopyable {
        var first: UInt32
        var middle: UInt32
        var last: UInt32

        static let long: UInt32 = 255
        static let empty = Slot(first: 0, middle: 0, last: 0)
    }

    private static let inlineMax = 11

    private var slots = Arena<Slot>(minimumCapacity: 16)
    private var long = BlockArena()
    private var index = HashIndex()
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    struct Copy: Sendable {
        let slots: ArenaCopy<Slot>
        let long: BlockArena.Copy
        let seed: UInt64
    }

    mutating func beginCopy(_ state: SnapshotState) -> Copy {
        Copy(slots: slots.beginCopy(state), long: long.beginCopy(state), seed: seed)
    }

    mutating func endClosedCopies() {
        slots.endClosedCopies()
        long.endClosedCopies()
    }

    /// The same names under the same numbers, without an index: names can be read, and found only
    /// after `makeIndex()`.
    init(_ copy: Copy) {
        slots = Arena(copy.slots)
        long = BlockArena(copy.long)
        seed = copy.seed
    }

    /// Makes a copy's names findable. O(names).
    mutating func makeIndex() {
        for number in 0..<Int32(slots.count) where slots[number].first != 0 {
            index.insert(withBytes(of: number) { hash($0) }, number)
        }
    }

    @inline(__always)
    func hash(_ identifier: UnsafeRawBufferPointer) -> UInt32 {
        IdentifierHash.hash(identifier, seed: seed)
    }

    /// The number under that identifier which `accepts` takes. O(length) expected.
    @inline(__always)
    func find(
        _ identifier: UnsafeRawBufferPointer, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        find(identifier, hash(identifier), accepts)
    }

    @inline(__always)
    func find(
        _ identifier: UnsafeRawBufferPointer, _ hash: UInt32, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        let slots = slots.reader
        if identifier.count <= Self.inlineMax {
            let wanted = Self.pack(identifier)
            return index.find(hash) { number in
                let slot = slots[number]
                return slot.first == wanted.first && slot.middle == wanted.middle
                    && slot.last == wanted.last && accepts(number)
            }
        }
        return index.find(hash) { number in
            let slot = slots[number]
            guard slot.first == Slot.long, Int(slot.last) == identifier.count else {
                return false
            }
            let block = UnsafeRawPointer(long.reader.pointer(Int32(bitPattern: slot.middle)))
            return Self.isEqual(identifier, block) && accepts(number)
        }
    }

    /// Names a number that has no name.
    mutating func insert(
        _ identifier: UnsafeRawBufferPointer, _ hash: UInt32, at number: Int32
    ) {
        if Int(number) >= slots.count {
            _ = slots.append(repeating: .empty, count: Int(number) - slots.count + 1)
        }
        if identifier.count <= Self.inlineMax {
            slots[number] = Self.pack(identifier)
        } else {
            let words = (identifier.count + 7) / 8
            let block = long.allocate(BlockArena.sizeClass(for: words))
            let target = UnsafeMutableRawPointer(long.mutablePointer(block, count: words))
            UnsafeMutableRawBufferPointer(start: target, count: identifier.count)
                .copyMemory(from: identifier)
            slots[number] = Slot(
                first: Slot.long, middle: UInt32(bitPattern: block),
                last: UInt32(truncatingIfNeeded: identifier.count))
        }
        index.insert(hash, number)
    }

    mutating func remove(_ number: Int32) {
        remove(number, withBytes(of: number) { self.hash($0) })
    }

    private mutating func remove(_ number: Int32, _ hash: UInt32) {
        index.remove(hash, number)
        let slot = slots[number]
        if slot.first == Slot.long {
            let words = (Int(slot.last) + 7) / 8
            long.release(Int32(bitPattern: slot.middle), BlockArena.sizeClass(for: words))
        }
        slots[number] = .empty
    }

    /// Removes several names. Each has its own places in memory, so these are first all asked
    /// for at once, and then changed.
    mutating func remove(_ numbers: UnsafeMutableBufferPointer<Int32>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: numbers.count) { hashes in
            for position in numbers.indices {
                let hash = withBytes(of: numbers[position]) { self.hash($0) }
                hashes.initializeElement(at: position, to: hash)
            }
            index.approach(hashes)
            for position in numbers.indices { remove(numbers[position], hashes[position]) }
        }
    }

    /// The identifier of a number that has one; the bytes are valid inside `body` only.
    @inline(__always)
    func withBytes<R, E: Error>(
        of number: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        let slot = slots[number]
        if slot.first == Slot.long {
            let block = long.reader.pointer(Int32(bitPattern: slot.middle))
            return try body(UnsafeRawBufferPointer(start: block, count: Int(slot.last)))
        }
        let place = UnsafeRawPointer(slots.reader.pointer(number))
        return try body(
            UnsafeRawBufferPointer(start: place + 1, count: Int(slot.first & 0xFF)))
    }

    func string(of number: Int32) -> String {
        withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
    }

    private static func isEqual(
        _ bytes: UnsafeRawBufferPointer, _ block: UnsafeRawPointer
    ) -> Bool {
        bytes.baseAddress.map { memcmp($0, block, bytes.count) == 0 } ?? true
    }

    /// Length and bytes in the order in which they lie in memory (little endian).
    @inline(__always)
    private static func pack(_ bytes: UnsafeRawBufferPointer) -> Slot {
        let count = bytes.count
        var low: UInt64
        var high: UInt64 = 0
        if count <= 8 {
            low = count == 0 ? 0 : IdentifierHash.tail(bytes, from: 0)
        } else {
            low = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            high = IdentifierHash.tail(bytes, from: 8)
        }
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(truncatingIfNeeded: count)
        return Slot(
            first: UInt32(truncatingIfNeeded: low), middle: UInt32(truncatingIfNeeded: low >> 32),
            last: UInt32(truncatingIfNeeded: high))
    }

    var count: Int { index.count }
    var byteCount: Int { slots.byteCount + index.byteCount + long.wordCount * 8 }
}
