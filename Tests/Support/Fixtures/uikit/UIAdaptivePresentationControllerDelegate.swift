// Every member of UIAdaptivePresentationControllerDelegate that TraitKitUI has, each under its name;
// see docs/uikit.md.

import TraitKitUI

final class Adapting: UIAdaptivePresentationControllerDelegate {
    //: adaptivePresentationStyle(for:)
    func adaptivePresentationStyle(
        for controller: UIPresentationController
    ) -> UIModalPresentationStyle { .fullScreen }

    //: adaptivePresentationStyle(for:traitCollection:)
    func adaptivePresentationStyle(
        for controller: UIPresentationController, traitCollection: UITraitCollection
    ) -> UIModalPresentationStyle { .none }

    //: presentationController(_:willPresentWithAdaptiveStyle:transitionCoordinator:)
    func presentationController(
        _ presentationController: UIPresentationController,
        willPresentWithAdaptiveStyle style: UIModalPresentationStyle,
        transitionCoordinator: UIViewControllerTransitionCoordinator?
    ) {}
}
