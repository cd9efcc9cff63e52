// The traits of iOS 27. The engine's catalogue is that of iOS 26, so these traits are defined here
// like custom traits, with UIKit's identifiers.

/// Whether the system asks apps to use fewer resources (iOS 27,
/// `UITraitSystemPrefersReducedResourceUsage`).
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

/// How a navigation bar aligns its title (`UINavigationItem.TitleAlignment`).
public enum NavigationTitleAlignment: Int, Sendable {
    /// The system has not decided.
    case automatic
    /// At the leading edge.
    case leading
    /// In the middle.
    case center
}

/// How the navigation bar aligns its title (iOS 27.2, `UITraitNavigationTitleAlignment`).
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

/// An edge of the screen (`UIVerticalBarEdge`).
public enum VerticalBarEdge: Int, Sendable {
    /// There is no vertical bar.
    case unspecified
    /// The leading edge.
    case leading
    /// The trailing edge.
    case trailing
}

/// The edge of the vertical bar as a trait: set it with
/// `scene.suppliedTraits[TraitVerticalBarEdge.self] = .leading`. UIKit has no such trait, since
/// there only the system sets the edge.
public struct TraitVerticalBarEdge: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = VerticalBarEdge.unspecified
    /// For printing.
    public static let name = "VerticalBarEdge"
}

extension TraitCollection {
    /// The edge where the system puts the vertical bar, whether or not it shows one (iOS 27.1).
    public var verticalBarEdge: VerticalBarEdge { self[TraitVerticalBarEdge.self] }

    /// The traits that `verticalBarEdge` depends on, for registrations (iOS 27.1).
    public static let systemTraitsAffectingVerticalBarEdge: [TraitKey] = [
        TraitVerticalBarEdge.self
    ]
}
