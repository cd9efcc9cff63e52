// Every member of UIEdgeInsets that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ insets: UIEdgeInsets) {
    //: init(top:left:bottom:right:)
    _ = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    //: top
    _ = insets.top
    //: left
    _ = insets.left
    //: bottom
    _ = insets.bottom
    //: right
    _ = insets.right
    //: zero
    _ = insets == .zero
    //: inset(by:)
    _ = CGRect.zero.inset(by: insets)
}
