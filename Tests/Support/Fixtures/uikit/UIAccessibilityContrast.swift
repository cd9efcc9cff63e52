// Every member of UIAccessibilityContrast that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIAccessibilityContrast.unspecified
    _ = value0
    //: normal
    let value1 = UIAccessibilityContrast.normal
    _ = value1
    //: high
    let value2 = UIAccessibilityContrast.high
    _ = value2
    //: init(rawValue:)
    let made: UIAccessibilityContrast? = UIAccessibilityContrast(rawValue: 0)
    _ = made
    //: init(_:)
    _ = UIAccessibilityContrast(ColorSchemeContrast?.none)
}
