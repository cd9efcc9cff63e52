// UIKit's names of the values that the system's traits have.

/// The accessibility contrast. The type is ``AccessibilityContrast``.
public typealias UIAccessibilityContrast = AccessibilityContrast

/// A display's gamut. The type is ``DisplayGamut``.
public typealias UIDisplayGamut = DisplayGamut

/// The force touch capability. The type is ``ForceTouchCapability``.
public typealias UIForceTouchCapability = ForceTouchCapability

/// The limit on high dynamic range. The type is ``HDRHeadroomUsageLimit``.
public typealias UIHDRHeadroomUsageLimit = HDRHeadroomUsageLimit

/// The legibility weight. The type is ``LegibilityWeight``.
public typealias UILegibilityWeight = LegibilityWeight

/// The kind of list around the content. The type is ``ListEnvironment``.
public typealias UIListEnvironment = ListEnvironment

/// Whether the scene is captured. The type is ``SceneCaptureState``.
public typealias UISceneCaptureState = SceneCaptureState

/// A toolbar item's size. The type is ``ToolbarItemPresentationSize``.
public typealias UINSToolbarItemPresentationSize = ToolbarItemPresentationSize

/// The direction of layout. The type is ``TraitEnvironmentLayoutDirection``.
public typealias UITraitEnvironmentLayoutDirection = TraitEnvironmentLayoutDirection

/// The active appearance. The type is ``UserInterfaceActiveAppearance``.
public typealias UIUserInterfaceActiveAppearance = UserInterfaceActiveAppearance

/// The kind of interface. The type is ``UserInterfaceIdiom``.
public typealias UIUserInterfaceIdiom = UserInterfaceIdiom

/// The visual level. The type is ``UserInterfaceLevel``.
public typealias UIUserInterfaceLevel = UserInterfaceLevel

/// A size class. The type is ``UserInterfaceSizeClass``.
public typealias UIUserInterfaceSizeClass = UserInterfaceSizeClass

/// Light or dark. The type is ``UserInterfaceStyle``.
public typealias UIUserInterfaceStyle = UserInterfaceStyle

/// Text sizes: ``ContentSizeCategory``.
public typealias UIContentSizeCategory = ContentSizeCategory

/// The accessory of a tab bar. Only where it shows content is part of the trait system.
public enum UITabAccessory {
    /// Where the accessory shows content: ``TabAccessoryEnvironment``.
    public typealias Environment = TabAccessoryEnvironment
}

/// An edge of the screen. The type is ``VerticalBarEdge``.
public typealias UIVerticalBarEdge = VerticalBarEdge
