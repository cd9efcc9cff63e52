// UIKit's names of the system's traits.

/// The trait that ``TraitAccessibilityContrast`` defines.
public typealias UITraitAccessibilityContrast = TraitAccessibilityContrast

/// The trait that ``TraitPreferredContentSizeCategory`` defines.
public typealias UITraitPreferredContentSizeCategory = TraitPreferredContentSizeCategory

/// The trait that ``TraitDisplayGamut`` defines.
public typealias UITraitDisplayGamut = TraitDisplayGamut

/// The trait that ``TraitDisplayScale`` defines.
public typealias UITraitDisplayScale = TraitDisplayScale

/// The trait that ``TraitForceTouchCapability`` defines.
public typealias UITraitForceTouchCapability = TraitForceTouchCapability

/// The trait that ``TraitHDRHeadroomUsageLimit`` defines.
public typealias UITraitHDRHeadroomUsageLimit = TraitHDRHeadroomUsageLimit

/// The trait that ``TraitImageDynamicRange`` defines.
public typealias UITraitImageDynamicRange = TraitImageDynamicRange

/// The trait that ``TraitLegibilityWeight`` defines.
public typealias UITraitLegibilityWeight = TraitLegibilityWeight

/// The trait that ``TraitListEnvironment`` defines.
public typealias UITraitListEnvironment = TraitListEnvironment

/// The trait that ``TraitNavigationTitleAlignment`` defines.
public typealias UITraitNavigationTitleAlignment = TraitNavigationTitleAlignment

/// The trait that ``TraitResolvesNaturalAlignmentWithBaseWritingDirection`` defines.
public typealias UITraitResolvesNaturalAlignmentWithBaseWritingDirection =
    TraitResolvesNaturalAlignmentWithBaseWritingDirection

/// The trait that ``TraitSceneCaptureState`` defines.
public typealias UITraitSceneCaptureState = TraitSceneCaptureState

/// The trait that ``TraitSplitViewControllerLayoutEnvironment`` defines.
public typealias UITraitSplitViewControllerLayoutEnvironment =
    TraitSplitViewControllerLayoutEnvironment

/// The trait that ``TraitSystemPrefersReducedResourceUsage`` defines.
public typealias UITraitSystemPrefersReducedResourceUsage = TraitSystemPrefersReducedResourceUsage

/// The trait that ``TraitTabAccessoryEnvironment`` defines.
public typealias UITraitTabAccessoryEnvironment = TraitTabAccessoryEnvironment

/// The trait that ``TraitToolbarItemPresentationSize`` defines.
public typealias UITraitToolbarItemPresentationSize = TraitToolbarItemPresentationSize

/// The trait that ``TraitLayoutDirection`` defines.
public typealias UITraitLayoutDirection = TraitLayoutDirection

/// The trait that ``TraitTypesettingLanguage`` defines.
public typealias UITraitTypesettingLanguage = TraitTypesettingLanguage

/// The trait that ``TraitActiveAppearance`` defines.
public typealias UITraitActiveAppearance = TraitActiveAppearance

/// The trait that ``TraitUserInterfaceIdiom`` defines.
public typealias UITraitUserInterfaceIdiom = TraitUserInterfaceIdiom

/// The trait that ``TraitUserInterfaceLevel`` defines.
public typealias UITraitUserInterfaceLevel = TraitUserInterfaceLevel

/// The trait that ``TraitHorizontalSizeClass`` defines.
public typealias UITraitHorizontalSizeClass = TraitHorizontalSizeClass

/// The trait that ``TraitVerticalSizeClass`` defines.
public typealias UITraitVerticalSizeClass = TraitVerticalSizeClass

/// The trait that ``TraitUserInterfaceStyle`` defines.
public typealias UITraitUserInterfaceStyle = TraitUserInterfaceStyle
