// Every member of UIUserInterfaceSizeClass that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIUserInterfaceSizeClass.unspecified
    _ = value0
    //: compact
    let value1 = UIUserInterfaceSizeClass.compact
    _ = value1
    //: regular
    let value2 = UIUserInterfaceSizeClass.regular
    _ = value2
    //: init(rawValue:)
    let made: UIUserInterfaceSizeClass? = UIUserInterfaceSizeClass(rawValue: 0)
    _ = made
    //: init(_:)
    _ = UIUserInterfaceSizeClass(UIUserInterfaceSizeClass?.none)
}
