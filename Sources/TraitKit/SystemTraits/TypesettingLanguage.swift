// The language in which text is set.

/// Source of the rule: UIKit's `UITraitTypesettingLanguage`.
public struct TraitTypesettingLanguage: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = Language?.none
}

extension TraitCollection {
    /// The language for typesetting, if one is given.
    public var typesettingLanguage: Language? { self[TraitTypesettingLanguage.self] }

    /// A collection of this trait alone. Deprecated since iOS 17, where the closure took over.
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
