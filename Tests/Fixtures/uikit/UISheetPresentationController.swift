// Every member of UISheetPresentationController that TraitKitUI has, each under its name; see members.tsv.

import TraitKitUI

@MainActor func use(_ controller: UIViewController) {
    //: UISheetPresentationController
    controller.modalPresentationStyle = .pageSheet
    let sheet: UISheetPresentationController? = controller.sheetPresentationController
    _ = sheet
}
