// UIKit's names of the values that the system's traits have.

/// Values of a trait: ``AccessibilityContrast``.
public typealias UIAccessibilityContrast = AccessibilityContrast

/// Values of a trait: ``DisplayGamut``.
public typealias UIDisplayGamut = DisplayGamut

/// Values of a trait: ``ForceTouchCapability``.
public typealias UIForceTouchCapability = ForceTouchCapability

/// Values of a trait: ``HDRHeadroomUsageLimit``.
public typealias UIHDRHeadroomUsageLimit = HDRHeadroomUsageLimit

/// Values of a trait: ``LegibilityWeight``.
public typealias UILegibilityWeight = LegibilityWeight

/// Values of a trait: ``ListEnvironment``.
public typealias UIListEnvironment = ListEnvironment

/// Values of a trait: ``SceneCaptureState``.
public typealias UISceneCaptureState = SceneCaptureState

/// Values of a trait: ``ToolbarItemPresentationSize``.
public typealias UINSToolbarItemPresentationSize = ToolbarItemPresentationSize

/// Values of a trait: ``TraitEnvironmentLayoutDirection``.
public typealias UITraitEnvironmentLayoutDirection = TraitEnvironmentLayoutDirection

/// Values of a trait: ``UserInterfaceActiveAppearance``.
public typealias UIUserInterfaceActiveAppearance = UserInterfaceActiveAppearance

/// Values of a trait: ``UserInterfaceIdiom``.
public typealias UIUserInterfaceIdiom = UserInterfaceIdiom

/// Values of a trait: ``UserInterfaceLevel``.
public typealias UIUserInterfaceLevel = UserInterfaceLevel

/// Values of a trait: ``UserInterfaceSizeClass``.
public typealias UIUserInterfaceSizeClass = UserInterfaceSizeClass

/// Values of a trait: ``UserInterfaceStyle``.
public typealias UIUserInterfaceStyle = UserInterfaceStyle

/// Text sizes: ``ContentSizeCategory``.
public typealias UIContentSizeCategory = ContentSizeCategory

/// The accessory of a tab bar. Only where it shows content is part of the trait system.
public enum UITabAccessory {
    /// Where the accessory shows content: ``TabAccessoryEnvironment``.
    public typealias Environment = TabAccessoryEnvironment
}

/// ``VerticalBarEdge`` under UIKit's name.
public typealias UIVerticalBarEdge = VerticalBarEdge

/// The item of a navigation bar. Only how its title is aligned is part of the trait system.
public enum UINavigationItem {
    /// How the title is aligned: ``NavigationTitleAlignment``.
    public typealias TitleAlignment = NavigationTitleAlignment
}
