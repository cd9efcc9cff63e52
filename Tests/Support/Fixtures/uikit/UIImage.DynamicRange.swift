// Every member of UIImage.DynamicRange that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIImage.DynamicRange.unspecified
    _ = value0
    //: standard
    let value1 = UIImage.DynamicRange.standard
    _ = value1
    //: constrainedHigh
    let value2 = UIImage.DynamicRange.constrainedHigh
    _ = value2
    //: high
    let value3 = UIImage.DynamicRange.high
    _ = value3
    //: init(rawValue:)
    let made: UIImage.DynamicRange? = UIImage.DynamicRange(rawValue: 0)
    _ = made
}
