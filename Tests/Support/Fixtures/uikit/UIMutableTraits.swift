// Every member of UIMutableTraits that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ traits: inout any UIMutableTraits) {
    //: subscript(_:)
    traits[UITraitUserInterfaceStyle.self] = .dark
    //: userInterfaceIdiom
    traits.userInterfaceIdiom = .phone
    //: userInterfaceStyle
    traits.userInterfaceStyle = .dark
    //: layoutDirection
    traits.layoutDirection = .rightToLeft
    //: displayScale
    traits.displayScale = 2
    //: horizontalSizeClass
    traits.horizontalSizeClass = .compact
    //: verticalSizeClass
    traits.verticalSizeClass = .regular
    //: forceTouchCapability
    traits.forceTouchCapability = .available
    //: preferredContentSizeCategory
    traits.preferredContentSizeCategory = .large
    //: displayGamut
    traits.displayGamut = .P3
    //: accessibilityContrast
    traits.accessibilityContrast = .high
    //: userInterfaceLevel
    traits.userInterfaceLevel = .elevated
    //: legibilityWeight
    traits.legibilityWeight = .bold
    //: activeAppearance
    traits.activeAppearance = .active
    //: toolbarItemPresentationSize
    traits.toolbarItemPresentationSize = .small
    //: imageDynamicRange
    traits.imageDynamicRange = .high
    //: typesettingLanguage
    traits.typesettingLanguage = .init(identifier: "ja")
    //: sceneCaptureState
    traits.sceneCaptureState = .active
    //: listEnvironment
    traits.listEnvironment = .sidebar
    //: tabAccessoryEnvironment
    traits.tabAccessoryEnvironment = .inline
    //: splitViewControllerLayoutEnvironment
    traits.splitViewControllerLayoutEnvironment = .expanded
    //: headroomUsageLimit
    traits.headroomUsageLimit = .active
    //: hdrHeadroomUsageLimit
    traits.hdrHeadroomUsageLimit = .active
    //: resolvesNaturalAlignmentWithBaseWritingDirection
    traits.resolvesNaturalAlignmentWithBaseWritingDirection = true
    //: systemPrefersReducedResourceUsage
    traits.systemPrefersReducedResourceUsage = true
    //: navigationTitleAlignment
    traits.navigationTitleAlignment = .center
}
