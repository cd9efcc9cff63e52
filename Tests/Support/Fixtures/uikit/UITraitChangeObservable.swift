// Every member of UITraitChangeObservable that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UIView) {
    //: TraitChangeHandler
    let handler: UIView.TraitChangeHandler<UIView> = { view, previous in }
    //: registerForTraitChanges(_:handler:)
    let token: any UITraitChangeRegistration = view.registerForTraitChanges(
        [UITraitDisplayScale.self], handler: handler)
    let observable: any UITraitChangeObservable = view
    observable.registerForTraitChanges([UITraitDisplayScale.self]) {
        (environment: any UITraitEnvironment, _) in
    }
    //: registerForTraitChanges(_:target:action:)
    view.registerForTraitChanges(
        [UITraitDisplayScale.self], target: view, action: UIView.setNeedsLayout)
    //: registerForTraitChanges(_:action:)
    view.registerForTraitChanges([UITraitDisplayScale.self], action: UIView.setNeedsLayout)
    //: unregisterForTraitChanges(_:)
    view.unregisterForTraitChanges(token)
}
