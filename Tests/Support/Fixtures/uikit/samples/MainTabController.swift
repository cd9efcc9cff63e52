// Tabs, with bars that follow the size classes.

import TraitKitUI

final class MainTabController: UITabBarController {
    override func viewDidLoad() {
        super.viewDidLoad()
        viewControllers = ["Home", "Search", "Profile"].enumerated().map { index, title in
            let root = UIViewController()
            root.title = title
            let navigation = UINavigationController(rootViewController: root)
            navigation.tabBarItem = UITabBarItem(
                title: title, image: UIImage(systemName: "\(index).circle"), tag: index)
            navigation.navigationBar.prefersLargeTitles = true
            return navigation
        }
        selectedIndex = 1
        tabBar.tintColor = .systemIndigo
        tabBar.isTranslucent = true
        updateBadge()
        registerForTraitChanges([UITraitVerticalSizeClass.self, UITraitHorizontalSizeClass.self]) {
            [unowned self] (_: MainTabController, _: UITraitCollection) in
            updateBadge()
        }
    }

    private func updateBadge() {
        let isCompact = traitCollection.verticalSizeClass == .compact
        tabBar.isHidden = isCompact
        viewControllers?.last?.tabBarItem.badgeValue = isCompact ? nil : "1"
        for controller in viewControllers ?? [] {
            (controller as? UINavigationController)?.topViewController?.additionalSafeAreaInsets =
                UIEdgeInsets(top: 0, left: 0, bottom: isCompact ? 0 : 8, right: 0)
        }
    }
}
