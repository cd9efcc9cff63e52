// A sheet that becomes full screen in compact heights.

import TraitKitUI

extension UISheetPresentationController.Detent.Identifier {
    static let peek = Self("peek")
}

final class SheetPresenter: NSObject, UISheetPresentationControllerDelegate {
    private(set) var styles: [UIModalPresentationStyle] = []

    @MainActor
    func present(_ content: UIViewController, from presenter: UIViewController) {
        content.modalPresentationStyle = .pageSheet
        if let sheet = content.sheetPresentationController {
            sheet.detents = [
                .custom(identifier: .peek) { context in
                    context.containerTraitCollection.verticalSizeClass == .compact
                        ? nil : context.maximumDetentValue * 0.2
                },
                .medium(), .large(),
            ]
            sheet.selectedDetentIdentifier = .medium
            sheet.largestUndimmedDetentIdentifier = .medium
            sheet.prefersGrabberVisible = true
            sheet.prefersScrollingExpandsWhenScrolledToEdge = false
            sheet.preferredCornerRadius = 24
            sheet.delegate = self
        }
        presenter.present(content, animated: true)
    }

    func adaptivePresentationStyle(
        for controller: UIPresentationController, traitCollection: UITraitCollection
    ) -> UIModalPresentationStyle {
        let style: UIModalPresentationStyle =
            traitCollection.verticalSizeClass == .compact ? .fullScreen : .none
        styles.append(style)
        return style
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController)
        -> Bool
    { true }
}
