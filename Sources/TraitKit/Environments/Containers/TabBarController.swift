// Tab bar controllers, which show one of several controllers.

public import Foundation

/// A controller of tabs (`UITabBarController`), as far as traits are concerned.
///
/// All controllers are children. The view of the selected one is in this controller's view, so it
/// inherits from this controller. The others keep the traits that they inherited last.
@preconcurrency @MainActor
open class TabBarController: ViewController {
    private var tabs: [ViewController] = []
    private var position = 0

    /// The bar with the tabs. It inherits from this controller.
    public private(set) lazy var tabBar = node.hierarchy.perform { TabBar() }

    /// A controller without tabs.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// A controller without tabs. Nothing is decoded: controllers are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The controllers, in the order of their tabs; nil when none were set.
    open var viewControllers: [ViewController]? {
        get { tabs.isEmpty ? nil : tabs }
        set { setViewControllers(newValue, animated: false) }
    }

    /// Replaces the controllers. The selected one stays selected if it is among them, else the first
    /// one is selected.
    open func setViewControllers(_ viewControllers: [ViewController]?, animated: Bool) {
        let selected = selectedViewController
        var next: [ViewController] = []
        for controller in viewControllers ?? [] where !next.contains(controller) {
            next.append(controller)
        }
        let gone = tabs.filter { !next.contains($0) }
        let new = next.filter { $0.parent !== self }
        tabs = next
        position = selected.flatMap { next.firstIndex(of: $0) } ?? 0
        for controller in gone { controller.willMove(toParent: nil) }
        for controller in new { addChild(controller) }
        showContent()
        for controller in gone { controller.removeFromParent() }
        for controller in new { controller.didMove(toParent: self) }
    }

    /// The position of the selected tab. A position without a tab is a programmer's error and stops
    /// the program. `NSNotFound` without tabs.
    open var selectedIndex: Int {
        get { tabs.isEmpty ? NSNotFound : position }
        set {
            require(tabs.indices.contains(newValue), "there is no tab \(newValue)")
            position = newValue
            showContent()
        }
    }

    /// The selected controller. Selecting one without a tab is a programmer's error and stops the
    /// program.
    open var selectedViewController: ViewController? {
        get { tabs.indices.contains(position) ? tabs[position] : nil }
        set {
            guard let newValue else { return }
            guard let index = tabs.firstIndex(of: newValue) else {
                misuse("the controller has no tab")
            }
            selectedIndex = index
        }
    }

    override func showContent() {
        guard let view = viewIfLoaded else { return }
        if tabBar.superview !== view { view.addSubview(tabBar) }
        show(selectedViewController)
    }
}

/// The bar of a tab bar controller (`UITabBar`): a view without content.
@preconcurrency @MainActor
open class TabBar: Bar {
    /// The colour of the items that are not selected.
    @Kept open var unselectedItemTintColor: Color?
}
