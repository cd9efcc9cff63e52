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
    //: animateChanges(_:)
    sheet.animateChanges { sheet.selectedDetentIdentifier = .large }
    //: Detent
    let detent: UISheetPresentationController.Detent = .large()
    _ = detent
}

@MainActor func useMore(_ sheet: UISheetPresentationController) {
    //: largestUndimmedDetentIdentifier
    sheet.largestUndimmedDetentIdentifier = .medium
    //: prefersGrabberVisible
    sheet.prefersGrabberVisible = true
    //: prefersScrollingExpandsWhenScrolledToEdge
    sheet.prefersScrollingExpandsWhenScrolledToEdge = false
    //: preferredCornerRadius
    sheet.preferredCornerRadius = 8
}
