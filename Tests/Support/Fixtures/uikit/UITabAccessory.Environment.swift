// Every member of UITabAccessory.Environment that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UITabAccessory.Environment.unspecified
    _ = value0
    //: none
    let value1 = UITabAccessory.Environment.none
    _ = value1
    //: regular
    let value2 = UITabAccessory.Environment.regular
    _ = value2
    //: inline
    let value3 = UITabAccessory.Environment.inline
    _ = value3
    //: init(rawValue:)
    let made: UITabAccessory.Environment? = UITabAccessory.Environment(rawValue: 0)
    _ = made
}
