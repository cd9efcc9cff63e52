// Every member of UIAppearance that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: appearance()
    UIView.appearance().backgroundColor = .systemBackground
    //: appearance(for:)
    UIView.appearance(for: UITraitCollection(userInterfaceStyle: .dark)).tintColor = .systemRed
    //: appearance(whenContainedInInstancesOf:)
    UIView.appearance(whenContainedInInstancesOf: [UIWindow.self]).backgroundColor = .label
    //: appearance(for:whenContainedInInstancesOf:)
    UIView.appearance(for: UITraitCollection(), whenContainedInInstancesOf: [UIViewController.self])
        .backgroundColor = .label
}
