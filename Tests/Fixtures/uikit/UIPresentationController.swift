// Every member of UIPresentationController that TraitKitUI has, each under its name; see members.tsv.

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
}
