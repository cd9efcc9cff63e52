// How text without an alignment of its own is aligned.

/// Source of the rule: UIKit's `UITraitResolvesNaturalAlignmentWithBaseWritingDirection`.
public struct TraitResolvesNaturalAlignmentWithBaseWritingDirection: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = Bool?.none
}

extension TraitCollection {
    /// Whether natural alignment follows the text's own direction, if that is decided.
    public var resolvesNaturalAlignmentWithBaseWritingDirection: Bool? {
        self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self]
    }
}

extension MutableTraits {
    /// Whether natural alignment follows the text's own direction, if that is decided.
    public var resolvesNaturalAlignmentWithBaseWritingDirection: Bool? {
        get { self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self] }
        set { self[TraitResolvesNaturalAlignmentWithBaseWritingDirection.self] = newValue }
    }
}
