// Every member of UISheetPresentationController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ controller: UIViewController) {
    //: UISheetPresentationController
    controller.modalPresentationStyle = .pageSheet
    let sheet: UISheetPresentationController? = controller.sheetPresentationController
    guard let sheet else { return }
    //: detents
    sheet.detents = [.medium(), .large()]
    //: selectedDetentIdentifier
    sheet.selectedDetentIdentifier = .medium
    //: invalidateDetents()
    sheet.invalidateDetents()
    //: Detent
    let detent: UISheetPresentationController.Detent = .large()
    _ = detent
}
