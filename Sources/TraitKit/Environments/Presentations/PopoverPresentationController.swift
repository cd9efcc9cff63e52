// Popovers: presentations whose content has the elevated level and compact width.

public import Foundation

/// A presentation as a popover (`UIPopoverPresentationController`), for controllers whose
/// `modalPresentationStyle` is `popover`. Full screen in compact width unless its delegate says
/// otherwise.
@preconcurrency @MainActor
open class PopoverPresentationController: PresentationController {
    /// The sides of a popover (`UIPopoverArrowDirection`).
    public typealias ArrowDirection = PopoverArrowDirection

    // Values that are kept for the program: nothing is shown.

    /// The view that the popover points to.
    open var sourceView: View?
    /// The rectangle in the source view that the popover points to.
    open var sourceRect = Rect.null
    /// The directions that the arrow may have.
    open var permittedArrowDirections = ArrowDirection.any
    /// The button that the popover points to.
    open var barButtonItem: BarButtonItem?
    /// The colour behind the content.
    open var backgroundColor: Color?

    override func begin(in window: Window) {
        (delegate as? any PopoverPresentationControllerDelegate)?
            .prepareForPopoverPresentation(self)
        super.begin(in: window)
    }
}

/// Chooses how a popover adapts to traits (`UIPopoverPresentationControllerDelegate`).
@preconcurrency @MainActor
public protocol PopoverPresentationControllerDelegate: AdaptivePresentationControllerDelegate {
    /// The popover is about to be presented. The default does nothing.
    func prepareForPopoverPresentation(
        _ popoverPresentationController: PopoverPresentationController)
}

extension PopoverPresentationControllerDelegate {
    /// Does nothing.
    public func prepareForPopoverPresentation(
        _ popoverPresentationController: PopoverPresentationController
    ) {}
}

extension ViewController {
    /// The popover of this controller's presentation; nil when its style is another one. Configure
    /// the popover before presenting.
    public var popoverPresentationController: PopoverPresentationController? {
        presentationController as? PopoverPresentationController
    }
}
