// The members of views that keep a value for the program. Nothing is drawn, touched or laid out by
// them.

public import Foundation

/// The common superclass of views, which has no name in UIKit: what the program sets here is stored
/// and returned.
@preconcurrency @MainActor
open class ViewMembers: Responder {
    /// Whether the view is hidden. Hidden views have traits as others have.
    @Kept open var isHidden = false
    /// How opaque the view is, from 0 to 1.
    @Kept open var alpha: CGFloat = 1
    /// Whether the view takes touches.
    @Kept open var isUserInteractionEnabled = true
    /// A number by which the program finds the view; see `viewWithTag(_:)`.
    @Kept open var tag = 0
    /// Whether the view promises to draw all of its rectangle.
    @Kept open var isOpaque = true
    /// Whether subviews are cut off at the view's bounds.
    @Kept open var clipsToBounds = false
    /// How the content is placed in the view.
    @Kept open var contentMode = View.ContentMode.scaleToFill
    /// How the view follows the size of its superview.
    @Kept open var autoresizingMask: View.AutoresizingMask = []
    /// Whether the frame is turned into constraints.
    @Kept open var translatesAutoresizingMaskIntoConstraints = true
    /// The part at the edges that bars cover. Here the program sets it.
    @Kept open var safeAreaInsets = EdgeInsets.zero {
        didSet { if safeAreaInsets != oldValue { safeAreaInsetsDidChange() } }
    }
    /// The margins of the content.
    @Kept open var layoutMargins = EdgeInsets(top: 8, left: 8, bottom: 8, right: 8) {
        didSet { if layoutMargins != oldValue { layoutMarginsDidChange() } }
    }
    /// The margins of the content, by the direction of text.
    @Kept open var directionalLayoutMargins = DirectionalEdgeInsets(
        top: 8, leading: 8, bottom: 8, trailing: 8)
    /// A name by which tests find the view.
    @Kept open var accessibilityIdentifier: String?
    /// The text that is spoken for the view.
    @Kept open var accessibilityLabel: String?
    /// What using the view does, in words.
    @Kept open var accessibilityHint: String?
    /// The view's value, in words.
    @Kept open var accessibilityValue: String?
    /// Whether the view is spoken.
    @Kept open var isAccessibilityElement = false
    /// What kind of element the view is.
    @Kept open var accessibilityTraits: AccessibilityTraits = []
    /// The elements in the view, in the order in which they are spoken.
    open var accessibilityElements: [Any]?
    /// Whether the elements are spoken together, alone, or not at all.
    open var shouldGroupAccessibilityChildren = false, accessibilityViewIsModal = false,
        accessibilityElementsHidden = false
    /// Whether the view shows its content enlarged in a viewer, and what the viewer shows.
    open var showsLargeContentViewer = false, largeContentTitle: String?, largeContentImage: Image?
    /// Whether the margins of the superview and the safe area count.
    open var preservesSuperviewLayoutMargins = false, insetsLayoutMarginsFromSafeArea = true
    /// Whether the tint is dimmed.
    @Kept open var tintAdjustmentMode = TintAdjustmentMode.automatic

    /// Does what a tap does: nothing unless overridden.
    open func accessibilityActivate() -> Bool { false }

    private var priorities: [PriorityKey: LayoutPriority] = [:]

    private struct PriorityKey: Hashable {
        let isHugging: Bool
        let axis: LayoutConstraint.Axis
    }

    /// The size of the content alone: none unless a subclass overrides it.
    open var intrinsicContentSize: Size {
        Size(width: View.noIntrinsicMetric, height: View.noIntrinsicMetric)
    }

    /// The size that fits: the view's own unless a subclass overrides it.
    open func sizeThatFits(_ size: Size) -> Size { size }

    /// The edges of the safe area have changed.
    open func safeAreaInsetsDidChange() {}

    /// The margins have changed.
    open func layoutMarginsDidChange() {}

    /// How strongly the view keeps from growing; 250 at first.
    open func contentHuggingPriority(for axis: LayoutConstraint.Axis) -> LayoutPriority {
        priorities[PriorityKey(isHugging: true, axis: axis)] ?? .defaultLow
    }

    /// Sets how strongly the view keeps from growing.
    open func setContentHuggingPriority(
        _ priority: LayoutPriority, for axis: LayoutConstraint.Axis
    ) { priorities[PriorityKey(isHugging: true, axis: axis)] = priority }

    /// How strongly the view keeps from shrinking; 750 at first.
    open func contentCompressionResistancePriority(
        for axis: LayoutConstraint.Axis
    ) -> LayoutPriority { priorities[PriorityKey(isHugging: false, axis: axis)] ?? .defaultHigh }

    /// Sets how strongly the view keeps from shrinking.
    open func setContentCompressionResistancePriority(
        _ priority: LayoutPriority, for axis: LayoutConstraint.Axis
    ) { priorities[PriorityKey(isHugging: false, axis: axis)] = priority }
}

extension View {
    /// The measure of content without a size of its own.
    public nonisolated static let noIntrinsicMetric: CGFloat = -1

    /// How content is placed in a view (`UIView.ContentMode`).
    public typealias ContentMode = ViewContentMode

    /// What follows the size of a superview (`UIView.AutoresizingMask`).
    public typealias AutoresizingMask = CTraitEnumerations.AutoresizingMask

    /// Asks for the intrinsic size again: a layout of the superview.
    public func invalidateIntrinsicContentSize() { superview?.setNeedsLayout() }

    /// Gives the view the size that fits.
    public func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

    /// The middle of the frame.
    public var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set {
            let size = bounds.size
            frame.origin = CGPoint(x: newValue.x - size.width / 2, y: newValue.y - size.height / 2)
        }
    }

    /// How changes would be animated (`UIView.AnimationOptions`).
    public typealias AnimationOptions = CTraitEnumerations.AnimationOptions
    /// Whether a tint is dimmed (`UIView.TintAdjustmentMode`).
    public typealias TintAdjustmentMode = CTraitEnumerations.TintAdjustmentMode

    /// Runs changes, then the completion with true, at once: nothing is animated.
    public static func animate(
        withDuration duration: TimeInterval, delay: TimeInterval = 0,
        usingSpringWithDamping dampingRatio: CGFloat = 1, initialSpringVelocity: CGFloat = 0,
        options: AnimationOptions = [],
        animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        completion?(true)
    }

    /// Runs changes, then the completion with true, at once: nothing is animated.
    public static func transition(
        with view: View, duration: TimeInterval, options: AnimationOptions = [],
        animations: (() -> Void)?, completion: ((Bool) -> Void)? = nil
    ) { animate(withDuration: duration, animations: animations ?? {}, completion: completion) }

    /// Runs changes.
    public static func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        actionsWithoutAnimation()
    }
}

extension AnimationOptions {
    /// Begins and ends slowly, as without options.
    public static var curveEaseInOut: AnimationOptions { [] }
}
