// The hash of identifiers. Identifiers come from outside, so the hash is keyed: without the seed a
// client cannot choose names that collide in the index.

/// The hash of a name.
struct IdentifierHash: Equatable {
    let bits: UInt64
    /// No other name of up to eight bytes has this hash, so the names need not be compared. False
    /// for longer names, and for those that end in a zero byte, which is padding here.
    let isUnique: Bool
}

/// The numbers by which a hierarchy's hashes differ from another's.
struct IdentifierKey: Sendable {
    let seed: UInt64
    // Odd, so that multiplying by them is a bijection.
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

    /// A bijection of words. The multipliers are secret, so a client cannot choose words whose
    /// images agree in the upper bits, which select the bucket.
    @inline(__always)
    func permute(_ word: UInt64) -> UInt64 {
        var state = (word ^ seed) &* first
        state = (state ^ (state &>> 32)) &* second
        return state ^ (state &>> 32)
    }

    /// Eight bytes a step, each folded by the two halves of a 128-bit product. The key is part of
    /// the state, so it enters every step.
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
