// Closures that run alongside a change of the size class. Nothing is animated here: the animation
// closure runs with the new traits, the completion at the end of the update.

/// Takes the closures of a transition (`UIViewControllerTransitionCoordinator`).
@preconcurrency @MainActor
public protocol ViewControllerTransitionCoordinator: AnyObject {
    /// Adds closures to the transition.
    ///
    /// - Parameters:
    ///   - animation: runs once the controller has its new traits, before its change handlers.
    ///   - completion: runs at the end of the update.
    /// - Returns: whether the animation will run.
    @discardableResult
    func animate(
        alongsideTransition animation:
            (@MainActor (any ViewControllerTransitionCoordinator) -> Void)?,
        completion: (@MainActor (any ViewControllerTransitionCoordinator) -> Void)?
    ) -> Bool
}

extension ViewControllerTransitionCoordinator {
    /// Adds a closure to the transition, without a completion.
    @discardableResult
    public func animate(
        alongsideTransition animation:
            (@MainActor (any ViewControllerTransitionCoordinator) -> Void)?
    ) -> Bool {
        animate(alongsideTransition: animation, completion: nil)
    }
}

/// The coordinator of one change of one controller's size class.
@MainActor
final class TransitionCoordinator: ViewControllerTransitionCoordinator {
    private typealias Closure = @MainActor (any ViewControllerTransitionCoordinator) -> Void

    private var animations: [Closure] = []
    private var completions: [Closure] = []
    private var isRunning = false

    func animate(
        alongsideTransition animation:
            (@MainActor (any ViewControllerTransitionCoordinator) -> Void)?,
        completion: (@MainActor (any ViewControllerTransitionCoordinator) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        guard !isRunning else { return false }
        if let animation { animations.append(animation) }
        return true
    }

    func runAlongside() {
        isRunning = true
        let closures = animations
        animations = []
        for closure in closures { closure(self) }
    }

    func complete() {
        let closures = completions
        completions = []
        for closure in closures { closure(self) }
    }
}
