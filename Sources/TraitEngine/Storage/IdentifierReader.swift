// How a name is found. A search holds a few addresses and not the store, which Swift would copy
// whole for a function that is not inlined: two hundred bytes, in pieces that later reads do not
// match, so that no lookup would begin before the one ahead of it is done.

/// A search among the names; valid until one is added.
struct IdentifierReader {
    let index: HashIndex.Reader
    let slots: Arena<IdentifierStore.Slot>.Reader
    let long: Arena<UInt64>.Reader

    @inline(__always)
    func find(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        if hash.isUnique {
            let reference = index.find(hash.bits) { reference in
                reference & IdentifierStore.Kind.bits == IdentifierStore.Kind.unique
                    && accepts(Self.number(reference))
            }
            return reference.map(Self.number)
        }
        return identifier.count <= IdentifierStore.inlineMax
            ? findInSlots(identifier, hash, accepts) : findInBlocks(identifier, hash, accepts)
    }

    private func findInSlots(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        let wanted = IdentifierStore.Slot(identifier)
        let reference = index.find(hash.bits) { reference in
            let number = Self.number(reference)
            return reference & IdentifierStore.Kind.bits == IdentifierStore.Kind.slot
                && slots[number] == wanted && accepts(number)
        }
        return reference.map(Self.number)
    }

    private func findInBlocks(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ accepts: (Int32) -> Bool
    ) -> Int32? {
        let reference = index.find(hash.bits) { reference in
            if reference & IdentifierStore.Kind.bits != IdentifierStore.Kind.block { return false }
            let (number, name) = block(reference & ~IdentifierStore.Kind.bits)
            return Self.areEqual(identifier, name) && accepts(number)
        }
        return reference.map { block($0 & ~IdentifierStore.Kind.bits).number }
    }

    /// The number in a reference that is no block.
    @inline(__always)
    private static func number(_ reference: Int32) -> Int32 {
        Int32(bitPattern: UInt32(bitPattern: reference) &>> 2)
    }

    /// The number, and the length with the name behind it, in a block.
    @inline(__always)
    func block(_ offset: Int32) -> (number: Int32, name: UnsafeRawBufferPointer) {
        let header = long.pointer(offset)
        let name = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(header) + IdentifierStore.headerBytes,
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
}
