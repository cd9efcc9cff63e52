// Every member of UITraitOverrides that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ overrides: inout UITraitOverrides) {
    //: contains(_:)
    let contains: Bool = overrides.contains(UITraitDisplayScale.self)
    _ = contains
    //: remove(_:)
    overrides.remove(UITraitDisplayScale.self)
    //: subscript(_:)
    overrides[UITraitDisplayScale.self] = 2
    //: debugDescription
    _ = overrides.debugDescription
    //: customMirror
    _ = overrides.customMirror
}
