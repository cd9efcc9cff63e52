// Every member of UIListEnvironment that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIListEnvironment.unspecified
    _ = value0
    //: none
    let value1 = UIListEnvironment.none
    _ = value1
    //: plain
    let value2 = UIListEnvironment.plain
    _ = value2
    //: grouped
    let value3 = UIListEnvironment.grouped
    _ = value3
    //: insetGrouped
    let value4 = UIListEnvironment.insetGrouped
    _ = value4
    //: sidebar
    let value5 = UIListEnvironment.sidebar
    _ = value5
    //: sidebarPlain
    let value6 = UIListEnvironment.sidebarPlain
    _ = value6
    //: init(rawValue:)
    let made: UIListEnvironment? = UIListEnvironment(rawValue: 0)
    _ = made
}
