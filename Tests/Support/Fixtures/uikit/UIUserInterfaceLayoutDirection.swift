// Every member of UIUserInterfaceLayoutDirection that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ direction: UIUserInterfaceLayoutDirection) {
    //: leftToRight
    _ = direction == .leftToRight
    //: rightToLeft
    _ = direction == .rightToLeft
    //: rawValue
    _ = direction.rawValue
    //: init(rawValue:)
    _ = UIUserInterfaceLayoutDirection(rawValue: 1)
}
