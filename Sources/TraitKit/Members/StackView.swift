// Stacks, which keep their arranged views as subviews.

public import Foundation

/// A row or a column of views (`UIStackView`). The views are subviews; nothing is arranged.
@preconcurrency @MainActor
open class StackView: View {
    /// How a stack places views across its axis (`UIStackView.Alignment`).
    public typealias Alignment = StackAlignment

    /// How views share the axis of a stack (`UIStackView.Distribution`).
    public typealias Distribution = StackDistribution

    /// The direction of the stack.
    @Kept open var axis = LayoutConstraint.Axis.horizontal
    /// How views are placed across the axis.
    @Kept open var alignment = Alignment.fill
    /// How views share the axis.
    @Kept open var distribution = Distribution.fill
    /// The gap between views.
    @Kept open var spacing: CGFloat = 0
    /// Whether the margins count.
    @Kept open var isLayoutMarginsRelativeArrangement = false
    /// The views in their order.
    public private(set) var arrangedSubviews: [View] = []
    private var gaps: [ObjectIdentifier: CGFloat] = [:]

    /// The gaps that stand for the stack's own, and for the system's.
    public nonisolated static let spacingUseDefault = CGFloat.greatestFiniteMagnitude,
        spacingUseSystem = spacingUseDefault.nextDown

    /// A stack of views.
    public convenience init(arrangedSubviews views: [View]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// Adds a view at the end.
    open func addArrangedSubview(_ view: View) {
        insertArrangedSubview(view, at: arrangedSubviews.count)
    }

    /// Inserts a view. Positions beyond the ends mean the ends.
    open func insertArrangedSubview(_ view: View, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: min(max(stackIndex, 0), arrangedSubviews.count))
        if view.superview !== self { addSubview(view) }
        setNeedsLayout()
    }

    /// Takes a view out of the order. It stays a subview, as in UIKit.
    open func removeArrangedSubview(_ view: View) {
        arrangedSubviews.removeAll { $0 === view }
        setNeedsLayout()
    }

    open override func willRemoveSubview(_ subview: View) {
        super.willRemoveSubview(subview)
        arrangedSubviews.removeAll { $0 === subview }
        gaps[ObjectIdentifier(subview)] = nil
    }

    /// Sets the gap after a view.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: View) {
        gaps[ObjectIdentifier(arrangedSubview)] = spacing
    }

    /// The gap after a view; `spacingUseDefault` unless one was set.
    open func customSpacing(after arrangedSubview: View) -> CGFloat {
        gaps[ObjectIdentifier(arrangedSubview)] ?? Self.spacingUseDefault
    }
}
