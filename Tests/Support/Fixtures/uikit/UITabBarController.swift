// Every member of UITabBarController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ first: UIViewController) {
    //: viewControllers
    let tabs = UITabBarController()
    tabs.viewControllers = [first]
    //: setViewControllers(_:animated:)
    tabs.setViewControllers([first], animated: false)
    //: selectedIndex
    tabs.selectedIndex = 0
    //: selectedViewController
    tabs.selectedViewController = first
    //: tabBar
    tabs.tabBar.tintColor = .systemRed
}
