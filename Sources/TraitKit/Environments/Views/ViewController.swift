// View controllers: owners of views, with a life cycle.

public import Foundation
internal import TraitEngine

/// A view controller (`UIViewController`), as far as traits are concerned.
///
/// Since iOS 17 a controller inherits from the superview of its view, and its view inherits from
/// the controller. So the controller's traits are right once its view is in a hierarchy. In
/// `viewDidLoad` and `viewWillAppear` they may be stale; from `viewIsAppearing` on they are not.
@preconcurrency @MainActor
open class ViewController: ViewControllerMembers {
    /// The view, or nil while it is not loaded.
    public private(set) var viewIfLoaded: View?
    /// The child controllers, in the order in which they were added.
    public internal(set) var children: [ViewController] = []
    /// The controller that this one is a child of.
    public internal(set) weak var parent: ViewController?
    /// The controller that this one itself presents.
    var presented: ViewController?
    /// The controller that itself presents this one.
    weak var presenting: ViewController?
    /// The presentation controller of this controller's own presentation.
    var presentation: PresentationController?
    /// The traits that this controller overrides for its children, and for controllers that may
    /// become its children.
    var overridesForChildren: [ChildOverride] = []

    struct ChildOverride {
        weak var child: ViewController?
        let collection: TraitCollection
    }

    override class var nodeKind: NodeKind { .viewController }

    /// The name of a nib file, if one was given. No nib files are read here.
    public let nibName: String?
    /// The bundle of the nib file, if one was given.
    public let nibBundle: Bundle?

    /// A controller whose view is not loaded.
    public convenience init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// A controller whose view is not loaded. There are no nib files here: `loadView()` makes the
    /// view, whatever the name.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        nibName = nibNameOrNil
        nibBundle = nibBundleOrNil
        super.init(root: ())
        wait(for: [.properties, .contentUnavailable])
    }

    /// A controller as `init(nibName: nil, bundle: nil)` makes it. Nothing is decoded: controllers
    /// are not archived. Subclasses with initializers of their own have to declare this one, as in
    /// UIKit.
    public required init?(coder: NSCoder) {
        (nibName, nibBundle) = (nil, nil)
        super.init(root: ())
        wait(for: [.properties, .contentUnavailable])
    }

    // MARK: - The view

    /// The controller's view. The first access loads it. Nil lets go of the view, so that the next
    /// access loads another; the old one stays in its superview.
    open var view: View! {
        get {
            loadViewIfNeeded()
            guard let viewIfLoaded else { misuse("loadView() has to set the view") }
            return viewIfLoaded
        }
        set {
            guard newValue !== viewIfLoaded else { return }
            releaseView()
            if let newValue { own(newValue) }
        }
    }

    /// Whether the view was loaded.
    open var isViewLoaded: Bool { viewIfLoaded != nil }

    /// Loads the view unless it is loaded: calls `loadView()`, then `viewDidLoad()`.
    open func loadViewIfNeeded() {
        guard viewIfLoaded == nil else { return }
        node.hierarchy.perform { loadView() }
        guard viewIfLoaded != nil else { misuse("loadView() has to set the view") }
        viewDidLoad()
        showContent()
    }

    /// Puts the views of child controllers into the view, in controllers that show children.
    func showContent() {}

    /// Sets `view`; to a plain one unless overridden.
    open func loadView() { view = View() }

    private func own(_ view: View) {
        view.controller?.releaseView()
        node.hierarchy.change { (engine) throws(OperationError) in
            try engine.updateNode(view.node.index, controller: .set(node.index))
        }
        viewIfLoaded = view
        view.controller = self
    }

    private func releaseView() {
        guard let old = viewIfLoaded else { return }
        node.hierarchy.change { (engine) throws(OperationError) in
            try engine.updateNode(old.node.index, controller: .clear)
        }
        _ = old.take(.appearance)
        appearance = .disappeared
        old.controller = nil
        viewIfLoaded = nil
    }

    // MARK: - Life cycle

    /// The view was loaded. Its traits and those of the controller may still be stale.
    open func viewDidLoad() {}
    /// The view is about to be added to a hierarchy: the traits may still be stale.
    open func viewWillAppear(_ animated: Bool) {}
    /// The view was added and its superview laid out: the traits of both are right (iOS 17).
    open func viewIsAppearing(_ animated: Bool) {}
    /// The view has appeared and is laid out.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view is about to leave its scene.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view has left its scene.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Before and after the view lays out. Traits of the controller and of its view that are read
    /// here are tracked; when one changes, a layout of the view is asked for (iOS 18).
    open func viewWillLayoutSubviews() {}
    /// The view has laid out; tracked likewise.
    open func viewDidLayoutSubviews() {}

    /// Updates the view's constraints: unless overridden, calls its `updateConstraints()`. Tracked
    /// likewise.
    open func updateViewConstraints() { viewIfLoaded?.updateConstraints() }

    /// Updates properties of the controller, before layout (iOS 26). Tracked likewise.
    open func updateProperties() {}

    /// Updates the configuration for a controller without content (iOS 17). Tracked likewise.
    open func updateContentUnavailableConfiguration(
        using state: ContentUnavailableConfigurationState
    ) {}

    /// Asks for `updateProperties()` in the next update.
    open func setNeedsUpdateProperties() { wait(for: .properties) }

    /// Updates the traits and then the properties of this controller, its view and the view's
    /// subviews, now. Nothing is laid out (iOS 26).
    open func updatePropertiesIfNeeded() { updatePropertiesNow() }

    /// The state for which the controller configures itself now.
    open var contentUnavailableConfigurationState: ContentUnavailableConfigurationState {
        ContentUnavailableConfigurationState(traitCollection: traitCollection)
    }

    /// Asks for `updateContentUnavailableConfiguration(using:)` in the next update.
    open func setNeedsUpdateContentUnavailableConfiguration() { wait(for: .contentUnavailable) }

    // MARK: - Transitions

    /// Called in an update when the size class is about to change (`UIContentContainer`).
    /// `traitCollection` still has the old traits.
    ///
    /// UIKit does not document which traits lead to this call; here a change of a size class does.
    /// Call `super` at some point, as in UIKit.
    ///
    /// - Parameters:
    ///   - newCollection: the traits that the controller will have.
    ///   - coordinator: takes closures that run with the new traits, and closures for the end of
    ///     the update.
    open func willTransition(
        to newCollection: TraitCollection, with coordinator: any ViewControllerTransitionCoordinator
    ) {}

    /// Called when the size of the controller's view is about to change with that of its window
    /// (`UIContentContainer`). Unless overridden, passes the call on to the child controllers; call
    /// `super` for that.
    ///
    /// - Parameters:
    ///   - size: the size that the view will have.
    ///   - coordinator: takes closures that run with the new size, and closures for the end of the
    ///     next update.
    open func viewWillTransition(
        to size: Size, with coordinator: any ViewControllerTransitionCoordinator
    ) {
        for child in children { child.viewWillTransition(to: size, with: coordinator) }
    }

    // MARK: - Presenting

    /// Presents a controller over this one's window. The controller at the top of this one's
    /// parents is the one that presents. As in UIKit, nothing is presented while this controller's
    /// view is in no window, or when either is part of a presentation already;
    /// `PresentationRefusal.handler` gets the reason.
    open func present(
        _ viewController: ViewController, animated: Bool,
        completion: (() -> Void)? = nil
    ) {
        var presenter = self
        while let parent = presenter.parent { presenter = parent }
        let window = viewIfLoaded?.window
        let reason =
            window == nil ? .notInWindow : presenter.refusal(ofPresenting: viewController)
        guard let window, reason == nil, let presentation = viewController.presentationController
        else {
            PresentationRefusal.handler(
                PresentationRefusal(
                    reason: reason ?? .active, presenter: "\(type(of: presenter))",
                    presented: "\(type(of: viewController))"))
            return
        }
        presenter.presented = viewController
        viewController.presenting = presenter
        presentation.begin(in: window)
        completion?()
    }

    /// Ends the presentation that this controller or the nearest of its parents made, with the
    /// presentations on top of it. Without one, ends the presentation that this controller is part
    /// of.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard let modal = presented else {
            guard let other = parent ?? presenting else { return }
            return other.dismiss(animated: animated, completion: completion)
        }
        if modal.presented != nil { modal.dismiss(animated: animated) }
        modal.presentation?.end()
        modal.presentation = nil
        modal.presenting = nil
        presented = nil
        completion?()
    }

    /// The presentation controller of the presentation that this controller is part of; made when
    /// asked for, so that overrides can be set on it before presenting.
    open var presentationController: PresentationController? { presentationOfParents }

    /// The controller that this one, or the nearest controller above it, presents. O(depth).
    open var presentedViewController: ViewController? {
        presented ?? parent?.presentedViewController
    }

    /// The controller that presents this one, or the nearest controller above it. O(depth).
    open var presentingViewController: ViewController? {
        presenting ?? parent?.presentingViewController
    }

    // MARK: - Containment

    /// Makes a controller a child of this one, and removes it from its former parent. The parent
    /// must also add the child's view to a view, from which the child inherits its traits.
    open func addChild(_ child: ViewController) { adopt(child) }

    /// Removes the controller from its parent, with the parent's overrides for it.
    open func removeFromParent() { leaveParent() }

    /// The nearest navigation controller among the parents; nil without one. O(depth).
    open var navigationController: NavigationController? { nearestParent() }

    /// The nearest tab bar controller among the parents; nil without one. O(depth).
    open var tabBarController: TabBarController? { nearestParent() }

    /// The nearest split view controller among the parents; nil without one. O(depth).
    open var splitViewController: SplitViewController? { nearestParent() }

    /// The controller is about to get another parent, or none.
    open func willMove(toParent parent: ViewController?) {}
    /// The controller has another parent, or none. After `addChild(_:)` the parent makes this call,
    /// as in UIKit.
    open func didMove(toParent parent: ViewController?) {}

    /// Makes the presentation controller: unless overridden, a sheet for the styles of sheets, for
    /// `custom` that of the delegate, else a plain one.
    open func makePresentationController() -> PresentationController {
        switch modalPresentationStyle {
        case .pageSheet, .formSheet: SheetPresentationController(presentedViewController: self)
        case .popover: PopoverPresentationController(presentedViewController: self)
        case .custom:
            transitioningDelegate?.presentationController(
                forPresented: self, presenting: presentingViewController,
                source: presentingViewController ?? self)
                ?? PresentationController(presentedViewController: self)
        default: PresentationController(presentedViewController: self)
        }
    }

    /// Makes the presentation controller when the style is `custom`.
    open weak var transitioningDelegate: (any ViewControllerTransitioningDelegate)?

    /// How far the controller's view has appeared.
    var appearance = AppearanceState.disappeared
    /// Whether the running transition is animated, as far as its caller says.
    var isAnimating = false

    /// Says that the controller's view is about to appear or disappear: calls `viewWillAppear` or
    /// `viewWillDisappear` of this controller and of the children in its view. Does nothing when the
    /// view has appeared, or disappeared, already.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        beginTransition(isAppearing, animated: animated)
    }

    /// Says that the transition has ended: calls `viewIsAppearing` and `viewDidAppear`, or
    /// `viewDidDisappear`. The traits of the controller are up to date before that.
    open func endAppearanceTransition() { endTransition() }

    /// Whether children are told that their views appear and disappear when this controller is told
    /// by `beginAppearanceTransition(_:animated:)`.
    open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

    /// The superview of the controller's view, else the parent.
    open override var next: Responder? { viewIfLoaded?.superview ?? parent }

    /// How the controller is presented.
    open var modalPresentationStyle = ModalPresentationStyle.automatic

    // MARK: - Legacy

    /// The style for this controller and the environments that inherit from it; `unspecified` means
    /// none. The controller shows it at once. An override in `traitOverrides` wins over this style.
    open var overrideUserInterfaceStyle: UserInterfaceStyle {
        get { node.legacyStyle }
        set { node.legacyStyle = newValue }
    }

    /// Traits that this controller gives a child, those that the collection specifies; nil for
    /// none. Overrides of the child win over them. They are kept for a controller that is no child
    /// yet. Deprecated since iOS 17: use the child's `traitOverrides`.
    open func setOverrideTraitCollection(
        _ collection: TraitCollection?, forChild child: ViewController
    ) {
        forgetOverride(forChild: child)
        if let collection {
            overridesForChildren.append(ChildOverride(child: child, collection: collection))
        }
        updateOverride(forChild: child)
    }

    /// The traits that this controller gives a child: unless overridden, those that
    /// `setOverrideTraitCollection(_:forChild:)` has set. Asked when the child is added, when traits
    /// of this controller have changed, and before its view lays out.
    open func overrideTraitCollection(forChild child: ViewController) -> TraitCollection? {
        overridesForChildren.first { $0.child === child }?.collection
    }

    // MARK: - For the update

    override func traitsChanged(_ change: ShownChange) {
        super.traitsChanged(change)
        updateOverridesForChildren()
    }

    override func invalidate(_ method: TrackedMethod) {
        switch method {
        case .viewWillLayoutSubviews, .viewDidLayoutSubviews: viewIfLoaded?.setNeedsLayout()
        case .updateViewConstraints: viewIfLoaded?.setNeedsUpdateConstraints()
        case .updateProperties: setNeedsUpdateProperties()
        case .updateContentUnavailableConfiguration:
            setNeedsUpdateContentUnavailableConfiguration()
        default: break
        }
    }

    /// The view's node: the methods of a controller may read the traits of its view.
    override var nodeOfTurn: EnvironmentNode { viewIfLoaded?.node ?? node }

    override var isAppearing: Bool { viewIfLoaded?.isAppearing ?? super.isAppearing }

    override func prepareForLayout() {
        if viewIfLoaded?.take(.appearing) == true { viewIsAppearing(false) }
        updatePropertiesIfWaiting()
    }

    override func updatePropertiesIfWaiting() {
        if take(.properties) { track(.updateProperties, with: viewIfLoaded) { updateProperties() } }
        if take(.contentUnavailable) {
            track(.updateContentUnavailableConfiguration, with: viewIfLoaded) {
                updateContentUnavailableConfiguration(using: contentUnavailableConfigurationState)
            }
        }
    }

    override var subtree: [Responder] { viewIfLoaded?.subtree ?? [self] }
}
