// Every member of UINavigationBar that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ bar: UINavigationBar) {
    //: barTintColor
    bar.barTintColor = .red
    //: isTranslucent
    bar.isTranslucent = false
    //: prefersLargeTitles
    bar.prefersLargeTitles = true
    //: titleTextAttributes
    bar.titleTextAttributes = [.foregroundColor: UIColor.red]
    //: standardAppearance
    bar.standardAppearance = UINavigationBarAppearance()
    //: compactAppearance
    bar.compactAppearance = nil
    //: scrollEdgeAppearance
    bar.scrollEdgeAppearance = bar.standardAppearance
}
