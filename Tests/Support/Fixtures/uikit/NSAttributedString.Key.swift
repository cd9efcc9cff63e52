// Every member of NSAttributedString.Key that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: foregroundColor
    _ = NSAttributedString.Key.foregroundColor
    //: backgroundColor
    _ = NSAttributedString.Key.backgroundColor
    //: font
    _ = NSAttributedString.Key.font
    //: kern
    _ = NSAttributedString.Key.kern
    //: paragraphStyle
    _ = NSAttributedString.Key.paragraphStyle
}
