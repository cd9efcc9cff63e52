// Every member of UIDisplayGamut that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIDisplayGamut.unspecified
    _ = value0
    //: SRGB
    let value1 = UIDisplayGamut.SRGB
    _ = value1
    //: P3
    let value2 = UIDisplayGamut.P3
    _ = value2
    //: init(rawValue:)
    let made: UIDisplayGamut? = UIDisplayGamut(rawValue: 0)
    _ = made
}
