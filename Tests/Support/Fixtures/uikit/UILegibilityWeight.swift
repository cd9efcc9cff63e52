// Every member of UILegibilityWeight that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UILegibilityWeight.unspecified
    _ = value0
    //: regular
    let value1 = UILegibilityWeight.regular
    _ = value1
    //: bold
    let value2 = UILegibilityWeight.bold
    _ = value2
    //: init(rawValue:)
    let made: UILegibilityWeight? = UILegibilityWeight(rawValue: 0)
    _ = made
    //: init(_:)
    _ = UILegibilityWeight(UILegibilityWeight?.none)
}
