// The content security policy of a page that carries its own script and style: it allows these by their hashes, so
// that no other text can become code, whatever a page shows.

import COpenSSL

enum PagePolicy {
    /// The policy for an HTML page whose script and style have no attributes.
    ///
    /// The page may load from its own server what its script asks for, and nothing else. O(bytes).
    static func policy(of page: UnsafeRawBufferPointer) -> String {
        "default-src 'none'; script-src \(source("script", page)); style-src \(source("style", page)); "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'"
    }

    /// The hash of the first element of that name; `'none'` without one.
    private static func source(_ name: String, _ page: UnsafeRawBufferPointer) -> String {
        guard let start = end(of: "<\(name)>", page[...]),
            let past = end(of: "</\(name)>", page[start...])
        else { return "'none'" }
        let text = page[start..<(past - name.utf8.count - 3)]
        return "'sha256-\(base64(sha256(UnsafeRawBufferPointer(rebasing: text))))'"
    }

    /// The place after the first occurrence of a text.
    private static func end(of text: String, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let text = Array(text.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: text) }.map { $0 + text.count }
    }

    private static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var state = SHA256_CTX()
        SHA256_Init(&state)
        SHA256_Update(&state, bytes.baseAddress, bytes.count)
        var hash = [UInt8](repeating: 0, count: 32)
        SHA256_Final(&hash, &state)
        return hash
    }

    /// RFC 4648 section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 {
                text.append(
                    place <= part.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
