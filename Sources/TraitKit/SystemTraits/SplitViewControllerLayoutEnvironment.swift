// Whether a split view controller around the content is collapsed.

/// A split view controller's layout (`UISplitViewController.LayoutEnvironment`).
///
/// The only system trait whose raw value 0 is specified: `none` means outside of a split view
/// controller.
@nonexhaustive(warn)
public enum SplitViewControllerLayoutEnvironment: Int, SystemEnumeration {
    /// The content is in no split view controller.
    case none = 0
    /// Several columns are shown.
    case expanded = 1
    /// One column is shown alone.
    case collapsed = 2
}

/// Whether the split view controller around the content is collapsed
/// (`UITraitSplitViewControllerLayoutEnvironment`).
public struct TraitSplitViewControllerLayoutEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = SplitViewControllerLayoutEnvironment.none
}

extension TraitCollection {
    /// The layout of the split view controller around the content.
    public var splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment {
        self[TraitSplitViewControllerLayoutEnvironment.self]
    }

    /// A collection of this trait alone.
    public init(splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment) {
        self.init(
            TraitSplitViewControllerLayoutEnvironment.self,
            value: splitViewControllerLayoutEnvironment)
    }
}

extension MutableTraits {
    /// The layout of the split view controller around the content.
    public var splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment {
        get { self[TraitSplitViewControllerLayoutEnvironment.self] }
        set { self[TraitSplitViewControllerLayoutEnvironment.self] = newValue }
    }
}
