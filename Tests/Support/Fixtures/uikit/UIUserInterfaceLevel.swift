// Every member of UIUserInterfaceLevel that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIUserInterfaceLevel.unspecified
    _ = value0
    //: base
    let value1 = UIUserInterfaceLevel.base
    _ = value1
    //: elevated
    let value2 = UIUserInterfaceLevel.elevated
    _ = value2
    //: init(rawValue:)
    let made: UIUserInterfaceLevel? = UIUserInterfaceLevel(rawValue: 0)
    _ = made
}
