// The names of nodes and registrations, found by bytes and by number. Those of up to 8 bytes are
// found by their hash alone, so a lookup misses the cache once; those of up to 11 lie inside their
// 12-byte slots, where a lookup compares them. Longer ones lie in blocks together with their
// numbers, and the index refers to the block: a lookup does not go by the slot.
//
//   block    number, length (4 bytes each), the name, padding to 32, 64, 128 … bytes

/// Identifiers of things numbered from zero; several things may have the same one, as long as
/// the caller can tell which is meant.
struct IdentifierStore: ~Copyable {
    /// Byte 0: the length, up to 11, with the identifier in the bytes behind it; or 255, then
    /// `middle` is the offset of a block and `last` the name's length.
    struct Slot: BitwiseCopyable, Equatable {
        var first: UInt32
        var middle: UInt32
        var last: UInt32

        static let long: UInt32 = 255
        static let empty = Slot(first: 0, middle: 0, last: 0)
    }

    /// Longer names lie in blocks.
    static let inlineMax = 11
    static let headerBytes = 8

    private var slots: Arena<Slot>
    private var long: BlockArena
    private var index = HashIndex()
    private let key: IdentifierKey
    /// Means nothing: what is read in advance has to be kept somewhere.
    private var approached: UInt32 = 0

    init(seed: UInt64) {
        slots = Arena(minimumCapacity: 16)
        long = BlockArena()
        key = IdentifierKey(seed: seed)
    }

    /// The same names under the same numbers, without an index: names can be read, and found only
    /// after `makeIndex()`.
    init(copying other: inout IdentifierStore, _ copies: inout SnapshotCopies) {
        slots = Arena(copying: &other.slots, &copies)
        long = BlockArena(copying: &other.long, &copies)
        key = other.key
    }

    /// Makes a copy's names findable. O(names).
    mutating func makeIndex() {
        for number in 0..<Int32(slots.count) where slots[number].first != 0 {
            let hash = withBytes(of: number) { (bytes) in self.hash(bytes) }
            index.insert(hash.bits, reference(number, slots[number], hash))
        }
    }

    @inline(__always)
    func hash(_ identifier: UnsafeRawBufferPointer) -> IdentifierHash { key.hash(identifier) }

    /// What the index refers to, and in its two lowest bits what that is. Blocks begin at
    /// multiples of four words, so their bits are free.
    enum Kind {
        /// A number whose name is to be compared in its slot.
        static let slot: Int32 = 0
        /// A number whose name is told by its hash.
        static let unique: Int32 = 1
        /// A block.
        static let block: Int32 = 2
        static let bits: Int32 = 3
    }

    @inline(__always)
    private func reference(_ number: Int32, _ slot: Slot, _ hash: IdentifierHash) -> Int32 {
        if slot.first == Slot.long { return Int32(bitPattern: slot.middle) | Kind.block }
        return number &<< 2 | (hash.isUnique ? Kind.unique : Kind.slot)
    }

    /// The size class of the block for a name of so many bytes.
    private static func blockClass(_ bytes: Int) -> UInt8 {
        // The least is four words: else a block could begin at any word.
        max(2, BlockArena.sizeClass(for: (headerBytes + bytes + 7) / 8))
    }

    /// What a search needs: passed to a function, the store itself would be copied.
    private var reader: IdentifierReader {
        @inline(__always)
        get { IdentifierReader(index: index.reader, slots: slots.reader, long: long.reader) }
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
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        reader.find(identifier, hash, accepts)
    }

    /// Fetches what a hash needs into the caches.
    @inline(__always)
    mutating func approach(_ hash: IdentifierHash) { index.approach(hash.bits) }

    /// Touches the memory of a number to come.
    func touch(ahead: Int) { slots.touch(ahead: ahead) }

    /// Names a number that has no name.
    mutating func insert(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, at number: Int32
    ) {
        if Int(number) >= slots.count {
            _ = slots.append(repeating: .empty, count: Int(number) - slots.count + 1)
        }
        if identifier.count <= Self.inlineMax {
            slots[number] = Slot(identifier)
        } else {
            let block = long.allocate(Self.blockClass(identifier.count))
            let words = (Self.headerBytes + identifier.count + 7) / 8
            let target = long.mutablePointer(block, count: words)
            target.pointee =
                UInt64(UInt32(bitPattern: number))
                | UInt64(truncatingIfNeeded: identifier.count) &<< 32
            UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(target) + Self.headerBytes, count: identifier.count
            )
            .copyMemory(from: identifier)
            slots[number] = Slot(
                first: Slot.long, middle: UInt32(bitPattern: block),
                last: UInt32(truncatingIfNeeded: identifier.count))
        }
        index.insert(hash.bits, reference(number, slots[number], hash))
    }

    mutating func remove(_ number: Int32) {
        remove(number, withBytes(of: number) { self.hash($0) })
    }

    private mutating func remove(_ number: Int32, _ hash: IdentifierHash) {
        let slot = slots[number]
        index.remove(hash.bits, reference(number, slot, hash))
        if slot.first == Slot.long {
            long.release(Int32(bitPattern: slot.middle), Self.blockClass(Int(slot.last)))
        }
        slots[number] = .empty
    }

    /// Fetches what several numbers' names need into the caches, side by side.
    mutating func approach(_ numbers: UnsafeMutableBufferPointer<Int32>) {
        let slots = slots.reader
        var bits: UInt32 = 0
        // A slot may begin in one cache line and end in the next.
        for number in numbers {
            let slot = slots.pointer(number)
            bits ^= slot.pointee.first ^ slot.pointee.last
        }
        approached = bits
    }

    /// Removes several names, each with its own place in the index: these are first all asked for
    /// at once, and then changed.
    mutating func remove(_ numbers: UnsafeMutableBufferPointer<Int32>) {
        let count = numbers.count
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { bits in
            withUnsafeTemporaryAllocation(of: IdentifierHash.self, capacity: count) { hashes in
                for position in numbers.indices {
                    let hash = withBytes(of: numbers[position]) { self.hash($0) }
                    hashes.initializeElement(at: position, to: hash)
                    bits.initializeElement(at: position, to: hash.bits)
                }
                index.approach(bits)
                for position in numbers.indices { remove(numbers[position], hashes[position]) }
            }
        }
    }

    /// The identifier of a number that has one; the bytes are valid inside `body` only.
    @inline(__always)
    func withBytes<R, E: Error>(
        of number: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        let slot = slots[number]
        if slot.first == Slot.long {
            return try body(reader.block(Int32(bitPattern: slot.middle)).name)
        }
        let place = UnsafeRawPointer(slots.reader.pointer(number))
        return try body(
            UnsafeRawBufferPointer(start: place + 1, count: Int(slot.first & 0xFF)))
    }

    func string(of number: Int32) -> String {
        withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
    }

    var count: Int { index.count }
    /// The first thing wrong with the index; nil when all is well. O(names).
    var fault: String? { index.fault }
    /// Bytes that it takes of the process's memory, about.
    var heldBytes: Int { slots.heldBytes + index.byteCount + long.heldBytes }

    var byteCount: Int { slots.byteCount + index.byteCount + long.wordCount * 8 }
}

extension IdentifierStore.Slot {
    /// Length and bytes in the order in which they lie in memory (little endian).
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        var low: UInt64
        var high: UInt64 = 0
        if count <= 8 {
            low = IdentifierKey.tail(bytes, from: 0)
        } else {
            low = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            high = IdentifierKey.tail(bytes, from: 8)
        }
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(truncatingIfNeeded: count)
        self.init(
            first: UInt32(truncatingIfNeeded: low), middle: UInt32(truncatingIfNeeded: low >> 32),
            last: UInt32(truncatingIfNeeded: high))
    }
}
