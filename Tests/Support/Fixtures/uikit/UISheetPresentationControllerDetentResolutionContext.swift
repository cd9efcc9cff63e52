// Every member of UISheetPresentationControllerDetentResolutionContext that TraitKitUI has, each under its
// name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ context: any UISheetPresentationControllerDetentResolutionContext) {
    //: containerTraitCollection
    let traits: UITraitCollection = context.containerTraitCollection
    _ = traits
    //: maximumDetentValue
    let height = context.maximumDetentValue
    _ = height
}
