// Constraints and the anchors that make them. They are kept; no layout is solved.

public import Foundation

/// How much a constraint weighs (`UILayoutPriority`).
public struct LayoutPriority: NumericRawRepresentable, Hashable, Sendable {
    /// From 1 to 1000.
    public let rawValue: Float

    /// A priority by its number.
    public init(rawValue: Float) { self.rawValue = rawValue }

    /// A priority by its number.
    public init(_ rawValue: Float) { self.rawValue = rawValue }

    /// Always holds.
    public static let required = LayoutPriority(1000)
    /// Of content that keeps from shrinking.
    public static let defaultHigh = LayoutPriority(750)
    /// Of content that keeps from growing.
    public static let defaultLow = LayoutPriority(250)
    /// Of sizes that fit.
    public static let fittingSizeLevel = LayoutPriority(50)
}

/// A relation between two anchors (`NSLayoutConstraint`).
@preconcurrency @MainActor
open class LayoutConstraint {
    /// A direction (`NSLayoutConstraint.Axis`).
    public typealias Axis = LayoutAxis

    /// How the sides of a constraint compare (`NSLayoutConstraint.Relation`).
    public typealias Relation = LayoutRelation

    /// A measure of a view (`NSLayoutConstraint.Attribute`).
    public typealias Attribute = LayoutAttribute

    /// The view or guide of the first side.
    public private(set) weak var firstItem: AnyObject?
    /// The view or guide of the second side; nil for a constant.
    public private(set) weak var secondItem: AnyObject?
    /// The measure of the first side.
    public let firstAttribute: Attribute
    /// The measure of the second side.
    public let secondAttribute: Attribute
    /// How the sides compare.
    public let relation: Relation
    /// The factor of the second side.
    public let multiplier: CGFloat
    /// What is added to the second side.
    open var constant: CGFloat
    /// How much the constraint weighs.
    open var priority = LayoutPriority.required
    /// A name for finding the constraint.
    open var identifier: String?
    /// Whether the constraint holds. An active one is among the `constraints` of its first view.
    open var isActive = false {
        didSet {
            guard isActive != oldValue, let view = Self.view(of: firstItem) else { return }
            view.keptConstraints.removeAll { $0 === self }
            if isActive { view.keptConstraints.append(self) }
            view.setNeedsLayout()
        }
    }

    /// A constraint that is not active.
    public init(
        item view1: AnyObject, attribute attr1: Attribute, relatedBy relation: Relation,
        toItem view2: AnyObject?, attribute attr2: Attribute, multiplier: CGFloat,
        constant c: CGFloat
    ) {
        (firstItem, firstAttribute, self.relation) = (view1, attr1, relation)
        (secondItem, secondAttribute, self.multiplier, constant) = (view2, attr2, multiplier, c)
    }

    /// Makes constraints hold.
    open class func activate(_ constraints: [LayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Makes constraints hold no longer.
    open class func deactivate(_ constraints: [LayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    private static func view(of item: AnyObject?) -> View? {
        item as? View ?? (item as? LayoutGuide)?.owningView
    }
}

/// An edge or a measure of a view or guide (`NSLayoutAnchor`). The kind keeps edges of the two axes and
/// measures apart.
@preconcurrency @MainActor
public struct LayoutAnchor<Kind> {
    let item: AnyObject
    let attribute: LayoutConstraint.Attribute

    private func constraint(
        _ relation: LayoutConstraint.Relation, _ anchor: LayoutAnchor?, _ multiplier: CGFloat,
        _ constant: CGFloat
    ) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: relation, toItem: anchor?.item,
            attribute: anchor?.attribute ?? .notAnAttribute, multiplier: multiplier,
            constant: constant)
    }

    /// The anchor is where another one is, with a distance.
    public func constraint(
        equalTo anchor: LayoutAnchor, constant: CGFloat = 0
    ) -> LayoutConstraint { constraint(.equal, anchor, 1, constant) }

    /// The anchor is where another one is, or further.
    public func constraint(
        greaterThanOrEqualTo anchor: LayoutAnchor, constant: CGFloat = 0
    ) -> LayoutConstraint { constraint(.greaterThanOrEqual, anchor, 1, constant) }

    /// The anchor is where another one is, or nearer.
    public func constraint(
        lessThanOrEqualTo anchor: LayoutAnchor, constant: CGFloat = 0
    ) -> LayoutConstraint { constraint(.lessThanOrEqual, anchor, 1, constant) }
}

extension LayoutAnchor where Kind == LayoutXAxis {
    /// The anchor is the system's gap of 8 points, so many times, after another one.
    public func constraint(
        equalToSystemSpacingAfter anchor: LayoutAnchor, multiplier: CGFloat
    ) -> LayoutConstraint { constraint(equalTo: anchor, constant: 8 * multiplier) }
}

extension LayoutAnchor where Kind == LayoutYAxis {
    /// The anchor is the system's gap of 8 points, so many times, below another one.
    public func constraint(
        equalToSystemSpacingBelow anchor: LayoutAnchor, multiplier: CGFloat
    ) -> LayoutConstraint { constraint(equalTo: anchor, constant: 8 * multiplier) }
}

extension LayoutAnchor where Kind == LayoutDimension {
    /// The measure is a multiple of another one.
    public func constraint(
        equalTo anchor: LayoutAnchor, multiplier: CGFloat, constant: CGFloat = 0
    ) -> LayoutConstraint { constraint(.equal, anchor, multiplier, constant) }

    /// The measure has a length.
    public func constraint(equalToConstant c: CGFloat) -> LayoutConstraint {
        constraint(.equal, nil, 1, c)
    }

    /// The measure has at least a length.
    public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> LayoutConstraint {
        constraint(.greaterThanOrEqual, nil, 1, c)
    }

    /// The measure has at most a length.
    public func constraint(lessThanOrEqualToConstant c: CGFloat) -> LayoutConstraint {
        constraint(.lessThanOrEqual, nil, 1, c)
    }
}

/// The kind of anchors from side to side.
public enum LayoutXAxis {}
/// The kind of anchors from top to bottom.
public enum LayoutYAxis {}
/// The kind of widths and heights.
public enum LayoutDimension {}

/// What has anchors: views and guides.
@preconcurrency @MainActor
public protocol LayoutAnchoring: AnyObject {}

extension LayoutAnchoring {
    private func anchor<Kind>(_ attribute: LayoutConstraint.Attribute) -> LayoutAnchor<Kind> {
        LayoutAnchor(item: self, attribute: attribute)
    }

    /// The edge where text begins.
    public var leadingAnchor: LayoutAnchor<LayoutXAxis> { anchor(.leading) }
    /// The edge where text ends.
    public var trailingAnchor: LayoutAnchor<LayoutXAxis> { anchor(.trailing) }
    /// The left edge.
    public var leftAnchor: LayoutAnchor<LayoutXAxis> { anchor(.left) }
    /// The right edge.
    public var rightAnchor: LayoutAnchor<LayoutXAxis> { anchor(.right) }
    /// The middle from side to side.
    public var centerXAnchor: LayoutAnchor<LayoutXAxis> { anchor(.centerX) }
    /// The upper edge.
    public var topAnchor: LayoutAnchor<LayoutYAxis> { anchor(.top) }
    /// The lower edge.
    public var bottomAnchor: LayoutAnchor<LayoutYAxis> { anchor(.bottom) }
    /// The middle from top to bottom.
    public var centerYAnchor: LayoutAnchor<LayoutYAxis> { anchor(.centerY) }
    /// The baseline of the first line.
    public var firstBaselineAnchor: LayoutAnchor<LayoutYAxis> { anchor(.firstBaseline) }
    /// The baseline of the last line.
    public var lastBaselineAnchor: LayoutAnchor<LayoutYAxis> { anchor(.lastBaseline) }
    /// The width.
    public var widthAnchor: LayoutAnchor<LayoutDimension> { anchor(.width) }
    /// The height.
    public var heightAnchor: LayoutAnchor<LayoutDimension> { anchor(.height) }
}

/// A rectangle in a view that constraints may name (`UILayoutGuide`).
@preconcurrency @MainActor
open class LayoutGuide: LayoutAnchoring {
    /// The view that the guide was added to.
    open weak var owningView: View?
    /// A name for finding the guide.
    open var identifier = ""

    /// A guide of no view.
    public init() {}

    init(of view: View) { owningView = view }
}

extension View: LayoutAnchoring {
    /// The active constraints whose first side is this view's.
    public var constraints: [LayoutConstraint] { keptConstraints }

    /// The guides that were added.
    public var layoutGuides: [LayoutGuide] { keptGuides }

    /// Adds a guide.
    public func addLayoutGuide(_ layoutGuide: LayoutGuide) {
        layoutGuide.owningView?.removeLayoutGuide(layoutGuide)
        layoutGuide.owningView = self
        keptGuides.append(layoutGuide)
    }

    /// Removes a guide.
    public func removeLayoutGuide(_ layoutGuide: LayoutGuide) {
        keptGuides.removeAll { $0 === layoutGuide }
        layoutGuide.owningView = nil
    }
}
