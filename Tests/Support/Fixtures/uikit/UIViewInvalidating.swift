// Every member of UIViewInvalidating that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

//: invalidate(view:)
struct Reload: UIViewInvalidating {
    func invalidate(view: UIView) { view.setNeedsLayout() }
}

final class Invalidated: UIView {
    //: Invalidating
    @Invalidating(Reload()) var reloads = 0
    //: layout
    @Invalidating(.layout) var spacing = 8.0
    //: display
    @Invalidating(.display) var lineWidth = 1.0
    //: constraints
    @Invalidating(.constraints) var isCompact = false
    //: properties
    @Invalidating(.properties) var title = ""
    //: configuration
    @Invalidating(.configuration, .layout) var badge: Int? = nil
    //: intrinsicContentSize
    var size: UIView.Invalidations.IntrinsicContentSize { .intrinsicContentSize }
}
