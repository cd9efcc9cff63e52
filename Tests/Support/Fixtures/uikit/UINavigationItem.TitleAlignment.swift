// Every member of UINavigationItem.TitleAlignment that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: automatic
    let value0 = UINavigationItem.TitleAlignment.automatic
    _ = value0
    //: leading
    let value1 = UINavigationItem.TitleAlignment.leading
    _ = value1
    //: center
    let value2 = UINavigationItem.TitleAlignment.center
    _ = value2
    //: init(rawValue:)
    let made: UINavigationItem.TitleAlignment? = UINavigationItem.TitleAlignment(rawValue: 0)
    _ = made
}
