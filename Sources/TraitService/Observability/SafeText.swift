// Quotes bytes that a client chose for a log line. Whatever the bytes are, they stay within their quotes and
// their line, and tokens among them are hidden.

import HTTPWire

package enum SafeText {
    /// The form of an escaped byte or character.
    package enum Form: Sendable {
        /// `\x0a`
        case text
        /// `\x0a`, but quotes and backslashes stay: for text that stands in a line without quotes around it.
        case plain
        /// `\u000a`; bytes that are not UTF-8 become U+FFFD.
        case json
    }

    /// Appends the bytes between double quotes, in printable ASCII alone: quotes, backslashes, control
    /// characters and all that is not ASCII are escaped. O(bytes).
    package static func quote(
        _ bytes: UnsafeRawBufferPointer, _ form: Form, into out: OutputBuffer
    ) {
        out.append("\"")
        if isPlain(bytes) {
            out.append(bytes)
        } else {
            escape(withoutTokens(bytes), form, into: out)
        }
        out.append("\"")
    }

    package static func quote(_ text: String, _ form: Form, into out: OutputBuffer) {
        var text = text
        text.withUTF8 { quote(UnsafeRawBufferPointer($0), form, into: out) }
    }

    /// The bytes as text for a JSON answer, tokens hidden.
    package static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: withoutTokens(bytes), as: UTF8.self)
    }

    /// The text with tokens hidden.
    package static func hidingTokens(_ text: String) -> String {
        String(decoding: withoutTokens(Array(text.utf8)), as: UTF8.self)
    }

    /// The text with tokens hidden, and users and passwords of addresses: `//user:secret@` and `user:secret@` become
    /// `//***@` and `***@`. O(bytes).
    package static func hidingSecrets(_ text: String) -> String {
        var rest = hidingTokens(text)[...]
        var hidden = ""
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace && $0 != "'" && $0 != "\"" }
            let start = word.firstRange(of: "//")?.upperBound
            let user = word[(start ?? word.startIndex)...].lastIndex(of: "@").map {
                word[(start ?? word.startIndex)..<$0]
            }
            // Paths of socket files may have both signs.
            if let user, start != nil || user.contains(":") && !user.contains("/") {
                hidden += word[..<user.startIndex] + "***" + word[user.endIndex...]
            } else {
                hidden += word
            }
            rest = rest[word.endIndex...]
            if let separator = rest.popFirst() { hidden.append(separator) }
        }
        return hidden
    }

    /// Whether there is nothing to escape, and no underscore, without which there is no token.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes
        where byte < 0x20 || byte > 0x7e || byte == UInt8(ascii: "\"")
            || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "_")
        {
            return false
        }
        return true
    }

    private static func escape(_ bytes: [UInt8], _ form: Form, into out: OutputBuffer) {
        switch form {
        case .text, .plain:
            for byte in bytes {
                if form == .plain, (0x20...0x7e).contains(byte) {
                    out.append(byte: byte)
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    out.append("\\")
                    out.append(byte: byte)
                } else if (0x20...0x7e).contains(byte) {
                    out.append(byte: byte)
                } else {
                    out.append("\\x")
                    append(hex: UInt32(byte), digits: 2, to: out)
                }
            }
        case .json:
            for unit in String(decoding: bytes, as: UTF8.self).utf16 {
                if unit == 0x22 || unit == 0x5c {
                    out.append("\\")
                    out.append(byte: UInt8(unit))
                } else if (0x20...0x7e).contains(unit) {
                    out.append(byte: UInt8(unit))
                } else {
                    out.append("\\u")
                    append(hex: UInt32(unit), digits: 4, to: out)
                }
            }
        }
    }

    private static func append(hex value: UInt32, digits: UInt32, to out: OutputBuffer) {
        for position in (0..<digits).reversed() {
            let digit = UInt8(value >> (position * 4) & 15)
            out.append(byte: digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    // MARK: - Tokens

    private static let mark = Array("traitd_".utf8)
    /// Secrets are longer; names with as many letters and digits in one run are hidden too.
    private static let secretBytesMin = 16

    /// `traitd_NAME_SECRET` becomes `traitd_NAME_***`. O(bytes).
    private static func withoutTokens(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        guard bytes.contains(mark[mark.count - 1]) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index...].starts(with: mark) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let name = index + mark.count
            let nameEnd = end(of: bytes, from: name) { isAlphanumeric($0) || $0 == 0x2d }
            let secret = nameEnd + 1
            guard nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: "_") else {
                result += bytes[index..<nameEnd]
                index = nameEnd
                continue
            }
            let secretEnd = end(of: bytes, from: secret) {
                isAlphanumeric($0) || $0 == 0x2d || $0 == 0x5f
            }
            result += bytes[index..<secret]
            result +=
                secretEnd - secret >= secretBytesMin
                ? Array("***".utf8)[...] : bytes[secret..<secretEnd]
            index = secretEnd
        }
        return result
    }

    private static func end(
        of bytes: [UInt8], from start: Int, while isPart: (UInt8) -> Bool
    ) -> Int {
        var index = start
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        return index
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
}
