// The language of text, the direction in which it reads, and its alignment.

/// The language for typesetting (`UITraitTypesettingLanguage`).
public struct TraitTypesettingLanguage: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = Language?.none
}

extension TraitCollection {
    /// The language for typesetting, if one is given.
    public var typesettingLanguage: Language? { self[TraitTypesettingLanguage.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(typesettingLanguage: Language?) {
        self.init(TraitTypesettingLanguage.self, value: typesettingLanguage)
    }
}

extension MutableTraits {
    /// The language for typesetting, if one is given.
    public var typesettingLanguage: Language? {
        get { self[TraitTypesettingLanguage.self] }
        set { self[TraitTypesettingLanguage.self] = newValue }
    }
}

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

/// The direction in which the interface reads (`UITraitLayoutDirection`).
public struct TraitLayoutDirection: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = TraitEnvironmentLayoutDirection.unspecified
}

extension TraitCollection {
    /// The environment's direction of layout. What a view shows depends on its semantic content
    /// attribute as well, which is not part of the trait system.
    public var layoutDirection: TraitEnvironmentLayoutDirection { self[TraitLayoutDirection.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(layoutDirection: TraitEnvironmentLayoutDirection) {
        self.init(TraitLayoutDirection.self, value: layoutDirection)
    }
}

extension MutableTraits {
    /// The environment's direction of layout. What a view shows depends on its semantic content
    /// attribute as well, which is not part of the trait system.
    public var layoutDirection: TraitEnvironmentLayoutDirection {
        get { self[TraitLayoutDirection.self] }
        set { self[TraitLayoutDirection.self] = newValue }
    }
}

/// Whether natural alignment follows the direction of the text
/// (`UITraitResolvesNaturalAlignmentWithBaseWritingDirection`).
public struct TraitResolvesNaturalAlignmentWithBaseWritingDirection: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = Bool?.none
}

extension TraitCollection {
    /// Whether natural alignment follows the text's own direction; true unless a value was set.
    public var resolvesNaturalAlignmentWithBaseWritingDirection: Bool {
        self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self] ?? true
    }

    /// A collection of this trait alone.
    public init(resolvesNaturalAlignmentWithBaseWritingDirection: Bool) {
        self.init(
            TraitResolvesNaturalAlignmentWithBaseWritingDirection.self,
            value: resolvesNaturalAlignmentWithBaseWritingDirection)
    }
}

extension MutableTraits {
    /// Whether natural alignment follows the text's own direction; true unless a value was set.
    public var resolvesNaturalAlignmentWithBaseWritingDirection: Bool {
        get { self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self] ?? true }
        set { self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self] = newValue }
    }
}
