// Every member of UITraitCollection that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init()
    _ = UITraitCollection()
    //: init(userInterfaceIdiom:)
    _ = UITraitCollection(userInterfaceIdiom: .phone)
    //: init(userInterfaceStyle:)
    _ = UITraitCollection(userInterfaceStyle: .dark)
    //: init(layoutDirection:)
    _ = UITraitCollection(layoutDirection: .rightToLeft)
    //: init(displayScale:)
    _ = UITraitCollection(displayScale: 2)
    //: init(horizontalSizeClass:)
    _ = UITraitCollection(horizontalSizeClass: .compact)
    //: init(verticalSizeClass:)
    _ = UITraitCollection(verticalSizeClass: .regular)
    //: init(forceTouchCapability:)
    _ = UITraitCollection(forceTouchCapability: .available)
    //: init(preferredContentSizeCategory:)
    _ = UITraitCollection(preferredContentSizeCategory: .large)
    //: init(displayGamut:)
    _ = UITraitCollection(displayGamut: .P3)
    //: init(accessibilityContrast:)
    _ = UITraitCollection(accessibilityContrast: .high)
    //: init(userInterfaceLevel:)
    _ = UITraitCollection(userInterfaceLevel: .elevated)
    //: init(legibilityWeight:)
    _ = UITraitCollection(legibilityWeight: .bold)
    //: init(activeAppearance:)
    _ = UITraitCollection(activeAppearance: .active)
    //: init(toolbarItemPresentationSize:)
    _ = UITraitCollection(toolbarItemPresentationSize: .small)
    //: init(imageDynamicRange:)
    _ = UITraitCollection(imageDynamicRange: .high)
    //: init(typesettingLanguage:)
    _ = UITraitCollection(typesettingLanguage: .init(identifier: "ja"))
    //: init(sceneCaptureState:)
    _ = UITraitCollection(sceneCaptureState: .active)
    //: init(listEnvironment:)
    _ = UITraitCollection(listEnvironment: .sidebar)
    //: init(tabAccessoryEnvironment:)
    _ = UITraitCollection(tabAccessoryEnvironment: .inline)
    //: init(hdrHeadroomUsageLimit:)
    _ = UITraitCollection(hdrHeadroomUsageLimit: .active)
    //: init(resolvesNaturalAlignmentWithBaseWritingDirection:)
    _ = UITraitCollection(resolvesNaturalAlignmentWithBaseWritingDirection: true)
    //: init(systemPrefersReducedResourceUsage:)
    _ = UITraitCollection(systemPrefersReducedResourceUsage: true)
    //: init(traitsFrom:)
    _ = UITraitCollection(traitsFrom: [UITraitCollection()])
    //: init(mutations:)
    let traits = UITraitCollection { mutableTraits in
        mutableTraits.userInterfaceStyle = .dark
    }
    _ = UITraitCollection(mutations: { (traits: inout UIMutableTraits) in traits.displayScale = 2 })
    //: init(_:value:)
    _ = UITraitCollection(UITraitDisplayScale.self, value: 3)
    //: modifyingTraits(_:)
    let modified: UITraitCollection = traits.modifyingTraits { $0.userInterfaceLevel = .base }
    _ = modified
    //: TraitMutations
    let mutations: UITraitCollection.TraitMutations = { $0.horizontalSizeClass = .compact }
    _ = UITraitCollection(mutations: mutations)
    //: replacing(_:value:)
    _ = traits.replacing(UITraitUserInterfaceStyle.self, value: .light)
    //: subscript(_:)
    let style: UIUserInterfaceStyle = traits[UITraitUserInterfaceStyle.self]
    _ = style
    //: current
    UITraitCollection.current = traits
    //: performAsCurrent(_:)
    traits.performAsCurrent { _ = UITraitCollection.current }
    //: changedTraits(from:)
    let changed: [UITrait] = traits.changedTraits(from: nil)
    _ = changed
    //: hasDifferentColorAppearance(comparedTo:)
    let differs: Bool = traits.hasDifferentColorAppearance(comparedTo: nil)
    _ = differs
    //: containsTraits(in:)
    let contains: Bool = traits.containsTraits(in: traits)
    _ = contains
    //: imageConfiguration
    let configuration: UIImage.Configuration = traits.imageConfiguration
    _ = configuration
    //: systemTraitsAffectingColorAppearance
    let colors: [UITrait] = UITraitCollection.systemTraitsAffectingColorAppearance
    _ = colors
    //: systemTraitsAffectingImageLookup
    let images: [UITrait] = UITraitCollection.systemTraitsAffectingImageLookup
    _ = images
    //: systemTraitsAffectingVerticalBarEdge
    let edges: [UITrait] = UITraitCollection.systemTraitsAffectingVerticalBarEdge
    _ = edges
    //: verticalBarEdge
    let edge: UIVerticalBarEdge = traits.verticalBarEdge
    _ = edge
    //: userInterfaceIdiom
    let userInterfaceIdiom: UIUserInterfaceIdiom = traits.userInterfaceIdiom
    _ = userInterfaceIdiom
    //: userInterfaceStyle
    let userInterfaceStyle: UIUserInterfaceStyle = traits.userInterfaceStyle
    _ = userInterfaceStyle
    //: layoutDirection
    let layoutDirection: UITraitEnvironmentLayoutDirection = traits.layoutDirection
    _ = layoutDirection
    //: displayScale
    let displayScale: CGFloat = traits.displayScale
    _ = displayScale
    //: horizontalSizeClass
    let horizontalSizeClass: UIUserInterfaceSizeClass = traits.horizontalSizeClass
    _ = horizontalSizeClass
    //: verticalSizeClass
    let verticalSizeClass: UIUserInterfaceSizeClass = traits.verticalSizeClass
    _ = verticalSizeClass
    //: forceTouchCapability
    let forceTouchCapability: UIForceTouchCapability = traits.forceTouchCapability
    _ = forceTouchCapability
    //: preferredContentSizeCategory
    let preferredContentSizeCategory: UIContentSizeCategory = traits.preferredContentSizeCategory
    _ = preferredContentSizeCategory
    //: displayGamut
    let displayGamut: UIDisplayGamut = traits.displayGamut
    _ = displayGamut
    //: accessibilityContrast
    let accessibilityContrast: UIAccessibilityContrast = traits.accessibilityContrast
    _ = accessibilityContrast
    //: userInterfaceLevel
    let userInterfaceLevel: UIUserInterfaceLevel = traits.userInterfaceLevel
    _ = userInterfaceLevel
    //: legibilityWeight
    let legibilityWeight: UILegibilityWeight = traits.legibilityWeight
    _ = legibilityWeight
    //: activeAppearance
    let activeAppearance: UIUserInterfaceActiveAppearance = traits.activeAppearance
    _ = activeAppearance
    //: toolbarItemPresentationSize
    let toolbarItemPresentationSize: UINSToolbarItemPresentationSize = traits
        .toolbarItemPresentationSize
    _ = toolbarItemPresentationSize
    //: imageDynamicRange
    let imageDynamicRange: UIImage.DynamicRange = traits.imageDynamicRange
    _ = imageDynamicRange
    //: typesettingLanguage
    let typesettingLanguage = traits.typesettingLanguage
    _ = typesettingLanguage
    //: sceneCaptureState
    let sceneCaptureState: UISceneCaptureState = traits.sceneCaptureState
    _ = sceneCaptureState
    //: listEnvironment
    let listEnvironment: UIListEnvironment = traits.listEnvironment
    _ = listEnvironment
    //: tabAccessoryEnvironment
    let tabAccessoryEnvironment: UITabAccessory.Environment = traits.tabAccessoryEnvironment
    _ = tabAccessoryEnvironment
    //: splitViewControllerLayoutEnvironment
    let splitViewControllerLayoutEnvironment: UISplitViewController.LayoutEnvironment = traits
        .splitViewControllerLayoutEnvironment
    _ = splitViewControllerLayoutEnvironment
    //: hdrHeadroomUsageLimit
    let hdrHeadroomUsageLimit: UIHDRHeadroomUsageLimit = traits.hdrHeadroomUsageLimit
    _ = hdrHeadroomUsageLimit
    //: resolvesNaturalAlignmentWithBaseWritingDirection
    let resolvesNaturalAlignmentWithBaseWritingDirection: Bool = traits
        .resolvesNaturalAlignmentWithBaseWritingDirection
    _ = resolvesNaturalAlignmentWithBaseWritingDirection
    //: systemPrefersReducedResourceUsage
    let systemPrefersReducedResourceUsage: Bool = traits.systemPrefersReducedResourceUsage
    _ = systemPrefersReducedResourceUsage
    //: navigationTitleAlignment
    let navigationTitleAlignment: UINavigationItem.TitleAlignment = traits.navigationTitleAlignment
    _ = navigationTitleAlignment
    //: debugDescription
    _ = UITraitCollection().debugDescription
}
