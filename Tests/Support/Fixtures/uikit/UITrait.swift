// Every member of UITrait that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: UITrait
    let trait: UITrait = UITraitDisplayScale.self
    _ = trait
}
