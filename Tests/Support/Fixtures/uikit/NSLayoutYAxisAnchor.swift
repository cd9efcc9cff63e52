// Every member of NSLayoutYAxisAnchor that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UIView) {
    //: constraint(equalToSystemSpacingBelow:multiplier:)
    _ = view.topAnchor.constraint(equalToSystemSpacingBelow: view.bottomAnchor, multiplier: 1)
}
