// Every member of UINavigationController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ root: UIViewController) {
    //: init(rootViewController:)
    let stack = UINavigationController(rootViewController: root)
    //: viewControllers
    let all: [UIViewController] = stack.viewControllers
    _ = all
    //: topViewController
    _ = stack.topViewController
    //: visibleViewController
    _ = stack.visibleViewController
    //: setViewControllers(_:animated:)
    stack.setViewControllers([root], animated: false)
    //: pushViewController(_:animated:)
    stack.pushViewController(UIViewController(), animated: true)
    //: popViewController(animated:)
    stack.popViewController(animated: true)
    //: popToViewController(_:animated:)
    stack.popToViewController(root, animated: true)
    //: popToRootViewController(animated:)
    stack.popToRootViewController(animated: true)
    //: navigationBar
    stack.navigationBar.tintColor = .systemRed
    //: isNavigationBarHidden
    stack.isNavigationBarHidden = true
    //: setNavigationBarHidden(_:animated:)
    stack.setNavigationBarHidden(false, animated: true)
}
