// The form of a token: traitd_<accessor>_<secret><checksum>. The prefix lets scanners of source code
// find tokens that leaked, the accessor names a token without its secret, and the checksum
// distinguishes a mistyped token from an unknown one without a look at the file.

import COpenSSL
import CZlib

/// SHA-256 of a secret.
package struct TokenHash: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    /// The secrets have 160 random bits, so that no slow hash is needed to hide them. Allocates
    /// nothing.
    package init(of secret: UnsafeRawBufferPointer) {
        var state = SHA256_CTX()
        SHA256_Init(&state)
        SHA256_Update(&state, secret.baseAddress, secret.count)
        withUnsafeMutableBytes(of: &words) { bytes in
            _ = SHA256_Final(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &state)
        }
    }

    /// 64 hexadecimal digits; nil for anything else.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 64 else { return nil }
        var bytes = [UInt8]()
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    package var hex: String {
        withUnsafeBytes(of: words) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// HMAC-SHA-256 (RFC 2104) of a text, with this hash as the key.
    func seal(_ text: String) -> TokenHash {
        func key(_ pad: UInt8) -> [UInt8] {
            withUnsafeBytes(of: words) { $0.map { $0 ^ pad } } + Array(repeating: pad, count: 32)
        }
        let inner = (key(0x36) + text.utf8).withUnsafeBytes { TokenHash(of: $0) }
        let outer = withUnsafeBytes(of: inner.words) { key(0x5c) + $0 }
        return outer.withUnsafeBytes { TokenHash(of: $0) }
    }

    /// Compares in a time that does not depend on where the two differ.
    package static func == (one: TokenHash, other: TokenHash) -> Bool {
        let difference = one.words ^ other.words
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}

/// A token as its bearer has it. Only ever made and checked, never kept.
package enum TokenText {
    static let prefix: StaticString = "traitd_"
    package static let accessorBytes = 8
    static let secretBytes = 32
    static let checksumBytes = 8
    package static let bytes = 7 + accessorBytes + 1 + secretBytes + checksumBytes

    /// Why a text is no token.
    enum Fault: Error {
        /// The length, the prefix or the separator is wrong.
        case form
        /// The form is that of a token, and the checksum does not match.
        case checksum
    }

    /// A token's parts, views of its bytes.
    struct Parts {
        let accessor: UnsafeRawBufferPointer
        let secret: UnsafeRawBufferPointer
    }

    /// A fresh secret for the accessor, from the system's random source: the token, which nothing keeps,
    /// and the hash of its secret.
    package static func make(accessor: String) -> (token: String, hash: TokenHash) {
        // 32 letters of 5 bits each.
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let secret = (0..<secretBytes).map { _ in alphabet[Int.random(in: 0..<32)] }
        let plain = Array("\(prefix)\(accessor)_".utf8) + secret
        let checksum = plain.withUnsafeBytes { Self.checksum($0) }
        let hash = secret.withUnsafeBytes { TokenHash(of: $0) }
        return (String(decoding: plain + checksum, as: UTF8.self), hash)
    }

    package static func makeAccessor() -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(
            decoding: (0..<accessorBytes).map { _ in alphabet[Int.random(in: 0..<36)] },
            as: UTF8.self)
    }

    package static func isAccessor(_ text: String) -> Bool {
        text.utf8.count == accessorBytes
            && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }

    static func parse(_ text: UnsafeRawBufferPointer) throws(Fault) -> Parts {
        let head = prefix.utf8CodeUnitCount
        guard text.count == bytes,
            text.prefix(head).elementsEqual(
                UnsafeRawBufferPointer(start: prefix.utf8Start, count: head)),
            text[head + accessorBytes] == UInt8(ascii: "_")
        else { throw .form }
        let end = bytes - checksumBytes
        let expected = checksum(UnsafeRawBufferPointer(rebasing: text[..<end]))
        guard text[end...].elementsEqual(expected) else { throw .checksum }
        let secretStart = head + accessorBytes + 1
        return Parts(
            accessor: UnsafeRawBufferPointer(rebasing: text[head..<head + accessorBytes]),
            secret: UnsafeRawBufferPointer(rebasing: text[secretStart..<end]))
    }

    /// CRC-32 as eight hexadecimal digits.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let sum = UInt32(truncatingIfNeeded: crc32(0, start, uInt(bytes.count)))
        return (0..<8).map { position in
            let digit = UInt8(truncatingIfNeeded: sum >> UInt32(28 - position * 4)) & 15
            return digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }
}
