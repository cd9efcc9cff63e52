// `?q=`: selects the items of a list that have a text in their name or label.

/// A text to search for. ASCII letters match in both cases.
struct TextFilter: Sendable {
    /// Searching one name and label takes as long as visiting so many nodes without a filter.
    static let visitsForOne = 10

    /// The text in small letters.
    let wanted: [UInt8]
    private let fallbacks: [Int]

    /// - Throws: `malformedParameter` when it is empty or too long.
    init?(_ query: Query, bytesMax: Int) throws(Problem) {
        guard let raw = query[.q] else { return nil }
        // HTML forms and most libraries encode a space as `+`.
        let spaced = raw.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let text = spaced.withUnsafeBytes({ PercentEncoding.decode($0) }),
            (1...bytesMax).contains(text.utf8.count)
        else {
            throw Query.malformed(.q, "It takes a text of 1 to \(bytesMax) bytes.")
        }
        self.init(text)
    }

    /// - Parameter text: not empty.
    init(_ text: String) {
        wanted = text.utf8.map(Self.lowercased)
        fallbacks = Self.fallbacks(of: wanted)
    }

    /// O(text) (Knuth, Morris and Pratt).
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

    /// For each prefix, the length of its longest proper prefix that is also its suffix.
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
