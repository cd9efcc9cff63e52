// Every member of UITabBarItem that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ item: UITabBarItem) {
    //: init(title:image:tag:)
    _ = UITabBarItem(title: "title", image: nil, tag: 0)
    //: title
    item.title = "title"
    //: image
    item.image = nil
    //: tag
    item.tag = 1
    //: badgeValue
    item.badgeValue = "1"
    //: badgeColor
    item.badgeColor = .red
}
