// Every member of UITrait that TraitKitUI has, each under its name; see members.tsv.

import TraitKitUI

@MainActor func use() {
    //: UITrait
    let trait: UITrait = UITraitDisplayScale.self
    _ = trait
}
