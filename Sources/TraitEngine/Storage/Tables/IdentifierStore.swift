// The names of nodes and registrations, found by bytes and by number. Those of up to 8 bytes are
// found by their hash alone, so a lookup misses the cache once; those of up to 11 lie inside their
// 12-byte slots, where a lookup compares them. Longer ones lie in blocks together with their
// numbers, and the index refers to the block: a lookup does not go by the slot.
//
//   block    number, length (4 bytes each), the name, padding to 32, 64, 128 … bytes

/// Identifiers by number. Several numbers may have the same identifier: `find` asks the caller
/// which one to accept.
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

    init(seed: UInt64) {
        slots = Arena()
        long = BlockArena()
        key = IdentifierKey(seed: seed)
    }

    /// Copies the names and their numbers without the index: names can be read, and found only
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

    /// The two lowest bits of an index entry say what its other bits refer to. Blocks begin at
    /// multiples of four words, so these bits of a block's offset are free.
    enum Kind {
        /// A number whose name is to be compared in its slot.
        static let slot: Int32 = 0
        /// A number whose hash identifies the name.
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

    // MARK: - Finding

    @inline(__always)
    func find(
        _ identifier: UnsafeRawBufferPointer, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        find(identifier, hash(identifier), accepts)
    }

    /// The number under that identifier which `accepts` takes. O(length) expected.
    @inline(__always)
    func find(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        if hash.isUnique {
            let reference = index.find(hash.bits) { reference in
                reference & Kind.bits == Kind.unique
                    && accepts(Self.number(reference))
            }
            return reference.map(Self.number)
        }
        return identifier.count <= Self.inlineMax
            ? findInSlots(identifier, hash, accepts) : findInBlocks(identifier, hash, accepts)
    }

    private func findInSlots(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        let wanted = Slot(identifier)
        let reference = index.find(hash.bits) { reference in
            let number = Self.number(reference)
            return reference & Kind.bits == Kind.slot
                && slots[number] == wanted && accepts(number)
        }
        return reference.map(Self.number)
    }

    private func findInBlocks(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        let reference = index.find(hash.bits) { reference in
            if reference & Kind.bits != Kind.block { return false }
            let (number, name) = block(reference & ~Kind.bits)
            return Self.areEqual(identifier, name) && accepts(number)
        }
        return reference.map { block($0 & ~Kind.bits).number }
    }

    /// The number in a reference that is no block.
    @inline(__always)
    private static func number(_ reference: Int32) -> Int32 {
        Int32(bitPattern: UInt32(bitPattern: reference) &>> 2)
    }

    /// The number, and the length with the name behind it, in a block.
    @inline(__always)
    private func block(_ offset: Int32) -> (number: Int32, name: UnsafeRawBufferPointer) {
        let header = long.reader.pointer(offset)
        let name = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(header) + Self.headerBytes,
            count: Int(truncatingIfNeeded: header.pointee &>> 32))
        return (Int32(truncatingIfNeeded: header.pointee), name)
    }

    /// Of names that do not lie in slots. Nearly always they are equal, as their hashes are, so
    /// nothing is gained by ending earlier.
    @inline(__always)
    private static func areEqual(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        let count = left.count
        if count != right.count || count < 8 { return false }
        var difference: UInt64 = 0
        var position = 0
        // The last eight bytes overlap those before.
        while position < count {
            let start = min(position, count &- 8)
            difference |=
                left.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                ^ right.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            position &+= 8
        }
        return difference == 0
    }

    // MARK: - Changing

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
        let hash = withBytes(of: number) { (bytes) in self.hash(bytes) }
        let slot = slots[number]
        index.remove(hash.bits, reference(number, slot, hash))
        if slot.first == Slot.long {
            long.release(Int32(bitPattern: slot.middle), Self.blockClass(Int(slot.last)))
        }
        slots[number] = .empty
    }

    /// The identifier of a number that has one; the bytes are valid inside `body` only.
    @inline(__always)
    func withBytes<R, E: Error>(
        of number: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        let slot = slots[number]
        if slot.first == Slot.long {
            return try body(block(Int32(bitPattern: slot.middle)).name)
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
