// Keys and values are base64 (RFC 4648, section 4) in etcd's JSON.

enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The six bits of each character; 0xFF for bytes that are none.
    private static let bits: [UInt8] = {
        var bits = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { bits[Int(character)] = UInt8(value) }
        return bits
    }()
    private static let padding = UInt8(ascii: "=")

    /// O(bytes).
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var at = 0
        while at < bytes.count {
            let left = bytes.count - at
            let second = left > 1 ? bytes[at + 1] : 0
            let third = left > 2 ? bytes[at + 2] : 0
            text.append(alphabet[Int(bytes[at] >> 2)])
            text.append(alphabet[Int(bytes[at] << 4 & 0x30 | second >> 4)])
            text.append(left > 1 ? alphabet[Int(second << 2 & 0x3C | third >> 6)] : padding)
            text.append(left > 2 ? alphabet[Int(third & 0x3F)] : padding)
            at += 3
        }
        return text
    }

    /// Nil for text that is no padded base64. O(text).
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let paddings = text.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var count = 0
        for character in text.dropLast(paddings) {
            let value = bits[Int(character)]
            if value == 0xFF { return nil }
            word = word << 6 | UInt32(value)
            count += 1
            if count == 4 {
                bytes.append(UInt8(word >> 16))
                bytes.append(UInt8(word >> 8 & 0xFF))
                bytes.append(UInt8(word & 0xFF))
                word = 0
                count = 0
            }
        }
        switch count {
        case 2: bytes.append(UInt8(word >> 4 & 0xFF))
        case 3:
            bytes.append(UInt8(word >> 10 & 0xFF))
            bytes.append(UInt8(word >> 2 & 0xFF))
        default: break
        }
        return bytes
    }
}
