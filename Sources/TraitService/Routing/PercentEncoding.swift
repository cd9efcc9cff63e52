// Escapes in query values and path segments become text after a target is split, never before: an
// encoded separator is data. Escapes are rare, so this is written for few lines and not for speed.

import HTTPWire

/// Percent-decoding (RFC 3986, section 2.1). `+` stays what it is.
enum PercentEncoding {
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
