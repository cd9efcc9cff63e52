// The hash of identifiers. They come from outside, so it is keyed: nobody can choose names that
// meet in the index without knowing the seed.

/// What the index knows of a name.
struct IdentifierHash: Equatable {
    let bits: UInt64
    /// Names of up to eight bytes have hashes that no other such name has: the name need not be
    /// looked at. (Not so those that end in a zero byte, which is padding here; no node has one.)
    let isUnique: Bool
}

/// The numbers by which a hierarchy's hashes differ from another's.
struct IdentifierKey: Sendable {
    let seed: UInt64
    // Odd, so that multiplying by them can be undone: no two words become one.
    let first: UInt64
    let second: UInt64

    init(seed: UInt64) {
        self.seed = Self.scatter(seed, 1)
        first = Self.scatter(seed, 2) | 1
        second = Self.scatter(seed, 3) | 1
    }

    /// SplitMix64.
    private static func scatter(_ seed: UInt64, _ number: UInt64) -> UInt64 {
        var value = seed &+ number &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value &>> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value &>> 31)
    }

    /// O(length).
    @inline(__always)
    func hash(_ bytes: UnsafeRawBufferPointer) -> IdentifierHash {
        let count = bytes.count
        if count <= 8 {
            let word = Self.tail(bytes, from: 0)
            if count == 0 || word &>> UInt64(truncatingIfNeeded: (count &- 1) &* 8) != 0 {
                return IdentifierHash(bits: permute(word), isUnique: true)
            }
        }
        return IdentifierHash(bits: hashLong(bytes), isUnique: false)
    }

    /// Another word for each word. The multipliers are secret, so the words that agree in their
    /// upper bits, which decide about places, are too.
    @inline(__always)
    func permute(_ word: UInt64) -> UInt64 {
        var state = (word ^ seed) &* first
        state = (state ^ (state &>> 32)) &* second
        return state ^ (state &>> 32)
    }

    /// Eight bytes a step, each folded by the two halves of a 128-bit product. The key enters
    /// every step through the state, which nobody outside knows.
    private func hashLong(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        var state = seed
        var position = 0
        while position &+ 8 < count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            state = Self.fold(state ^ word, first) &+ second
            position &+= 8
        }
        state = Self.fold(state ^ Self.tail(bytes, from: position), second) &+ seed
        return Self.fold(state ^ UInt64(truncatingIfNeeded: count), first)
    }

    /// The last bytes, up to eight, as a number (little endian).
    @inline(__always)
    static func tail(_ bytes: UnsafeRawBufferPointer, from position: Int) -> UInt64 {
        let rest = bytes.count &- position
        if rest >= 8 { return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
        if rest >= 4 {
            let low = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            let high = bytes.loadUnaligned(
                fromByteOffset: position &+ rest &- 4, as: UInt32.self)
            return UInt64(low) | UInt64(high) << UInt64((rest &- 4) &* 8)
        }
        if rest <= 0 { return 0 }
        // The first, the middle and the last byte, which may be the same.
        let (middle, last) = (rest &>> 1, rest &- 1)
        return UInt64(bytes[position])
            | UInt64(bytes[position &+ middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
            | UInt64(bytes[position &+ last]) &<< UInt64(truncatingIfNeeded: last &* 8)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
