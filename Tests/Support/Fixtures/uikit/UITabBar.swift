// Every member of UITabBar that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ bar: UITabBar) {
    //: barTintColor
    bar.barTintColor = .red
    //: isTranslucent
    bar.isTranslucent = false
    //: unselectedItemTintColor
    bar.unselectedItemTintColor = .gray
    //: standardAppearance
    bar.standardAppearance = UITabBarAppearance()
    //: scrollEdgeAppearance
    bar.scrollEdgeAppearance = nil
}
