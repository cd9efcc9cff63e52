// Navigation controllers, which show the topmost of a stack of controllers.

public import Foundation

/// A controller of a stack (`UINavigationController`), as far as traits are concerned.
///
/// All controllers of the stack are children. The view of the topmost one is in this controller's
/// view, so it inherits from this controller; the covered ones keep the traits that they inherited
/// last. Nothing is animated.
@preconcurrency @MainActor
open class NavigationController: ViewController {
    private var stack: [ViewController] = []

    /// The bar above the content. It inherits from this controller.
    public private(set) lazy var navigationBar = node.hierarchy.perform { NavigationBar() }

    /// Whether the bar is hidden.
    open var isNavigationBarHidden = false {
        didSet { navigationBar.isHidden = isNavigationBarHidden }
    }

    /// A controller with one controller on its stack.
    public init(rootViewController: ViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }

    /// A controller with an empty stack.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// A controller with an empty stack. Nothing is decoded: controllers are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    // MARK: - The stack

    /// The controllers of the stack, the undermost first.
    open var viewControllers: [ViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The topmost controller; nil when the stack is empty.
    open var topViewController: ViewController? { stack.last }

    /// The controller that is presented over the stack, else the topmost one.
    open var visibleViewController: ViewController? { presentedViewController ?? stack.last }

    /// Replaces the stack. A controller that is named twice stays where it is named first.
    open func setViewControllers(_ viewControllers: [ViewController], animated: Bool) {
        var next: [ViewController] = []
        for controller in viewControllers where !next.contains(controller) {
            next.append(controller)
        }
        let gone = stack.filter { !next.contains($0) }
        let new = next.filter { $0.parent !== self }
        stack = next
        for controller in gone { controller.willMove(toParent: nil) }
        for controller in new { addChild(controller) }
        showContent()
        for controller in gone { controller.removeFromParent() }
        for controller in new { controller.didMove(toParent: self) }
    }

    /// Puts a controller on top. Pushing one that is on the stack is a programmer's error, as in
    /// UIKit, and stops the program.
    open func pushViewController(_ viewController: ViewController, animated: Bool) {
        require(!stack.contains(viewController), "the controller is on the stack already")
        setViewControllers(stack + [viewController], animated: animated)
    }

    /// Takes the topmost controller from the stack, unless it is the last one. Returns it.
    @discardableResult
    open func popViewController(animated: Bool) -> ViewController? {
        guard stack.count > 1 else { return nil }
        let top = stack.last
        setViewControllers(Array(stack.dropLast()), animated: animated)
        return top
    }

    /// Takes the controllers above one from the stack. Returns them; nil when there are none.
    @discardableResult
    open func popToViewController(
        _ viewController: ViewController, animated: Bool
    ) -> [ViewController]? {
        guard let position = stack.firstIndex(of: viewController), position + 1 < stack.count
        else { return nil }
        let popped = Array(stack[(position + 1)...])
        setViewControllers(Array(stack[...position]), animated: animated)
        return popped
    }

    /// Takes all controllers but the undermost from the stack. Returns them; nil when there are
    /// none.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [ViewController]? {
        stack.first.flatMap { popToViewController($0, animated: animated) }
    }

    /// Hides or shows the bar.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    override func showContent() {
        guard let view = viewIfLoaded else { return }
        if navigationBar.superview !== view { view.addSubview(navigationBar) }
        show(stack.last)
    }
}

/// The bar of a navigation controller (`UINavigationBar`): a view without content.
@preconcurrency @MainActor
open class NavigationBar: Bar {}
