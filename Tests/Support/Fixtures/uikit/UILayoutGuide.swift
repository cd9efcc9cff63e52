// Every member of UILayoutGuide that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ guide: UILayoutGuide) {
    //: init()
    _ = UILayoutGuide()
    //: owningView
    _ = guide.owningView
    //: identifier
    guide.identifier = "a"
    //: leadingAnchor
    _ = guide.leadingAnchor
    //: topAnchor
    _ = guide.topAnchor
    //: widthAnchor
    _ = guide.widthAnchor
}
