// Every member of UITraitTypes that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: UITraitUserInterfaceIdiom
    let userInterfaceIdiom: UITrait = UITraitUserInterfaceIdiom.self
    _ = userInterfaceIdiom
    //: UITraitUserInterfaceStyle
    let userInterfaceStyle: UITrait = UITraitUserInterfaceStyle.self
    _ = userInterfaceStyle
    //: UITraitLayoutDirection
    let layoutDirection: UITrait = UITraitLayoutDirection.self
    _ = layoutDirection
    //: UITraitDisplayScale
    let displayScale: UITrait = UITraitDisplayScale.self
    _ = displayScale
    //: UITraitHorizontalSizeClass
    let horizontalSizeClass: UITrait = UITraitHorizontalSizeClass.self
    _ = horizontalSizeClass
    //: UITraitVerticalSizeClass
    let verticalSizeClass: UITrait = UITraitVerticalSizeClass.self
    _ = verticalSizeClass
    //: UITraitForceTouchCapability
    let forceTouchCapability: UITrait = UITraitForceTouchCapability.self
    _ = forceTouchCapability
    //: UITraitPreferredContentSizeCategory
    let preferredContentSizeCategory: UITrait = UITraitPreferredContentSizeCategory.self
    _ = preferredContentSizeCategory
    //: UITraitDisplayGamut
    let displayGamut: UITrait = UITraitDisplayGamut.self
    _ = displayGamut
    //: UITraitAccessibilityContrast
    let accessibilityContrast: UITrait = UITraitAccessibilityContrast.self
    _ = accessibilityContrast
    //: UITraitUserInterfaceLevel
    let userInterfaceLevel: UITrait = UITraitUserInterfaceLevel.self
    _ = userInterfaceLevel
    //: UITraitLegibilityWeight
    let legibilityWeight: UITrait = UITraitLegibilityWeight.self
    _ = legibilityWeight
    //: UITraitActiveAppearance
    let activeAppearance: UITrait = UITraitActiveAppearance.self
    _ = activeAppearance
    //: UITraitToolbarItemPresentationSize
    let toolbarItemPresentationSize: UITrait = UITraitToolbarItemPresentationSize.self
    _ = toolbarItemPresentationSize
    //: UITraitImageDynamicRange
    let imageDynamicRange: UITrait = UITraitImageDynamicRange.self
    _ = imageDynamicRange
    //: UITraitTypesettingLanguage
    let typesettingLanguage: UITrait = UITraitTypesettingLanguage.self
    _ = typesettingLanguage
    //: UITraitSceneCaptureState
    let sceneCaptureState: UITrait = UITraitSceneCaptureState.self
    _ = sceneCaptureState
    //: UITraitListEnvironment
    let listEnvironment: UITrait = UITraitListEnvironment.self
    _ = listEnvironment
    //: UITraitTabAccessoryEnvironment
    let tabAccessoryEnvironment: UITrait = UITraitTabAccessoryEnvironment.self
    _ = tabAccessoryEnvironment
    //: UITraitSplitViewControllerLayoutEnvironment
    let splitViewControllerLayoutEnvironment: UITrait = UITraitSplitViewControllerLayoutEnvironment
        .self
    _ = splitViewControllerLayoutEnvironment
    //: UITraitHDRHeadroomUsageLimit
    let hDRHeadroomUsageLimit: UITrait = UITraitHDRHeadroomUsageLimit.self
    _ = hDRHeadroomUsageLimit
    //: UITraitResolvesNaturalAlignmentWithBaseWritingDirection
    let resolvesNaturalAlignmentWithBaseWritingDirection: UITrait =
        UITraitResolvesNaturalAlignmentWithBaseWritingDirection.self
    _ = resolvesNaturalAlignmentWithBaseWritingDirection
    //: UITraitSystemPrefersReducedResourceUsage
    let systemPrefersReducedResourceUsage: UITrait = UITraitSystemPrefersReducedResourceUsage.self
    _ = systemPrefersReducedResourceUsage
    //: UITraitNavigationTitleAlignment
    let navigationTitleAlignment: UITrait = UITraitNavigationTitleAlignment.self
    _ = navigationTitleAlignment
}
