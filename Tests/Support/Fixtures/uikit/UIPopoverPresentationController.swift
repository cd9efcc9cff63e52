// Every member of UIPopoverPresentationController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ popover: UIPopoverPresentationController, _ view: UIView) {
    //: delegate
    _ = popover.delegate
    //: sourceView
    popover.sourceView = view
    //: sourceRect
    popover.sourceRect = view.bounds
    //: permittedArrowDirections
    popover.permittedArrowDirections = [.up, .any]
}

@MainActor func useMore(_ popover: UIPopoverPresentationController) {
    //: barButtonItem
    popover.barButtonItem = nil
    //: backgroundColor
    popover.backgroundColor = .red
}
