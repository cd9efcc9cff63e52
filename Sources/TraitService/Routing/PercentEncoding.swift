// Escapes in query values and path segments become text after a target is split, never before: an
// encoded separator is data. Escapes are rare, so this is written for few lines and not for speed.

import HTTPWire

/// Percent-encoding (RFC 3986, section 2.1). `+` stays what it is.
enum PercentEncoding {
    /// A value of a query as it was received, for a link: bytes that no query may have, such as `>`, are
    /// encoded.
    static func query(_ bytes: UnsafeRawBufferPointer) -> String {
        var text = ""
        for byte in bytes {
            if isOfQuery(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += byte < 0x10 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    /// RFC 3986, section 3.4, and `%` of what is encoded already.
    private static func isOfQuery(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
        }
    }

    /// nil for a malformed escape or for bytes that are not UTF-8 afterwards.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = Ascii.hexValue(bytes[index + 1]),
                    let low = Ascii.hexValue(bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(byte)
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
