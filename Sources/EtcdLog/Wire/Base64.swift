// Keys and values are base64 (RFC 4648, section 4) in etcd's JSON.

enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let noBits: UInt8 = 0xFF
    /// The six bits of each character.
    private static let bits: [UInt8] = {
        var bits = [UInt8](repeating: noBits, count: 256)
        for (value, character) in alphabet.enumerated() { bits[Int(character)] = UInt8(value) }
        return bits
    }()
    private static let padding = UInt8(ascii: "=")

    /// O(bytes).
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let count = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: count) { text, written in
            var at = 0
            while at < bytes.count {
                let left = bytes.count - at
                let second = left > 1 ? bytes[at + 1] : 0
                let third = left > 2 ? bytes[at + 2] : 0
                text[written] = alphabet[Int(bytes[at] >> 2)]
                text[written + 1] = alphabet[Int(bytes[at] << 4 & 0x30 | second >> 4)]
                text[written + 2] =
                    left > 1 ? alphabet[Int(second << 2 & 0x3C | third >> 6)] : padding
                text[written + 3] = left > 2 ? alphabet[Int(third & 0x3F)] : padding
                at += 3
                written += 4
            }
        }
    }

    /// Nil for text that is no padded base64. O(text).
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let paddings = text.suffix(2).reversed().prefix { $0 == padding }.count
        let characters = text.count - paddings
        var isBase64 = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, written in
            var word: UInt32 = 0
            for at in 0..<characters {
                let value = bits[Int(text[at])]
                if value == noBits { isBase64 = false }
                word = word << 6 | UInt32(value & 0x3F)
                // Four characters are three bytes; all but the first one complete a byte.
                let place = at % 4
                if place > 0 {
                    bytes[written] = UInt8(truncatingIfNeeded: word >> UInt32(6 - 2 * place))
                    written += 1
                }
            }
        }
        return isBase64 ? bytes : nil
    }
}
