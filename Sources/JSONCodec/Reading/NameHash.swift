// A keyed hash for member names. A client must not be able to choose names that collide, so the
// hash is seeded from the system's randomness. Words are multiplied to 128 bits and folded; names
// are short, so for most of them that is two multiplications.

/// The seed, and the function it stands for.
struct NameHash: Sendable {
    private let first: UInt64
    private let second: UInt64

    init(_ seed: UInt64) {
        // Two steps of SplitMix64, so that related seeds give unrelated words.
        first = Self.scrambled(seed &+ 0x9E37_79B9_7F4A_7C15)
        second = Self.scrambled(seed &+ 0x3C6E_F372_FE94_F82A)
    }

    private static func scrambled(_ seed: UInt64) -> UInt64 {
        var word = seed
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word &>> 31)
    }

    @inline(__always)
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    /// The hash of a name. Linear in its length; reads nothing outside of it.
    @inline(__always)
    func callAsFunction(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        var state = second
        var left: UInt64 = 0
        var right: UInt64 = 0
        if count >= 8 {
            var at = 0
            while count &- at > 16 {
                state = Self.folded(
                    ByteScan.load(bytes, at) ^ first, ByteScan.load(bytes, at &+ 8) ^ state)
                at &+= 16
            }
            // The rest has 1 to 16 bytes; the name has 8 or more, so both loads stay inside.
            left = ByteScan.load(bytes, max(0, min(at, count &- 8)))
            right = ByteScan.load(bytes, count &- 8)
        } else if count >= 4 {
            left = UInt64(raw.loadUnaligned(as: UInt32.self))
            right = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            left = UInt64(bytes[0]) &<< 16 | UInt64(bytes[count &>> 1]) &<< 8
            right = UInt64(bytes[count &- 1])
        }
        let length = UInt64(truncatingIfNeeded: count)
        return Self.folded(first ^ length, Self.folded(left ^ first, right ^ state))
    }
}
