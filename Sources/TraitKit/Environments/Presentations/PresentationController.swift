// Presentation controllers, which stand between a window and a presented controller.

internal import TraitEngine

/// A presentation controller (`UIPresentationController`).
///
/// It inherits from the window, and the presented controller inherits from it.
@preconcurrency @MainActor
open class PresentationController: Responder {
    /// The controller that is presented, or is to be.
    public private(set) weak var presentedViewController: ViewController?
    /// The view that contains the presented view during the presentation. It and its subviews
    /// inherit from the presentation controller.
    public private(set) var containerView: View?

    /// Chooses how the presentation adapts to traits.
    open weak var delegate: (any AdaptivePresentationControllerDelegate)?
    /// The style whose traits are in the supplied traits now.
    var suppliedStyle = ModalPresentationStyle.none

    override class var nodeKind: NodeKind { .presentationController }

    /// A presentation of a controller.
    ///
    /// - Parameters:
    ///   - presentedViewController: the controller to present.
    ///   - presentingViewController: ignored. The receiver of `present` decides which controller
    ///     presents.
    public init(
        presentedViewController: ViewController,
        presenting presentingViewController: ViewController?
    ) {
        self.presentedViewController = presentedViewController
        super.init(root: ())
    }

    /// A presentation of a controller.
    public convenience init(presentedViewController: ViewController) {
        self.init(presentedViewController: presentedViewController, presenting: nil)
    }

    /// The controller that presents; nil before and after the presentation.
    open var presentingViewController: ViewController? {
        presentedViewController?.presentingViewController
    }

    /// Traits for the presented content, those that the collection specifies; nil for none.
    /// Deprecated since iOS 17: use `traitOverrides`, which win over it.
    open var overrideTraitCollection: TraitCollection? {
        didSet {
            // The controller's own collection, and its container view's, stay as they are.
            if containerView != nil {
                presentedViewController?.node.setLegacyCollection(overrideTraitCollection)
            }
        }
    }

    /// The view of the presented controller.
    open var presentedView: View? { presentedViewController?.view }

    /// The style for traits of the window: the answer of the delegate, `none` without a delegate.
    /// `none` keeps the controller's own style. A popover without a delegate is full screen in
    /// compact width.
    open func adaptivePresentationStyle(
        for traitCollection: TraitCollection
    ) -> ModalPresentationStyle {
        if let delegate {
            return delegate.adaptivePresentationStyle(for: self, traitCollection: traitCollection)
        }
        let isCompact = traitCollection.horizontalSizeClass == .compact
        return presentationStyle == .popover && isCompact ? .fullScreen : .none
    }

    /// Before and after the container view lays out. Traits of the presentation controller and of
    /// its container view that are read here are tracked; when one changes, a layout of the
    /// container view is asked for (iOS 18).
    open func containerViewWillLayoutSubviews() {}
    /// The container view has laid out; tracked likewise.
    open func containerViewDidLayoutSubviews() {}

    /// The container view is in the window; the presented view is about to come into it.
    open func presentationTransitionWillBegin() {}
    /// The presented view stands in the container view.
    open func presentationTransitionDidEnd(_ completed: Bool) {}
    /// The presented view is about to leave.
    open func dismissalTransitionWillBegin() {}
    /// The presented view and the container view have left.
    open func dismissalTransitionDidEnd(_ completed: Bool) {}

    // MARK: - Presenting

    func begin(in window: Window) {
        guard let presented = presentedViewController else { return }
        node.place(below: window.node)
        presented.node.place(below: node)
        presented.node.setLegacyCollection(overrideTraitCollection)
        let container = node.hierarchy.perform { View(frame: window.bounds) }
        container.presentation = self
        containerView = container
        window.addSubview(container)
        adapt(to: TraitCollection(window.node.shownTraits))
        presentationTransitionWillBegin()
        container.addSubview(presentedView ?? presented.view)
        presentationTransitionDidEnd(true)
    }

    func end() {
        dismissalTransitionWillBegin()
        presentedViewController?.viewIfLoaded?.removeFromSuperview()
        presentedViewController?.node.setLegacyCollection(nil)
        presentedViewController?.node.place(below: nil)
        containerView?.removeFromSuperview()
        containerView?.presentation = nil
        containerView = nil
        node.place(below: nil)
        dismissalTransitionDidEnd(true)
    }

    override func invalidate(_ method: TrackedMethod) {
        switch method {
        case .containerViewWillLayoutSubviews, .containerViewDidLayoutSubviews:
            containerView?.setNeedsLayout()
        default: break
        }
    }

    override var subtree: [Responder] { [self] + (containerView?.subtree ?? []) }
}
