// Every member of UIHDRHeadroomUsageLimit that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIHDRHeadroomUsageLimit.unspecified
    _ = value0
    //: active
    let value1 = UIHDRHeadroomUsageLimit.active
    _ = value1
    //: inactive
    let value2 = UIHDRHeadroomUsageLimit.inactive
    _ = value2
    //: init(rawValue:)
    let made: UIHDRHeadroomUsageLimit? = UIHDRHeadroomUsageLimit(rawValue: 0)
    _ = made
}
