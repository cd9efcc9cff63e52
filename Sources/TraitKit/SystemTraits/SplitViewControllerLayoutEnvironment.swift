// Whether a split view controller around the content is collapsed.

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
