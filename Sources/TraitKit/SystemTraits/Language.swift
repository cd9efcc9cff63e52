// A language as a trait holds it. Foundation's `Locale.Language` would bring its tables of all
// the world's locales along, of which the trait system needs none.

/// A language by its BCP-47 tag, such as `ja` or `zh-Hant`.
///
/// Stands for `Locale.Language`, which UIKit uses here. Tags are compared without regard to the
/// case of their letters, as RFC 5646, section 2.1.1 has it; nothing else is normalised.
public struct Language: Sendable, ExpressibleByStringLiteral {
    /// The tag as it was given.
    public let identifier: String

    /// A language by its tag, which is not checked.
    public init(identifier: String) {
        self.identifier = identifier
    }

    /// A language by its tag in the source.
    public init(stringLiteral identifier: String) {
        self.init(identifier: identifier)
    }
}

extension Language: Hashable {
    public static func == (left: Language, right: Language) -> Bool {
        left.identifier.lowercased() == right.identifier.lowercased()
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier.lowercased())
    }
}

extension Language: CustomStringConvertible {
    public var description: String { identifier }
}

extension Language: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(identifier: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
