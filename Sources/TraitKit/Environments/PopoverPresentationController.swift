// Popovers: presentations whose content has the elevated level and compact width.

public import Foundation

/// A presentation as a popover (`UIPopoverPresentationController`), for controllers whose
/// `modalPresentationStyle` is `popover`. Full screen in compact width unless its delegate says
/// otherwise.
@preconcurrency @MainActor
open class PopoverPresentationController: PresentationController {
    /// The sides of a popover (`UIPopoverArrowDirection`).
    public struct ArrowDirection: OptionSet, Sendable {
        /// UIKit's number for the directions.
        public let rawValue: UInt

        /// Directions by their number.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The arrow points up.
        public static let up = ArrowDirection(rawValue: 1)
        /// The arrow points down.
        public static let down = ArrowDirection(rawValue: 2)
        /// The arrow points left.
        public static let left = ArrowDirection(rawValue: 4)
        /// The arrow points right.
        public static let right = ArrowDirection(rawValue: 8)
        /// Any direction.
        public static let any: ArrowDirection = [.up, .down, .left, .right]
    }

    // Values that are kept for the program: nothing is shown.

    /// The view that the popover points to.
    open var sourceView: View?
    /// The rectangle in the source view that the popover points to.
    open var sourceRect = Rect.null
    /// The directions that the arrow may have.
    open var permittedArrowDirections = ArrowDirection.any

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
