// A container that shows a child as on a narrow device.

import TraitKitUI

class ContainerController: UIViewController {
    private(set) var current: UIViewController?

    func show(_ child: UIViewController, asCompact: Bool = false) {
        hideCurrent()
        addChild(child)
        child.view.frame = view.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(child.view)
        if asCompact {
            child.traitOverrides.horizontalSizeClass = .compact
        } else {
            child.traitOverrides.remove(UITraitHorizontalSizeClass.self)
        }
        child.didMove(toParent: self)
        current = child
    }

    private func hideCurrent() {
        guard let child = current else { return }
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        current = nil
    }

    override var childForStatusBarStyle: UIViewController? { current }
    override var childForStatusBarHidden: UIViewController? { current }
}

final class LegacyContainerController: ContainerController {
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        guard let current else { return }
        let isNarrow = view.bounds.width < 400
        let traits = UITraitCollection(traitsFrom: [
            UITraitCollection(horizontalSizeClass: isNarrow ? .compact : .regular),
            UITraitCollection(verticalSizeClass: .regular),
        ])
        setOverrideTraitCollection(traits, forChild: current)
    }

    override func overrideTraitCollection(forChild childViewController: UIViewController)
        -> UITraitCollection?
    {
        super.overrideTraitCollection(forChild: childViewController)
    }
}
