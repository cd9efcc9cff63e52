// Text is cut at bytes. To Swift a separator and a combining mark behind it are one `Character`, which is not the
// separator: a list cut at characters has one item less, and a setting that is looked for is not found.

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The texts between the separators, including empty ones. The separator is ASCII.
    @inlinable
    package func parts(at separator: UInt8) -> [String] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The texts before and after the first such byte, which is ASCII; nil when there is none.
    @inlinable
    package func cut(at separator: UInt8) -> (before: String, after: String)? {
        utf8.firstIndex(of: separator).map { halves(around: $0) }
    }

    /// The texts before and after the last such byte, which is ASCII; nil when there is none.
    @inlinable
    package func cutAtLast(_ separator: UInt8) -> (before: String, after: String)? {
        utf8.lastIndex(of: separator).map { halves(around: $0) }
    }

    @usableFromInline
    func halves(around place: Index) -> (before: String, after: String) {
        (
            String(decoding: utf8[..<place], as: UTF8.self),
            String(decoding: utf8[utf8.index(after: place)...], as: UTF8.self)
        )
    }

    /// Whether the first bytes are those of `beginning`.
    @inlinable
    package func begins(with beginning: String) -> Bool { utf8.starts(with: beginning.utf8) }
}
