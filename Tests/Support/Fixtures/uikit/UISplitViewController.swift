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

@MainActor func useMore(_ split: UISplitViewController) {
    //: preferredDisplayMode
    split.preferredDisplayMode = .oneBesideSecondary
    //: preferredSplitBehavior
    split.preferredSplitBehavior = .tile
    //: primaryBackgroundStyle
    split.primaryBackgroundStyle = .sidebar
    //: presentsWithGesture
    split.presentsWithGesture = false
    //: preferredPrimaryColumnWidth
    split.preferredPrimaryColumnWidth = 300
    //: minimumPrimaryColumnWidth
    split.minimumPrimaryColumnWidth = 200
    //: maximumPrimaryColumnWidth
    split.maximumPrimaryColumnWidth = 400
    //: automaticDimension
    _ = UISplitViewController.automaticDimension
    //: DisplayMode
    let mode: UISplitViewController.DisplayMode = .secondaryOnly
    _ = mode
}
