// Every member of UIAction that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ action: UIAction) {
    //: init(title:image:identifier:handler:)
    _ = UIAction(title: "a", image: nil, handler: { _ in })
    //: title
    action.title = "a"
    //: image
    action.image = nil
    //: identifier
    _ = action.identifier
}
