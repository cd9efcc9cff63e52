// Every member of UIForceTouchCapability that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unknown
    let value0 = UIForceTouchCapability.unknown
    _ = value0
    //: unavailable
    let value1 = UIForceTouchCapability.unavailable
    _ = value1
    //: available
    let value2 = UIForceTouchCapability.available
    _ = value2
    //: init(rawValue:)
    let made: UIForceTouchCapability? = UIForceTouchCapability(rawValue: 0)
    _ = made
}
