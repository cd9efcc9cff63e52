// Views: where traits flow down, and where they are used.

public import Foundation
internal import TraitEngine

/// A view (`UIView`), as far as traits are concerned.
///
/// A view inherits from its superview, one that a view controller owns from that controller. Its
/// collection is brought up to date while it is in a scene, just before it lays out.
open class View: Responder {
    /// The views in this one, the backmost first.
    public internal(set) var subviews: [View] = []
    /// The view that this one is in.
    public internal(set) weak var superview: View?
    /// The controller that owns this view.
    weak var controller: ViewController?
    /// The presentation whose content stands in this view.
    weak var presentation: PresentationController?
    /// The size of the view; changing it asks for a layout.
    public var bounds = Rect.zero {
        didSet { if bounds != oldValue { setNeedsLayout() } }
    }
    /// Where the view stands in its superview. Moving it alone asks for no layout.
    public var frame: Rect {
        get { Rect(origin: origin, size: bounds.size) }
        set {
            origin = newValue.origin
            bounds.size = newValue.size
        }
    }
    private var origin = CGPoint.zero
    /// The colour behind the view's content. A dynamic one follows the view's traits: a change of
    /// a trait that affects colours makes the view draw anew.
    public var backgroundColor: Color? {
        didSet { if backgroundColor != oldValue { setNeedsDisplay() } }
    }

    override class var nodeKind: NodeKind { .view }

    public convenience override init() {
        self.init(frame: .zero)
    }

    /// A view that stands nowhere yet.
    public init(frame: Rect) {
        bounds = Rect(origin: .zero, size: frame.size)
        origin = frame.origin
        super.init()
        wait(for: [.properties, .constraints, .layout, .display])
    }

    /// The window that the view is in.
    public var window: Window? {
        var view: View? = self
        while let current = view, !(current is Window) { view = current.superview }
        return view as? Window
    }

    /// Whether the view is the other one or in it. O(depth).
    public func isDescendant(of view: View) -> Bool {
        var ancestor: View? = self
        while let current = ancestor, current !== view { ancestor = current.superview }
        return ancestor != nil
    }

    // MARK: - Methods that run in updates

    /// Lays the view out. Runs when a layout was asked for, with current traits: the best place to
    /// use them. Traits of this view that are read here are tracked; when one of them changes, a
    /// layout is asked for (iOS 18).
    open func layoutSubviews() {}

    /// Updates the view's constraints, before layout. Tracked like `layoutSubviews()`.
    open func updateConstraints() {}

    /// Updates what the view shows, before layout (iOS 26). Tracked like `layoutSubviews()`.
    open func updateProperties() {}

    /// Draws the view, after everything is laid out. Tracked like `layoutSubviews()`.
    open func draw(_ rect: Rect) {}

    // MARK: - Moving

    /// The view is about to move; nil means out of its superview.
    open func willMove(toSuperview newSuperview: View?) {}
    /// The view has moved.
    open func didMoveToSuperview() {}
    /// The view came into a window, or left the one it was in.
    open func didMoveToWindow() {}

    /// The colour of what can be touched, by default that of the superview, at the top blue.
    public var tintColor: Color {
        get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
        set {
            ownTintColor = newValue
            for case let view as View in subtree { view.setNeedsDisplay() }
        }
    }
    private var ownTintColor: Color?

    // MARK: - Legacy and limits

    /// The style for this view and what is in it; `unspecified` means none. Any override of
    /// `traitOverrides` wins over it.
    public var overrideUserInterfaceStyle: UserInterfaceStyle {
        get { node.legacyStyle }
        set { node.legacyStyle = newValue }
    }

    /// The smallest text size that this view and what is in it takes over; nil for no limit, as
    /// which `unspecified` is taken, too. Applies as soon as it is set, attached or not.
    public var minimumContentSizeCategory: ContentSizeCategory? {
        get { node.contentSizeLimits.minimum }
        set { limitContentSize(newValue, maximumContentSizeCategory) }
    }

    /// The largest text size likewise. With a minimum above it only the maximum counts.
    public var maximumContentSizeCategory: ContentSizeCategory? {
        get { node.contentSizeLimits.maximum }
        set { limitContentSize(minimumContentSizeCategory, newValue) }
    }

    private func limitContentSize(_ minimum: ContentSizeCategory?, _ maximum: ContentSizeCategory?)
    {
        node.setContentSizeLimits(
            minimum == .unspecified ? nil : minimum, maximum == .unspecified ? nil : maximum)
        updateTraitsIfNeeded()
    }

    /// Superview by superview, which text size they show and whether one limits it.
    public var appliedContentSizeCategoryLimitsDescription: String {
        node.hierarchy.engine.appliedContentSizeLimitsDescription(at: node.index)
    }

    // MARK: - Direction

    /// Whether the view is mirrored for languages that read from right to left
    /// (`UISemanticContentAttribute`).
    public enum SemanticContentAttribute: Int, Sendable {
        /// Follows the direction of the traits.
        case unspecified
        /// Controls of playback, which are the same everywhere.
        case playback
        /// Controls that mean a direction in space, which are the same everywhere.
        case spatial
        /// Always from left to right.
        case forceLeftToRight
        /// Always from right to left.
        case forceRightToLeft
    }

    /// How the view takes the direction of the traits; changing it asks for a layout.
    public var semanticContentAttribute = SemanticContentAttribute.unspecified {
        didSet { if semanticContentAttribute != oldValue { setNeedsLayout() } }
    }

    /// The direction in which the view lays out: that of its traits, unless its attribute says
    /// otherwise. Left to right when nothing says anything.
    public var effectiveUserInterfaceLayoutDirection: LayoutDirection {
        Self.userInterfaceLayoutDirection(
            for: semanticContentAttribute,
            relativeTo: LayoutDirection(traitCollection.layoutDirection) ?? .leftToRight)
    }

    /// The direction of a view with an attribute, in an interface of a direction.
    public static func userInterfaceLayoutDirection(
        for attribute: SemanticContentAttribute,
        relativeTo layoutDirection: LayoutDirection = .leftToRight
    ) -> LayoutDirection {
        switch attribute {
        case .unspecified: layoutDirection
        case .playback, .spatial, .forceLeftToRight: .leftToRight
        case .forceRightToLeft: .rightToLeft
        }
    }

    // MARK: - For subclasses here

    /// From what the views in this one inherit.
    var nodeForSubviews: EnvironmentNode { presentation?.node ?? node }

    // MARK: - For the update

    override func invalidate(_ method: TrackedMethod) {
        switch method {
        case .layoutSubviews: setNeedsLayout()
        case .updateConstraints: setNeedsUpdateConstraints()
        case .updateProperties: setNeedsUpdateProperties()
        case .draw: setNeedsDisplay()
        default: break
        }
    }

    override func traitsChanged(_ changed: TraitSet) {
        if changed.intersects(TraitTable.definitions.affectingColorAppearance) {
            setNeedsDisplay()
        }
    }

    override func prepareForLayout() {
        if take(.proxies) { AppearanceRules.shared.apply(to: self) }
        controller?.prepareForLayout()
        updatePropertiesIfWaiting()
    }

    override func updatePropertiesIfWaiting() {
        if take(.configuration) { runConfiguration() }
        if take(.properties) { track(.updateProperties) { updateProperties() } }
    }

    /// Whether the view is in one that has yet to hear that it is appearing. O(depth).
    var isAboutToAppear: Bool {
        var view: View? = self
        while let current = view {
            if current.waiting.contains(.appearing) { return true }
            view = current.superview
        }
        return false
    }

    func updateConstraintsIfWaiting() {
        if take(.constraints) { runConstraints() }
    }

    func layoutIfWaiting() {
        if take(.layout) { runLayout() }
    }

    /// For buttons and cells.
    func runConfiguration() {}

    /// The view and all in it with their controllers, parents first. O(subtree).
    override var subtree: [Responder] {
        var views: [View] = [self]
        var position = 0
        while position < views.count {
            views += views[position].subviews
            position += 1
        }
        return views.flatMap { view in [view.controller, view].compactMap(\.self) }
    }
}
