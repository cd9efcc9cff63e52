// Every member of UIWindowScene that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ scene: UIWindowScene) {
    //: traitCollection
    let traits: UITraitCollection = scene.traitCollection
    _ = traits
    //: traitOverrides
    scene.traitOverrides.userInterfaceStyle = .dark
    //: screen
    let screen: UIScreen = scene.screen
    _ = screen
}
