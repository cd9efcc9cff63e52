// Every member of UIPresentationController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ controller: UIViewController) {
    //: init(presentedViewController:presenting:)
    let presentation = UIPresentationController(
        presentedViewController: controller, presenting: nil)
    //: traitCollection
    let traits: UITraitCollection = presentation.traitCollection
    _ = traits
    //: traitOverrides
    presentation.traitOverrides.userInterfaceStyle = .dark
    //: overrideTraitCollection
    presentation.overrideTraitCollection = traits
    //: containerViewWillLayoutSubviews()
    presentation.containerViewWillLayoutSubviews()
    //: containerViewDidLayoutSubviews()
    presentation.containerViewDidLayoutSubviews()
    //: presentedViewController
    _ = presentation.presentedViewController
    //: containerView
    let container: UIView? = presentation.containerView
    _ = container
    //: presentationStyle
    let style: UIModalPresentationStyle = presentation.presentationStyle
    _ = style
    //: adaptivePresentationStyle
    let compact: UIModalPresentationStyle = presentation.adaptivePresentationStyle
    _ = compact
    //: adaptivePresentationStyle(for:)
    let adapted: UIModalPresentationStyle = presentation.adaptivePresentationStyle(
        for: traits)
    _ = adapted
    //: delegate
    presentation.delegate = nil
    //: presentedView
    let presented: UIView? = presentation.presentedView
    _ = presented
    //: presentingViewController
    let presenting: UIViewController? = presentation.presentingViewController
    _ = presenting
}
