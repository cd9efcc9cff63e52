// How much contrast a person asks for.

/// How much contrast the person asks for (`UITraitAccessibilityContrast`).
public struct TraitAccessibilityContrast: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = AccessibilityContrast.unspecified
}

extension TraitCollection {
    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        self[TraitAccessibilityContrast.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(accessibilityContrast: AccessibilityContrast) {
        self.init(TraitAccessibilityContrast.self, value: accessibilityContrast)
    }
}

extension MutableTraits {
    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        get { self[TraitAccessibilityContrast.self] }
        set { self[TraitAccessibilityContrast.self] = newValue }
    }
}
