// Every member of UISplitViewController.LayoutEnvironment that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: none
    let value0 = UISplitViewController.LayoutEnvironment.none
    _ = value0
    //: expanded
    let value1 = UISplitViewController.LayoutEnvironment.expanded
    _ = value1
    //: collapsed
    let value2 = UISplitViewController.LayoutEnvironment.collapsed
    _ = value2
    //: init(rawValue:)
    let made: UISplitViewController.LayoutEnvironment? = UISplitViewController.LayoutEnvironment(
        rawValue: 0)
    _ = made
}
