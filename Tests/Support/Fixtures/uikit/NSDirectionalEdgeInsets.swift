// Every member of NSDirectionalEdgeInsets that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ insets: NSDirectionalEdgeInsets) {
    //: init(top:leading:bottom:trailing:)
    _ = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
    //: top
    _ = insets.top
    //: leading
    _ = insets.leading
    //: bottom
    _ = insets.bottom
    //: trailing
    _ = insets.trailing
    //: zero
    _ = insets == .zero
}
