// Every member of UIVerticalBarEdge that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIVerticalBarEdge.unspecified
    _ = value0
    //: leading
    let value1 = UIVerticalBarEdge.leading
    _ = value1
    //: trailing
    let value2 = UIVerticalBarEdge.trailing
    _ = value2
    //: init(rawValue:)
    let made: UIVerticalBarEdge? = UIVerticalBarEdge(rawValue: 0)
    _ = made
}
