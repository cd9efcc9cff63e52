// Every member of UITraitEnvironment that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ environment: any UITraitEnvironment) {
    //: traitCollection
    let traits: UITraitCollection = environment.traitCollection
    _ = traits
    //: traitCollectionDidChange(_:)
    environment.traitCollectionDidChange(nil)
}
