// Sheets: presentations whose content has the elevated level, and compact width in a form sheet.

public import Foundation

/// Chooses how a sheet adapts to traits (`UISheetPresentationControllerDelegate`).
@preconcurrency @MainActor
public protocol SheetPresentationControllerDelegate: AdaptivePresentationControllerDelegate {}

/// A presentation as a sheet (`UISheetPresentationController`), for controllers whose
/// `modalPresentationStyle` is one of a sheet.
///
/// The presented content has the elevated level, and compact width in a form sheet. In compact
/// height a sheet is full screen. The traits of a sheet differ between releases of UIKit: for those
/// of another release, change `suppliedTraits`.
@preconcurrency @MainActor
open class SheetPresentationController: PresentationController {
    public override init(
        presentedViewController: ViewController,
        presenting presentingViewController: ViewController?
    ) {
        super.init(
            presentedViewController: presentedViewController, presenting: presentingViewController)
        supplyTraits(for: presentationStyle)
    }

    /// The style of the delegate; without one, full screen in compact height.
    open override func adaptivePresentationStyle(
        for traitCollection: TraitCollection
    ) -> ModalPresentationStyle {
        let style = super.adaptivePresentationStyle(for: traitCollection)
        guard style == .none, delegate == nil, traitCollection.verticalSizeClass == .compact
        else { return style }
        return .fullScreen
    }

    /// The heights at which the sheet rests, the lowest first. Nothing has this height here; use
    /// `Detent.resolvedValue(in:)` with the sheet as the context.
    open var detents: [Detent] = [.large()]

    /// The highest height at which what is behind stays bright.
    open var largestUndimmedDetentIdentifier: Detent.Identifier?
    /// Whether a grabber is shown, and whether a scroll to the edge makes the sheet higher.
    open var prefersGrabberVisible = false, prefersScrollingExpandsWhenScrolledToEdge = true
    /// The corners of the sheet; nil for the system's.
    open var preferredCornerRadius: CGFloat?

    /// The height at which the sheet rests; nil for the lowest.
    open var selectedDetentIdentifier: Detent.Identifier?

    /// Asks for a layout of the container view, so that heights can be resolved again.
    open func invalidateDetents() { containerView?.setNeedsLayout() }

    /// Runs changes: nothing is animated.
    open func animateChanges(_ changes: () -> Void) { changes() }

    /// A height at which a sheet rests (`UISheetPresentationController.Detent`).
    @preconcurrency @MainActor
    public final class Detent {
        /// The name of a height (`UISheetPresentationController.Detent.Identifier`).
        public struct Identifier: RawRepresentable, Hashable, Sendable {
            /// UIKit's name.
            public let rawValue: String

            /// A height by its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A height by its name.
            public init(_ rawValue: String) {
                self.init(rawValue: rawValue)
            }

            /// About half of the height.
            public static let medium = Identifier("com.apple.UIKit.medium")
            /// The whole height.
            public static let large = Identifier("com.apple.UIKit.large")
        }

        private typealias Context = SheetPresentationControllerDetentResolutionContext

        /// The name of the height.
        public let identifier: Identifier
        private let resolver: @MainActor (any Context) -> Double?

        private init(
            _ identifier: Identifier, _ resolver: @escaping @MainActor (any Context) -> Double?
        ) {
            self.identifier = identifier
            self.resolver = resolver
        }

        /// Half of the height; inactive in compact height.
        public static func medium() -> Detent {
            Detent(.medium) { context in
                let isCompact = context.containerTraitCollection.verticalSizeClass == .compact
                return isCompact ? nil : context.maximumDetentValue / 2
            }
        }

        /// The whole height.
        public static func large() -> Detent { Detent(.large) { $0.maximumDetentValue } }

        /// A height that is computed.
        ///
        /// - Parameters:
        ///   - identifier: the name of the height; nil for a name that no other height has.
        ///   - resolver: the height in points; nil while the height is inactive.
        public static func custom(
            identifier: Identifier? = nil,
            resolver:
                @escaping @MainActor (any SheetPresentationControllerDetentResolutionContext)
                -> Double?
        ) -> Detent {
            Detent(
                identifier ?? Identifier("custom-\(TraitHierarchy.current.nextSerial())"), resolver)
        }

        /// The height in points; nil while the height is inactive.
        public func resolvedValue(
            in context: any SheetPresentationControllerDetentResolutionContext
        ) -> Double? {
            resolver(context)
        }
    }
}

/// The inputs for computing the height of a sheet
/// (`UISheetPresentationControllerDetentResolutionContext`).
@preconcurrency @MainActor
public protocol SheetPresentationControllerDetentResolutionContext {
    /// The traits of the window around the sheet.
    var containerTraitCollection: TraitCollection { get }
    /// The height of the container view in points.
    var maximumDetentValue: Double { get }
}

extension SheetPresentationController: SheetPresentationControllerDetentResolutionContext {
    /// The traits of the window around the sheet. Empty before the sheet is presented.
    public var containerTraitCollection: TraitCollection {
        containerView?.window?.traitCollection ?? TraitCollection()
    }

    /// The height of the container view in points; 0 before the sheet is presented.
    public var maximumDetentValue: Double { Double(containerView?.bounds.height ?? 0) }
}

extension ViewController {
    /// The sheet of this controller's presentation; nil when its style is not one of a sheet.
    /// Configure the sheet before presenting.
    public var sheetPresentationController: SheetPresentationController? {
        presentationController as? SheetPresentationController
    }
}
