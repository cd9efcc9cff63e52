// Every member of UIUserInterfaceActiveAppearance that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIUserInterfaceActiveAppearance.unspecified
    _ = value0
    //: inactive
    let value1 = UIUserInterfaceActiveAppearance.inactive
    _ = value1
    //: active
    let value2 = UIUserInterfaceActiveAppearance.active
    _ = value2
    //: init(rawValue:)
    let made: UIUserInterfaceActiveAppearance? = UIUserInterfaceActiveAppearance(rawValue: 0)
    _ = made
}
