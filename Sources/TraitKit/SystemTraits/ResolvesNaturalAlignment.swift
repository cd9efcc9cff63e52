// How text without an alignment of its own is aligned.

/// Source of the rule: UIKit's `UITraitResolvesNaturalAlignmentWithBaseWritingDirection`.
public struct TraitResolvesNaturalAlignmentWithBaseWritingDirection: TraitDefinition {
    /// What an environment reads when nothing above it sets the trait.
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
