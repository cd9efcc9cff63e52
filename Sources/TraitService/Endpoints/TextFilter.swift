// `?q=`: which items of a list have a text in their name or label.

/// A text to be found, whatever the case of its ASCII letters.
struct TextFilter: Sendable {
    static let bytesMax = 128
    /// Looking through a label costs as much as visiting so many nodes without.
    static let visitsForOne = 10

    private let wanted: [UInt8]
    private let fallbacks: [Int]

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
        fallbacks = Self.fallbacks(of: wanted)
    }

    /// O(text), whatever repeats in it (Knuth, Morris and Pratt).
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var length = 0
        for byte in text {
            let byte = Self.lowercased(byte)
            while length > 0, wanted[length] != byte { length = fallbacks[length - 1] }
            if wanted[length] == byte { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }

    /// How many bytes still match when the one behind a prefix does not, by the prefix's length.
    private static func fallbacks(of wanted: [UInt8]) -> [Int] {
        var fallbacks = [0]
        var length = 0
        for byte in wanted.dropFirst() {
            while length > 0, wanted[length] != byte { length = fallbacks[length - 1] }
            if wanted[length] == byte { length += 1 }
            fallbacks.append(length)
        }
        return fallbacks
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
