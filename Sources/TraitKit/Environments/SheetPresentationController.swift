// Sheets: presentations whose content stands above the interface, and is narrower than a wide window.

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
/// What it presents has the elevated level, and in a form sheet compact width. Which traits a sheet has
/// differs from release to release of UIKit: change `suppliedTraits` where another one is meant.
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

    /// The traits around the sheet, without its own: what to decide by how large the sheet is. Empty
    /// before the sheet is presented.
    public var containerTraitCollection: TraitCollection {
        containerView?.window?.traitCollection ?? TraitCollection()
    }
}

extension ViewController {
    /// The sheet of this controller's presentation; nil when it is not presented as one. Configure it
    /// before presenting.
    public var sheetPresentationController: SheetPresentationController? {
        presentationController as? SheetPresentationController
    }
}
