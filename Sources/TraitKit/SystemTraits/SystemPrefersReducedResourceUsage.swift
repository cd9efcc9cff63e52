// The trait by which the system asks apps to use fewer resources (iOS 27). The engine's catalogue
// is that of iOS 26, so this trait is defined here like a custom trait, with UIKit's identifier.

/// Source of the rule: UIKit's `UITraitSystemPrefersReducedResourceUsage` (iOS 27).
public struct TraitSystemPrefersReducedResourceUsage: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = false
    /// For printing.
    public static let name = "SystemPrefersReducedResourceUsage"
    /// UIKit's name of the trait.
    public static let identifier = "UITraitSystemPrefersReducedResourceUsage"
}

extension TraitCollection {
    /// Whether the system asks apps to spare resources (iOS 27).
    public var systemPrefersReducedResourceUsage: Bool {
        self[TraitSystemPrefersReducedResourceUsage.self]
    }

    /// A collection of this trait alone.
    public init(systemPrefersReducedResourceUsage: Bool) {
        self.init(
            TraitSystemPrefersReducedResourceUsage.self, value: systemPrefersReducedResourceUsage)
    }
}

extension MutableTraits {
    /// Whether the system asks apps to spare resources (iOS 27).
    public var systemPrefersReducedResourceUsage: Bool {
        get { self[TraitSystemPrefersReducedResourceUsage.self] }
        set { self[TraitSystemPrefersReducedResourceUsage.self] = newValue }
    }
}
