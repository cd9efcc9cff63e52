// Every member of UIAccessibility that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: isVoiceOverRunning
    _ = UIAccessibility.isVoiceOverRunning
    //: isReduceMotionEnabled
    _ = UIAccessibility.isReduceMotionEnabled
    //: isBoldTextEnabled
    _ = UIAccessibility.isBoldTextEnabled
    //: isReduceTransparencyEnabled
    _ = UIAccessibility.isReduceTransparencyEnabled
    //: isDarkerSystemColorsEnabled
    _ = UIAccessibility.isDarkerSystemColorsEnabled
    //: isInvertColorsEnabled
    _ = UIAccessibility.isInvertColorsEnabled
    //: boldTextStatusDidChangeNotification
    _ = UIAccessibility.boldTextStatusDidChangeNotification
    //: post(notification:argument:)
    UIAccessibility.post(notification: .screenChanged, argument: nil)
}
