// UIKit's names of the system's traits.

/// How much contrast the person asks for. The type is ``TraitAccessibilityContrast``.
public typealias UITraitAccessibilityContrast = TraitAccessibilityContrast

/// The text size that the person prefers. The type is ``TraitPreferredContentSizeCategory``.
public typealias UITraitPreferredContentSizeCategory = TraitPreferredContentSizeCategory

/// The colours that the display can show. The type is ``TraitDisplayGamut``.
public typealias UITraitDisplayGamut = TraitDisplayGamut

/// Pixels per point. The type is ``TraitDisplayScale``.
public typealias UITraitDisplayScale = TraitDisplayScale

/// Whether the screen measures the force of touches. The type is ``TraitForceTouchCapability``.
public typealias UITraitForceTouchCapability = TraitForceTouchCapability

/// Whether content should do without high dynamic range. The type is
/// ``TraitHDRHeadroomUsageLimit``.
public typealias UITraitHDRHeadroomUsageLimit = TraitHDRHeadroomUsageLimit

/// How bright images may become. The type is ``TraitImageDynamicRange``.
public typealias UITraitImageDynamicRange = TraitImageDynamicRange

/// Whether the person asks for bold text. The type is ``TraitLegibilityWeight``.
public typealias UITraitLegibilityWeight = TraitLegibilityWeight

/// The kind of list that the content is in. The type is ``TraitListEnvironment``.
public typealias UITraitListEnvironment = TraitListEnvironment

/// How the navigation bar aligns its title (iOS 27.2). The type is
/// ``TraitNavigationTitleAlignment``.
public typealias UITraitNavigationTitleAlignment = TraitNavigationTitleAlignment

/// Whether natural alignment follows the direction of the text. The type is
/// ``TraitResolvesNaturalAlignmentWithBaseWritingDirection``.
public typealias UITraitResolvesNaturalAlignmentWithBaseWritingDirection =
    TraitResolvesNaturalAlignmentWithBaseWritingDirection

/// Whether the scene is mirrored or recorded. The type is ``TraitSceneCaptureState``.
public typealias UITraitSceneCaptureState = TraitSceneCaptureState

/// Whether the split view controller around the content is collapsed. The type is
/// ``TraitSplitViewControllerLayoutEnvironment``.
public typealias UITraitSplitViewControllerLayoutEnvironment =
    TraitSplitViewControllerLayoutEnvironment

/// Whether the system asks apps to use fewer resources (iOS 27). The type is
/// ``TraitSystemPrefersReducedResourceUsage``.
public typealias UITraitSystemPrefersReducedResourceUsage = TraitSystemPrefersReducedResourceUsage

/// Where a tab bar shows its accessory. The type is ``TraitTabAccessoryEnvironment``.
public typealias UITraitTabAccessoryEnvironment = TraitTabAccessoryEnvironment

/// The size of the items in a Mac toolbar. The type is ``TraitToolbarItemPresentationSize``.
public typealias UITraitToolbarItemPresentationSize = TraitToolbarItemPresentationSize

/// The direction in which the interface reads. The type is ``TraitLayoutDirection``.
public typealias UITraitLayoutDirection = TraitLayoutDirection

/// The language for typesetting. The type is ``TraitTypesettingLanguage``.
public typealias UITraitTypesettingLanguage = TraitTypesettingLanguage

/// Whether the window looks active. The type is ``TraitActiveAppearance``.
public typealias UITraitActiveAppearance = TraitActiveAppearance

/// The kind of device that the interface is made for. The type is ``TraitUserInterfaceIdiom``.
public typealias UITraitUserInterfaceIdiom = TraitUserInterfaceIdiom

/// Whether content lies above other content. The type is ``TraitUserInterfaceLevel``.
public typealias UITraitUserInterfaceLevel = TraitUserInterfaceLevel

/// How much room there is in width. The type is ``TraitHorizontalSizeClass``.
public typealias UITraitHorizontalSizeClass = TraitHorizontalSizeClass

/// How much room there is in height. The type is ``TraitVerticalSizeClass``.
public typealias UITraitVerticalSizeClass = TraitVerticalSizeClass

/// Light or dark appearance. The type is ``TraitUserInterfaceStyle``.
public typealias UITraitUserInterfaceStyle = TraitUserInterfaceStyle
