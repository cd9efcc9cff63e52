// What is around the content: lists, bars, split views and scenes; and what the person and the device ask for.

/// The kind of list that the content is in (`UITraitListEnvironment`).
public struct TraitListEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ListEnvironment.unspecified
}

/// Where a tab bar shows its accessory (`UITraitTabAccessoryEnvironment`).
public struct TraitTabAccessoryEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = TabAccessoryEnvironment.unspecified
}

/// Whether the split view controller around the content is collapsed
/// (`UITraitSplitViewControllerLayoutEnvironment`).
public struct TraitSplitViewControllerLayoutEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = SplitViewControllerLayoutEnvironment.none
}

/// The size of the items in a Mac toolbar (`UITraitToolbarItemPresentationSize`).
public struct TraitToolbarItemPresentationSize: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ToolbarItemPresentationSize.unspecified
}

/// Whether the scene is mirrored or recorded (`UITraitSceneCaptureState`).
public struct TraitSceneCaptureState: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = SceneCaptureState.unspecified
}

/// How much contrast the person asks for (`UITraitAccessibilityContrast`).
public struct TraitAccessibilityContrast: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = AccessibilityContrast.unspecified
}

/// Whether the person asks for bold text (`UITraitLegibilityWeight`).
public struct TraitLegibilityWeight: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = LegibilityWeight.unspecified
}

/// Whether the screen measures the force of touches (`UITraitForceTouchCapability`).
public struct TraitForceTouchCapability: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ForceTouchCapability.unknown
}

extension TraitCollection {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment { self[TraitListEnvironment.self] }

    /// A collection of this trait alone.
    public init(listEnvironment: ListEnvironment) {
        self.init(TraitListEnvironment.self, value: listEnvironment)
    }

    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        self[TraitTabAccessoryEnvironment.self]
    }

    /// A collection of this trait alone.
    public init(tabAccessoryEnvironment: TabAccessoryEnvironment) {
        self.init(TraitTabAccessoryEnvironment.self, value: tabAccessoryEnvironment)
    }

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

    /// The size of the toolbar item that shows the content.
    public var toolbarItemPresentationSize: ToolbarItemPresentationSize {
        self[TraitToolbarItemPresentationSize.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(toolbarItemPresentationSize: ToolbarItemPresentationSize) {
        self.init(TraitToolbarItemPresentationSize.self, value: toolbarItemPresentationSize)
    }

    /// Whether the scene is being recorded or mirrored.
    public var sceneCaptureState: SceneCaptureState { self[TraitSceneCaptureState.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(sceneCaptureState: SceneCaptureState) {
        self.init(TraitSceneCaptureState.self, value: sceneCaptureState)
    }

    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        self[TraitAccessibilityContrast.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(accessibilityContrast: AccessibilityContrast) {
        self.init(TraitAccessibilityContrast.self, value: accessibilityContrast)
    }

    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight { self[TraitLegibilityWeight.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(legibilityWeight: LegibilityWeight) {
        self.init(TraitLegibilityWeight.self, value: legibilityWeight)
    }

    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability { self[TraitForceTouchCapability.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(forceTouchCapability: ForceTouchCapability) {
        self.init(TraitForceTouchCapability.self, value: forceTouchCapability)
    }
}

extension MutableTraits {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment {
        get { self[TraitListEnvironment.self] }
        set { self[TraitListEnvironment.self] = newValue }
    }

    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        get { self[TraitTabAccessoryEnvironment.self] }
        set { self[TraitTabAccessoryEnvironment.self] = newValue }
    }

    /// The layout of the split view controller around the content.
    public var splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment {
        get { self[TraitSplitViewControllerLayoutEnvironment.self] }
        set { self[TraitSplitViewControllerLayoutEnvironment.self] = newValue }
    }

    /// The size of the toolbar item that shows the content.
    public var toolbarItemPresentationSize: ToolbarItemPresentationSize {
        get { self[TraitToolbarItemPresentationSize.self] }
        set { self[TraitToolbarItemPresentationSize.self] = newValue }
    }

    /// Whether the scene is being recorded or mirrored.
    public var sceneCaptureState: SceneCaptureState {
        get { self[TraitSceneCaptureState.self] }
        set { self[TraitSceneCaptureState.self] = newValue }
    }

    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        get { self[TraitAccessibilityContrast.self] }
        set { self[TraitAccessibilityContrast.self] = newValue }
    }

    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight {
        get { self[TraitLegibilityWeight.self] }
        set { self[TraitLegibilityWeight.self] = newValue }
    }

    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability {
        get { self[TraitForceTouchCapability.self] }
        set { self[TraitForceTouchCapability.self] = newValue }
    }
}
