// Short hashes that clients see: parts of entity tags and stream tokens. They are the same in every
// process, so that what one server gave out another understands. They protect against nothing.

/// FNV-1a over 32 bits.
package enum Fingerprint {
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return hash
    }

    package static func of(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }
}
