// Every member of UINavigationItem that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ item: UINavigationItem) {
    //: init(title:)
    _ = UINavigationItem(title: "a")
    //: title
    item.title = "a"
    //: prompt
    item.prompt = "a"
    //: titleView
    item.titleView = nil
    //: backButtonTitle
    item.backButtonTitle = "a"
    //: hidesBackButton
    item.hidesBackButton = true
    //: largeTitleDisplayMode
    item.largeTitleDisplayMode = .never
    //: leftBarButtonItem
    item.leftBarButtonItem = nil
    //: leftBarButtonItems
    item.leftBarButtonItems = []
    //: rightBarButtonItem
    item.rightBarButtonItem = UIBarButtonItem(systemItem: .done)
    //: rightBarButtonItems
    item.rightBarButtonItems = nil
}
