// Every member of NSLayoutXAxisAnchor that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UIView) {
    //: constraint(equalToSystemSpacingAfter:multiplier:)
    _ = view.leadingAnchor.constraint(equalToSystemSpacingAfter: view.trailingAnchor, multiplier: 1)
}
