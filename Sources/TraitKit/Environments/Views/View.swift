// Views, which pass traits down to their subviews and use them in layout and drawing.

public import Foundation
internal import TraitEngine

/// A view (`UIView`), as far as traits are concerned.
///
/// A view inherits from its superview, or from the view controller that owns it. In a scene its
/// collection is updated just before it lays out.
@preconcurrency @MainActor
open class View: ViewMembers {
    /// The views in this one, the backmost first.
    public internal(set) var subviews: [View] = []
    /// The view that this one is in.
    public internal(set) weak var superview: View?
    /// The controller that owns this view.
    weak var controller: ViewController?
    /// The presentation whose content stands in this view.
    weak var presentation: PresentationController?
    /// The size of the view. A change asks for a layout.
    open var bounds = Rect.zero {
        didSet { if bounds != oldValue { setNeedsLayout() } }
    }
    /// The view's rectangle in its superview. A change of the origin alone asks for no layout.
    open var frame: Rect {
        get { Rect(origin: origin, size: bounds.size) }
        set {
            origin = newValue.origin
            bounds.size = newValue.size
        }
    }
    private var origin = CGPoint.zero
    /// The colour behind the view's content. A dynamic colour follows the view's traits: when one
    /// that affects colours changes, the view draws again, and the layer gets the colour of the new
    /// traits. A colour that is set on the layer replaces this one.
    @Kept open var backgroundColor: Color? {
        didSet {
            if backgroundColor != oldValue { setNeedsDisplay() }
            layerIfMade?.takeBackground(of: self)
        }
    }

    /// Colours and lengths that are drawn around the content. But for the background they follow no
    /// traits. An instance of the `layerClass`.
    public var layer: Layer {
        if let layerIfMade { return layerIfMade }
        let layer = (Self.layerClass as? Layer.Type ?? Layer.self).init()
        layerIfMade = layer
        layer.view = self
        layer.takeBackground(of: self)
        return layer
    }
    private var layerIfMade: Layer?

    /// The layer was given another colour.
    func layerBackgroundChanged(_ color: GraphicsColor?) {
        _backgroundColor = Kept(wrappedValue: color.map(Color.init(cgColor:)))
        _backgroundColor.isOwn = true
    }

    /// The class of the layer.
    open class var layerClass: AnyClass { Layer.self }

    override class var nodeKind: NodeKind { .view }

    /// A view of no size.
    public convenience init() {
        self.init(frame: .zero)
    }

    /// A view without a superview.
    public init(frame: Rect) {
        bounds = Rect(origin: .zero, size: frame.size)
        origin = frame.origin
        super.init(root: ())
        begin()
    }

    /// A view as `init(frame: .zero)` makes it. Nothing is decoded: views are not archived.
    /// Subclasses with initializers of their own have to declare this one, as in UIKit.
    public required init?(coder: NSCoder) {
        super.init(root: ())
        begin()
    }

    private func begin() {
        wait(for: [.properties, .constraints, .layout, .display])
        if !AppearanceRules.shared.isEmpty { AppearanceRules.shared.noteInitialValues(of: self) }
    }

    /// The values that appearance proxies have set, by property.
    var appliedAppearance: [AnyKeyPath: Any] = [:]
    /// The active constraints whose first side is this view's.
    var keptConstraints: [LayoutConstraint] = []
    /// The guides that were added.
    var keptGuides: [LayoutGuide] = []
    /// The part between bars.
    public private(set) lazy var safeAreaLayoutGuide = makeGuide()
    /// The part between the margins.
    public private(set) lazy var layoutMarginsGuide = makeGuide()
    /// The part that is narrow enough to read.
    public private(set) lazy var readableContentGuide = makeGuide()

    private func makeGuide() -> LayoutGuide {
        LayoutGuide(of: self)
    }

    /// The window that the view is in.
    open var window: Window? {
        var view: View? = self
        while let current = view, !(current is Window) { view = current.superview }
        return view as? Window
    }

    /// Whether the view is the other view or one of its descendants. O(depth).
    open func isDescendant(of view: View) -> Bool {
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

    // MARK: - Asking for them

    /// Asks for a layout in the next update.
    open func setNeedsLayout() { wait(for: .layout) }

    /// Asks for `updateConstraints()` in the next update.
    open func setNeedsUpdateConstraints() { wait(for: .constraints) }

    /// Asks for `updateProperties()` in the next update.
    open func setNeedsUpdateProperties() { wait(for: .properties) }

    /// Updates the traits and then the properties of this view, its controller and its subviews,
    /// now. Nothing is laid out (iOS 26).
    open func updatePropertiesIfNeeded() { (controller ?? self).updatePropertiesNow() }

    /// Asks for drawing at the end of the next update.
    open func setNeedsDisplay() { wait(for: .display) }

    /// Updates the traits and the layout of this view and its subviews now; see `updateLayout()`. A
    /// loop is reported to `UpdateLoop.handler`.
    ///
    /// In a tree without a window views lay out but keep the traits they have.
    open func layoutIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateLayout() }
    }

    // MARK: - Moving

    /// The view is about to move; nil means out of its superview.
    open func willMove(toSuperview newSuperview: View?) {}
    /// The view has moved.
    open func didMoveToSuperview() {}
    /// The view is about to come into a window; nil means out of the one it is in.
    open func willMove(toWindow newWindow: Window?) {}
    /// The view came into a window, or left the one it was in.
    open func didMoveToWindow() {}

    /// A view was added to this one.
    open func didAddSubview(_ subview: View) {}
    /// A subview is about to leave this view.
    open func willRemoveSubview(_ subview: View) {}

    // MARK: - Subviews

    /// Adds a view in front of this view's other subviews, and removes it from its former
    /// superview. A view controller that owns the added view inherits from this view (iOS 17).
    open func addSubview(_ view: View) { insert(view, at: subviews.count) }

    /// Inserts a view at a position among the subviews. Positions beyond the ends mean the ends.
    open func insertSubview(_ view: View, at index: Int) { insert(view, at: index) }

    /// Inserts a view just behind a subview, or in front of all when `sibling` is no subview.
    open func insertSubview(_ view: View, belowSubview sibling: View) {
        insert(view, at: position(of: sibling, without: view) ?? subviews.count)
    }

    /// Inserts a view just in front of a subview, or in front of all when `sibling` is no subview.
    open func insertSubview(_ view: View, aboveSubview sibling: View) {
        let position = position(of: sibling, without: view)
        insert(view, at: position.map { $0 + 1 } ?? subviews.count)
    }

    /// Removes the view from its superview. The view keeps the traits that it inherited last.
    open func removeFromSuperview() {
        if superview != nil { move(to: nil, at: 0) }
    }

    /// Moves a subview in front of the others.
    open func bringSubviewToFront(_ view: View) { reorder(view, to: subviews.count) }

    /// Moves a subview behind the others.
    open func sendSubviewToBack(_ view: View) { reorder(view, to: 0) }

    // MARK: - Tint

    /// The colour of controls: that of the superview unless set, and `systemBlue` without a
    /// superview. Nil is the superview's again.
    open var tintColor: Color! {
        get {
            // Appearance proxies ask whether the view has a tint of its own.
            if AppearanceRules.shared.target === self { return ownTintColor ?? .systemBlue }
            var view: View? = self
            while let current = view, current.ownTintColor == nil { view = current.superview }
            return view?.ownTintColor ?? .systemBlue
        }
        set {
            let old = ownTintColor
            ownTintColor = newValue
            if ownTintColor != old { tintChanged() }
        }
    }
    @Kept private var ownTintColor: Color?

    /// The tint of the view has changed: its own, or that of the view it inherits the tint from.
    open func tintColorDidChange() {}

    /// Calls `tintColorDidChange()` of this view and of the subviews that inherit its tint.
    func tintChanged() {
        var views = [self]
        while let view = views.popLast() {
            view.setNeedsDisplay()
            view.tintColorDidChange()
            views += view.subviews.reversed().filter { $0.ownTintColor == nil }
        }
    }

    /// Whether the view has a tint of its own.
    var hasOwnTint: Bool { ownTintColor != nil }

    // MARK: - Legacy and limits

    /// The style for this view and its subviews; `unspecified` means none. An override in
    /// `traitOverrides` wins over this style.
    open var overrideUserInterfaceStyle: UserInterfaceStyle {
        get { node.legacyStyle }
        set { node.legacyStyle = newValue }
    }

    /// The smallest text size that this view and its subviews inherit. Nil and `unspecified` mean
    /// no limit. Applies as soon as it is set, also to a detached view.
    open var minimumContentSizeCategory: ContentSizeCategory? {
        get { node.contentSizeLimits.minimum }
        set { limitContentSize(newValue, maximumContentSizeCategory) }
    }

    /// The largest text size that this view and its subviews inherit. When the minimum is larger,
    /// only the maximum counts.
    open var maximumContentSizeCategory: ContentSizeCategory? {
        get { node.contentSizeLimits.maximum }
        set { limitContentSize(minimumContentSizeCategory, newValue) }
    }

    private func limitContentSize(_ minimum: ContentSizeCategory?, _ maximum: ContentSizeCategory?)
    {
        node.setContentSizeLimits(
            minimum == .unspecified ? nil : minimum, maximum == .unspecified ? nil : maximum)
        updateTraitsIfNeeded()
    }

    /// The text size of the view and of each of its superviews, with the limits that apply.
    open var appliedContentSizeCategoryLimitsDescription: String {
        node.hierarchy.engine.appliedContentSizeLimitsDescription(at: node.index)
    }

    // MARK: - Direction

    /// Whether the view is mirrored for languages that read from right to left
    /// (`UISemanticContentAttribute`).
    public typealias SemanticContentAttribute = CTraitEnumerations.SemanticContentAttribute

    /// Whether the view follows the direction of the traits. A change asks for a layout.
    open var semanticContentAttribute = SemanticContentAttribute.unspecified {
        didSet { if semanticContentAttribute != oldValue { setNeedsLayout() } }
    }

    /// The direction in which the view lays out: that of its traits, unless its attribute fixes
    /// another one. Left to right when the traits leave it unspecified.
    open var effectiveUserInterfaceLayoutDirection: LayoutDirection {
        Self.userInterfaceLayoutDirection(
            for: semanticContentAttribute,
            relativeTo: LayoutDirection(traitCollection.layoutDirection) ?? .leftToRight)
    }

    /// The direction of a view with an attribute, in an interface of a direction.
    open class func userInterfaceLayoutDirection(
        for attribute: SemanticContentAttribute,
        relativeTo layoutDirection: LayoutDirection = .leftToRight
    ) -> LayoutDirection {
        switch attribute {
        case .unspecified: layoutDirection
        case .forceRightToLeft: .rightToLeft
        default: .leftToRight
        }
    }

    /// The controller that owns the view, else the superview.
    open override var next: Responder? { controller ?? superview }

    // MARK: - For subclasses here

    /// The node from which the subviews inherit.
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

    /// Methods of the view's controller and presentation may have read the view's traits, too.
    override func invalidateReaders(of changed: TraitSet) {
        super.invalidateReaders(of: changed)
        controller?.invalidateReaders(of: changed)
        presentation?.invalidateReaders(of: changed)
    }

    override func traitsChanged(_ change: ShownChange) {
        if change.affectsColors {
            setNeedsDisplay()
            layerIfMade?.takeBackground(of: self)
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

    /// Whether `viewIsAppearing` waits for this view or for one of its superviews. O(depth).
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

    override func layoutIfWaiting() {
        if take(.layout) { runLayout() }
    }

    /// Runs the configuration methods of buttons, cells and collection views.
    func runConfiguration() {}

    /// The view and its descendants with their controllers, parents first. O(subtree).
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

/// A rectangle in points: Foundation's `CGRect`.
public typealias Rect = CGRect

/// A width and a height in points: Foundation's `CGSize`.
public typealias Size = CGSize
