// Every member of UIUserInterfaceStyle that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIUserInterfaceStyle.unspecified
    _ = value0
    //: light
    let value1 = UIUserInterfaceStyle.light
    _ = value1
    //: dark
    let value2 = UIUserInterfaceStyle.dark
    _ = value2
    //: init(rawValue:)
    let made: UIUserInterfaceStyle? = UIUserInterfaceStyle(rawValue: 0)
    _ = made
    //: init(_:)
    _ = UIUserInterfaceStyle(ColorScheme?.none)
}
