// The alignment of a navigation bar's title (iOS 27.2). The engine's catalogue is that of iOS 26,
// so this trait is defined here like a custom trait, with UIKit's identifier.

/// How a navigation bar aligns its title (`UINavigationItem.TitleAlignment`).
public enum NavigationTitleAlignment: Int, Sendable {
    /// The system has not decided.
    case automatic
    /// At the leading edge.
    case leading
    /// In the middle.
    case center
}

/// Source of the rule: UIKit's `UITraitNavigationTitleAlignment` (iOS 27.2).
public struct TraitNavigationTitleAlignment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = NavigationTitleAlignment.automatic
    /// For printing.
    public static let name = "NavigationTitleAlignment"
    /// UIKit's name of the trait.
    public static let identifier = "UITraitNavigationTitleAlignment"
}

extension TraitCollection {
    /// The alignment that the navigation bar resolved for its title (iOS 27.2). An override of the
    /// trait does not move the title.
    public var navigationTitleAlignment: NavigationTitleAlignment {
        self[TraitNavigationTitleAlignment.self]
    }
}

extension MutableTraits {
    /// The alignment that the navigation bar resolved for its title (iOS 27.2).
    public var navigationTitleAlignment: NavigationTitleAlignment {
        get { self[TraitNavigationTitleAlignment.self] }
        set { self[TraitNavigationTitleAlignment.self] = newValue }
    }
}
