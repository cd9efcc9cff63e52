// Every member of UITraitChangeRegistration that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: UITraitChangeRegistration
    weak var registration: (any UITraitChangeRegistration)? = nil
    _ = registration
    //: copy()
    _ = UIView()
        .registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (_: UIView, _) in }.copy()
}
