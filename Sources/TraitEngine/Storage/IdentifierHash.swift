// The hash of identifiers. They come from outside, so it is keyed: nobody can choose names that
// collide without knowing the seed.

enum IdentifierHash {
    /// Eight bytes a step, each folded by the two halves of a 128-bit product.
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
        let count = bytes.count
        // The key enters every step through the state, which nobody outside knows.
        var state = seed ^ 0x9E37_79B9_7F4A_7C15
        var position = 0
        while position &+ 8 < count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            state = mix(state ^ word, 0xD6E8_FEB8_6659_FD93) &+ seed
            position &+= 8
        }
        state = mix(state ^ tail(bytes, from: position), 0xE703_7ED1_A0B4_28DB) &+ seed
        state = mix(state ^ UInt64(truncatingIfNeeded: count), 0xA076_1D64_78BD_642F)
        return UInt32(truncatingIfNeeded: state)
    }

    /// The last one to eight bytes as a number.
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
        var word: UInt64 = 0
        for offset in 0..<max(rest, 0) {
            word |= UInt64(bytes[position &+ offset]) &<< UInt64(offset &* 8)
        }
        return word
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
