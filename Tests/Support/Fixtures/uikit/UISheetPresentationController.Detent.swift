// Every member of UISheetPresentationController.Detent that TraitKitUI has, each under its name; see
// docs/uikit.md.

import TraitKitUI

@MainActor func use(_ sheet: UISheetPresentationController) {
    //: large()
    let detent = UISheetPresentationController.Detent.large()
    //: medium()
    sheet.detents = [.medium()]
    //: custom(identifier:resolver:)
    sheet.detents = [
        .custom { context in
            context.containerTraitCollection.verticalSizeClass == .compact
                ? nil : 0.5 * context.maximumDetentValue
        }
    ]
    //: resolvedValue(in:)
    let height = detent.resolvedValue(in: sheet)
    _ = height
    //: identifier
    _ = detent.identifier == .large
    //: Identifier
    _ = UISheetPresentationController.Detent.Identifier("third")
}
