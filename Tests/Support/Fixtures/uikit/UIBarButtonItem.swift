// Every member of UIBarButtonItem that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ item: UIBarButtonItem) {
    //: init(systemItem:primaryAction:)
    _ = UIBarButtonItem(systemItem: .close, primaryAction: UIAction { _ in })
    //: init(title:image:primaryAction:)
    _ = UIBarButtonItem(title: "a", primaryAction: UIAction { _ in })
    //: init(customView:)
    _ = UIBarButtonItem(customView: UIView())
    //: title
    item.title = "a"
    //: image
    item.image = nil
    //: isEnabled
    item.isEnabled = false
    //: tag
    item.tag = 1
    //: tintColor
    item.tintColor = .red
    //: width
    item.width = 1
    //: customView
    item.customView = nil
    //: primaryAction
    item.primaryAction = nil
    //: accessibilityLabel
    item.accessibilityLabel = "a"
    //: accessibilityIdentifier
    item.accessibilityIdentifier = "a"
}
