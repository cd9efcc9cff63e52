// Short hashes that clients see: parts of entity tags and stream tokens. They are the same in every
// process, so that one server understands the tags and tokens of another. They are no protection.

/// FNV-1a over 64 bits (the algorithm is public; isthe.com/chongo/tech/comp/fnv).
@usableFromInline
package struct FNV1a {
    @usableFromInline package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable package init() {}

    @inlinable @inline(__always)
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// O(bytes).
    @inlinable
    package mutating func add(_ bytes: UnsafeRawBufferPointer) { for byte in bytes { add(byte) } }
}

/// FNV-1a over 32 bits.
@usableFromInline
package enum Fingerprint {
    @inlinable
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return hash
    }

    @inlinable
    package static func of(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// A 64-bit hash of a request, 8 bytes a step. Log entries contain it, so it must never change.
    @inlinable
    package static func wide(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash = seed ^ (UInt64(bytes.count) &* 0xff51_afd7_ed55_8ccd)
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mixed(hash, UInt64(littleEndian: word))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mixed(mixed(hash, rest), 0)
    }

    @inlinable
    static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 29
    }
}
