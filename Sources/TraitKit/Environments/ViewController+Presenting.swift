// Presenting controllers. A presented controller inherits from its presentation controller, which
// inherits from the window. So overrides of the presenting controller do not reach the presented
// one.

extension ViewController {
    /// The presentation controller of the presentation that this controller is part of; made when
    /// asked for, so that overrides can be set on it before presenting.
    public var presentationController: PresentationController? {
        if let presentation { return presentation }
        if let parent { return parent.presentationController }
        let made = node.hierarchy.perform { makePresentationController() }
        presentation = made
        return made
    }

    /// The presentation controller of the presentation that this controller is part of; nil while it
    /// is not presented (`activePresentationController`).
    public var activePresentationController: PresentationController? {
        presentingViewController == nil ? nil : presentationController
    }

    /// The controller that this one, or the nearest controller above it, presents. O(depth).
    public var presentedViewController: ViewController? {
        presented ?? parent?.presentedViewController
    }

    /// The controller that presents this one, or the nearest controller above it. O(depth).
    public var presentingViewController: ViewController? {
        presenting ?? parent?.presentingViewController
    }

    /// Presents a controller over this one's window. The controller at the top of this one's
    /// parents is the one that presents. As in UIKit, nothing happens while this controller's view
    /// is in no window, or when either is part of a presentation already.
    public func present(
        _ viewController: ViewController, animated: Bool,
        completion: (@MainActor () -> Void)? = nil
    ) {
        var presenter = self
        while let parent = presenter.parent { presenter = parent }
        guard let window = viewIfLoaded?.window, presenter.presented == nil,
            viewController.presentingViewController == nil, viewController !== presenter,
            viewController.parent == nil,
            let presentation = viewController.presentationController
        else { return }
        presenter.presented = viewController
        viewController.presenting = presenter
        presentation.begin(in: window)
        completion?()
    }

    /// Ends the presentation that this controller or the nearest of its parents made, with the
    /// presentations on top of it. Without one, ends the presentation that this controller is part
    /// of.
    public func dismiss(animated: Bool, completion: (@MainActor () -> Void)? = nil) {
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
}
