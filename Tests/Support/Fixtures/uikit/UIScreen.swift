// Every member of UIScreen that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ screen: UIScreen) {
    //: traitCollection
    let traits: UITraitCollection = screen.traitCollection
    _ = traits
    //: scale
    let scale: CGFloat = screen.scale
    _ = scale
    //: main
    _ = UIScreen.main.traitCollection
}

@MainActor func use2(_ screen: UIScreen) {
    //: bounds
    _ = screen.bounds.width
}
