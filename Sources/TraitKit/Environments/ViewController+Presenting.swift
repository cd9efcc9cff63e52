// Presenting: what is presented inherits from its presentation controller and that from the window,
// so overrides of the presenting controller do not reach it.

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

    /// Presents a controller over this one's window. As in UIKit, nothing happens while this
    /// controller's view is in no window, or when either is part of a presentation already.
    public func present(
        _ viewController: ViewController, animated: Bool,
        completion: (@MainActor () -> Void)? = nil
    ) {
        guard let window = viewIfLoaded?.window, presentedViewController == nil,
            viewController.presentingViewController == nil, viewController !== self,
            let presentation = viewController.presentationController
        else { return }
        presentedViewController = viewController
        viewController.presentingViewController = self
        presentation.begin(in: window)
        completion?()
    }

    /// Ends the presentation that this controller made, with those above it; else the one that it
    /// is part of.
    public func dismiss(animated: Bool, completion: (@MainActor () -> Void)? = nil) {
        guard let presented = presentedViewController else {
            guard let presenting = presentingViewController ?? parent else { return }
            return presenting.dismiss(animated: animated, completion: completion)
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: animated) }
        presented.presentation?.end()
        presented.presentation = nil
        presented.presentingViewController = nil
        presentedViewController = nil
        completion?()
    }
}
