// Every member of UINavigationBarAppearance that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init()
    let appearance = UINavigationBarAppearance()
    //: configureWithDefaultBackground()
    appearance.configureWithDefaultBackground()
    //: configureWithOpaqueBackground()
    appearance.configureWithOpaqueBackground()
    //: configureWithTransparentBackground()
    appearance.configureWithTransparentBackground()
    //: backgroundColor
    appearance.backgroundColor = .red
    //: shadowColor
    appearance.shadowColor = nil
    //: titleTextAttributes
    appearance.titleTextAttributes = [.font: UIFont.systemFont(ofSize: 17)]
    //: largeTitleTextAttributes
    appearance.largeTitleTextAttributes = [:]
}
