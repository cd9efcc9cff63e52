// A controller from the time of rotations: transitions and the old callback.

import TraitKitUI

class LegacyRotationController: UIViewController {
    var log: [String] = []

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    override var shouldAutorotate: Bool { true }
    override var prefersHomeIndicatorAutoHidden: Bool { false }

    override func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: any UIViewControllerTransitionCoordinator
    ) {
        super.willTransition(to: newCollection, with: coordinator)
        log.append(
            "will \(traitCollection.verticalSizeClass.word) \(newCollection.verticalSizeClass.word)"
        )
        coordinator.animate(
            alongsideTransition: { _ in self.log.append("alongside") },
            completion: { _ in self.log.append("completed") })
    }

    override func viewWillTransition(
        to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator
    ) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate(alongsideTransition: { [weak self] _ in
            self?.view.setNeedsLayout()
        })
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard
            traitCollection.verticalSizeClass != previousTraitCollection?.verticalSizeClass
                || traitCollection.horizontalSizeClass
                    != previousTraitCollection?.horizontalSizeClass
        else { return }
        log.append("did \(traitCollection.verticalSizeClass.word)")
    }
}

extension UIUserInterfaceSizeClass {
    var word: String {
        switch self {
        case .compact: "compact"
        case .regular: "regular"
        case .unspecified: "unspecified"
        @unknown default: "\(rawValue)"
        }
    }
}
