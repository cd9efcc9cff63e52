// Sheets: presentations whose content has the elevated level, and compact width in a form sheet.

/// How a controller is presented (`UIModalPresentationStyle`), as far as traits differ.
public enum ModalPresentationStyle: Int, Sendable {
    /// The presented content has the window's traits. UIKit decides by the device; here it is full
    /// screen.
    case automatic = -2
    /// Over the whole window, with its traits.
    case fullScreen = 0
    /// A sheet of the window's width.
    case pageSheet = 1
    /// A sheet of a width of its own: its content is compact.
    case formSheet = 2
}

/// A presentation as a sheet (`UISheetPresentationController`), for controllers whose
/// `modalPresentationStyle` is one of a sheet.
///
/// The presented content has the elevated level, and compact width in a form sheet. The traits of a
/// sheet differ between releases of UIKit: for those of another release, change `suppliedTraits`.
open class SheetPresentationController: PresentationController {
    public override init(
        presentedViewController: ViewController,
        presenting presentingViewController: ViewController?
    ) {
        super.init(
            presentedViewController: presentedViewController, presenting: presentingViewController)
        suppliedTraits.userInterfaceLevel = .elevated
        if presentedViewController.modalPresentationStyle == .formSheet {
            suppliedTraits.horizontalSizeClass = .compact
        }
    }

    /// The traits of the window around the sheet, by which to choose the sheet's size. Empty before
    /// the sheet is presented.
    public var containerTraitCollection: TraitCollection {
        containerView?.window?.traitCollection ?? TraitCollection()
    }
}

extension ViewController {
    /// The sheet of this controller's presentation; nil when its style is not one of a sheet.
    /// Configure the sheet before presenting.
    public var sheetPresentationController: SheetPresentationController? {
        presentationController as? SheetPresentationController
    }
}
