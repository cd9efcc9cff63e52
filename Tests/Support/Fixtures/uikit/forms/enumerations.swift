// A `switch` with `@unknown default`, and raw values. Compiled without warnings in both modes.

import TraitKitUI

@MainActor func choose(_ traits: UITraitCollection, _ view: UIView) {
    //: switch over UIUserInterfaceStyle
    switch traits.userInterfaceStyle {
    case .light, .unspecified: break
    case .dark: break
    @unknown default: break
    }
    //: switch over UIUserInterfaceSizeClass
    switch traits.horizontalSizeClass {
    case .compact: break
    case .regular: break
    case .unspecified: break
    @unknown default: break
    }
    //: switch over two size classes
    switch (traits.horizontalSizeClass, traits.verticalSizeClass) {
    case (.regular, .regular): break
    case (.compact, _): break
    default: break
    }
    //: switch over UIUserInterfaceIdiom
    switch traits.userInterfaceIdiom {
    case .phone, .pad, .tv, .carPlay, .mac, .vision, .unspecified: break
    @unknown default: break
    }
    //: switch over UIAccessibilityContrast
    switch traits.accessibilityContrast {
    case .normal, .high, .unspecified: break
    @unknown default: break
    }
    //: switch over UIUserInterfaceLevel
    switch traits.userInterfaceLevel {
    case .base, .elevated, .unspecified: break
    @unknown default: break
    }
    //: switch over UIDisplayGamut
    switch traits.displayGamut {
    case .P3, .SRGB, .unspecified: break
    @unknown default: break
    }
    //: switch over UITraitEnvironmentLayoutDirection
    switch traits.layoutDirection {
    case .leftToRight, .rightToLeft, .unspecified: break
    @unknown default: break
    }
    //: switch over UILegibilityWeight
    switch traits.legibilityWeight {
    case .regular, .bold, .unspecified: break
    @unknown default: break
    }
    //: switch over UIForceTouchCapability
    switch traits.forceTouchCapability {
    case .available, .unavailable, .unknown: break
    @unknown default: break
    }
    //: switch over UIUserInterfaceActiveAppearance
    switch traits.activeAppearance {
    case .active, .inactive, .unspecified: break
    @unknown default: break
    }
    //: switch over UISceneCaptureState
    switch traits.sceneCaptureState {
    case .active, .inactive, .unspecified: break
    @unknown default: break
    }
    //: switch over UIImage.DynamicRange
    switch traits.imageDynamicRange {
    case .standard, .constrainedHigh, .high, .unspecified: break
    @unknown default: break
    }
    //: switch over UIListEnvironment
    switch traits.listEnvironment {
    case .none, .plain, .grouped, .insetGrouped, .sidebar, .sidebarPlain, .unspecified: break
    @unknown default: break
    }
    //: switch over UIModalPresentationStyle
    switch UIModalPresentationStyle.formSheet {
    case .fullScreen, .pageSheet, .formSheet, .currentContext, .custom, .overFullScreen,
        .overCurrentContext, .blurOverFullScreen, .popover, .none, .automatic:
        break
    @unknown default: break
    }
    //: switch over UISemanticContentAttribute
    switch view.semanticContentAttribute {
    case .unspecified, .playback, .spatial, .forceLeftToRight, .forceRightToLeft: break
    @unknown default: break
    }
    //: switch over UIUserInterfaceLayoutDirection
    switch view.effectiveUserInterfaceLayoutDirection {
    case .leftToRight, .rightToLeft: break
    @unknown default: break
    }
    //: switch over UIContentSizeCategory
    switch traits.preferredContentSizeCategory {
    case .extraSmall, .small, .medium: break
    default: break
    }
    //: init(rawValue:) with a stored number
    view.overrideUserInterfaceStyle = UIUserInterfaceStyle(rawValue: 2) ?? .unspecified
    //: rawValue
    let number: Int = traits.userInterfaceStyle.rawValue
    _ = number
    //: if case
    if case .dark = traits.userInterfaceStyle {}
    //: extension of an enumeration
    _ = traits.userInterfaceStyle.isDark
}

extension UIUserInterfaceStyle {
    var isDark: Bool { self == .dark }
}
