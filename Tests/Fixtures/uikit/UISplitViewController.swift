// Every member of UISplitViewController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ split: UISplitViewController) {
    //: isCollapsed
    let collapsed: Bool = split.isCollapsed
    _ = collapsed
    //: setViewController(_:for:)
    split.setViewController(UIViewController(), for: .primary)
    //: viewController(for:)
    _ = split.viewController(for: .secondary)
    //: LayoutEnvironment
    let environment: UISplitViewController.LayoutEnvironment = .expanded
    _ = environment
    //: Column
    let column: UISplitViewController.Column = .supplementary
    _ = column
    //: init(style:)
    _ = UISplitViewController(style: .doubleColumn)
    //: style
    _ = split.style
}

@MainActor func use2(_ split: UISplitViewController) {
    //: delegate
    split.delegate = nil
}
