// Every member of UIViewController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(nibName:bundle:)
    let controller = UIViewController(nibName: nil, bundle: nil)
    //: traitCollection
    let traits: UITraitCollection = controller.traitCollection
    _ = traits
    //: traitOverrides
    controller.traitOverrides.remove(UITraitDisplayScale.self)
    //: updateTraitsIfNeeded()
    controller.updateTraitsIfNeeded()
    //: overrideUserInterfaceStyle
    controller.overrideUserInterfaceStyle = .dark
    //: setOverrideTraitCollection(_:forChild:)
    let child = UIViewController()
    controller.addChild(child)
    controller.setOverrideTraitCollection(traits, forChild: child)
    //: overrideTraitCollection(forChild:)
    let given: UITraitCollection? = controller.overrideTraitCollection(forChild: child)
    _ = given
    //: viewIsAppearing(_:)
    controller.viewIsAppearing(false)
    //: viewWillLayoutSubviews()
    controller.viewWillLayoutSubviews()
    //: viewDidLayoutSubviews()
    controller.viewDidLayoutSubviews()
    //: updateViewConstraints()
    controller.updateViewConstraints()
    //: updateContentUnavailableConfiguration(using:)
    final class Empty: UIViewController {
        override func updateContentUnavailableConfiguration(
            using state: UIContentUnavailableConfigurationState
        ) {}
    }
    _ = Empty()
    //: setNeedsUpdateContentUnavailableConfiguration()
    controller.setNeedsUpdateContentUnavailableConfiguration()
    //: updateProperties()
    controller.updateProperties()
    //: setNeedsUpdateProperties()
    controller.setNeedsUpdateProperties()
    //: updatePropertiesIfNeeded()
    controller.updatePropertiesIfNeeded()
    //: willTransition(to:with:)
    final class Adapting: UIViewController {
        override func willTransition(
            to newCollection: UITraitCollection,
            with coordinator: any UIViewControllerTransitionCoordinator
        ) {
            super.willTransition(to: newCollection, with: coordinator)
            coordinator.animate(alongsideTransition: { _ in })
        }
    }
    _ = Adapting()
    //: traitCollectionDidChange(_:)
    controller.traitCollectionDidChange(nil)
    //: modalPresentationStyle
    controller.modalPresentationStyle = .formSheet
    //: presentationController
    let presentation: UIPresentationController? = controller.presentationController
    _ = presentation
    //: sheetPresentationController
    let sheet: UISheetPresentationController? = controller.sheetPresentationController
    _ = sheet
    //: splitViewController
    let split: UISplitViewController? = controller.splitViewController
    _ = split
    //: init(coder:)
    _ = UIViewController(coder: NSCoder())
    //: contentUnavailableConfigurationState
    let state: UIContentUnavailableConfigurationState =
        controller.contentUnavailableConfigurationState
    _ = state
    //: activePresentationController
    let active: UIPresentationController? = controller.activePresentationController
    _ = active
    //: transitioningDelegate
    controller.transitioningDelegate = nil
    //: navigationController
    _ = controller.navigationController
    //: tabBarController
    _ = controller.tabBarController
    //: popoverPresentationController
    _ = controller.popoverPresentationController
    //: beginAppearanceTransition(_:animated:)
    controller.beginAppearanceTransition(true, animated: false)
    //: endAppearanceTransition()
    controller.endAppearanceTransition()
    //: shouldAutomaticallyForwardAppearanceMethods
    _ = controller.shouldAutomaticallyForwardAppearanceMethods
    //: preferredContentSize
    controller.preferredContentSize = .zero
    //: title
    controller.title = "one"
}

@MainActor func use2(_ controller: UIViewController) {
    //: hidesBottomBarWhenPushed
    controller.hidesBottomBarWhenPushed = true
    //: edgesForExtendedLayout
    controller.edgesForExtendedLayout = [.top]
    //: isModalInPresentation
    controller.isModalInPresentation = true
    //: definesPresentationContext
    controller.definesPresentationContext = true
    //: modalTransitionStyle
    controller.modalTransitionStyle = .crossDissolve
    //: isEditing
    controller.isEditing = true
    //: navigationItem
    controller.navigationItem.title = "a"
    //: setEditing(_:animated:)
    controller.setEditing(true, animated: false)
    //: preferredStatusBarStyle
    _ = controller.preferredStatusBarStyle == .lightContent
    //: prefersStatusBarHidden
    _ = controller.prefersStatusBarHidden
    //: setNeedsStatusBarAppearanceUpdate()
    controller.setNeedsStatusBarAppearanceUpdate()
    //: didReceiveMemoryWarning()
    controller.didReceiveMemoryWarning()
    //: viewSafeAreaInsetsDidChange()
    controller.viewSafeAreaInsetsDidChange()
    //: awakeFromNib()
    controller.awakeFromNib()
}

@MainActor func useMore(_ controller: UIViewController) {
    //: tabBarItem
    controller.tabBarItem.title = "tab"
    //: additionalSafeAreaInsets
    controller.additionalSafeAreaInsets = .zero
    //: extendedLayoutIncludesOpaqueBars
    controller.extendedLayoutIncludesOpaqueBars = true
    //: modalPresentationCapturesStatusBarAppearance
    controller.modalPresentationCapturesStatusBarAppearance = true
    //: childForStatusBarStyle
    _ = controller.childForStatusBarStyle
    //: childForStatusBarHidden
    _ = controller.childForStatusBarHidden
    //: supportedInterfaceOrientations
    _ = controller.supportedInterfaceOrientations == .landscape
    //: shouldAutorotate
    _ = controller.shouldAutorotate
    //: prefersHomeIndicatorAutoHidden
    _ = controller.prefersHomeIndicatorAutoHidden
}
