// `?q=`: which items of a list have a text in their name or label.

/// A text to be found, whatever the case of its ASCII letters.
struct TextFilter: Sendable {
    static let bytesMax = 128

    private let wanted: [UInt8]

    /// - Throws: `malformedParameter` when it is empty or too long.
    init?(_ query: Query) throws(Problem) {
        guard let raw = query[.q] else { return nil }
        // Forms, and most libraries, write a space as `+`.
        let spaced = raw.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let text = spaced.withUnsafeBytes({ PercentEncoding.decode($0) }),
            (1...Self.bytesMax).contains(text.utf8.count)
        else {
            throw Query.malformed(.q, "It takes a text of 1 to \(Self.bytesMax) bytes.")
        }
        wanted = text.utf8.map(Self.lowercased)
    }

    /// O(text × wanted) at worst.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= wanted.count else { return false }
        return wanted.withUnsafeBytes { wanted in
            for start in 0...(text.count - wanted.count) {
                var length = 0
                while length < wanted.count,
                    Self.lowercased(text[start + length]) == wanted[length]
                {
                    length += 1
                }
                if length == wanted.count { return true }
            }
            return false
        }
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
