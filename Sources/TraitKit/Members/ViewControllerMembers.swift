// The members of view controllers that keep a value for the program.

public import Foundation

/// The common superclass of view controllers, which has no name in UIKit: what the program sets here
/// is stored and returned.
@preconcurrency @MainActor
open class ViewControllerMembers: Responder {
    /// The title, which bars would show. It is also that of the `navigationItem`.
    @Kept open var title: String? {
        didSet { keptNavigationItem?.title = title }
    }
    private var keptNavigationItem: NavigationItem?

    /// What the navigation bar would show; made with the title on the first use.
    open var navigationItem: NavigationItem {
        if let keptNavigationItem { return keptNavigationItem }
        let item = NavigationItem(title: title ?? "")
        item.title = title
        keptNavigationItem = item
        return item
    }

    /// Whether tab bars are hidden while the controller is on a stack.
    @Kept open var hidesBottomBarWhenPushed = false
    /// The size that the controller's view prefers to have in a container.
    @Kept open var preferredContentSize = Size.zero
    /// The edges that reach below bars.
    @Kept open var edgesForExtendedLayout = RectEdge.all
    /// Whether a gesture cannot dismiss the controller.
    @Kept open var isModalInPresentation = false
    /// Whether presentations of children stand in this controller.
    @Kept open var definesPresentationContext = false
    /// How a presentation would move.
    @Kept open var modalTransitionStyle = ModalTransitionStyle.coverVertical
    /// Whether the controller's content is being edited.
    @Kept open var isEditing = false

    /// What a tab bar would show for the controller.
    open lazy var tabBarItem: TabBarItem! = TabBarItem(title: title, image: nil, tag: 0)
    /// Insets that are added to the safe area.
    @Kept open var additionalSafeAreaInsets = EdgeInsets.zero
    /// Whether opaque bars cover the view, and who decides about the status bar of a presentation.
    open var extendedLayoutIncludesOpaqueBars = false,
        modalPresentationCapturesStatusBarAppearance = false
    /// The child that decides about the look of the status bar, and that about its being there.
    open var childForStatusBarStyle: ViewController? { nil }
    /// The child that decides whether the status bar is hidden.
    open var childForStatusBarHidden: ViewController? { nil }
    /// How the device may be held: not upside down, unless overridden.
    open var supportedInterfaceOrientations: InterfaceOrientationMask { .allButUpsideDown }
    /// Whether the controller turns with the device: yes, unless overridden.
    open var shouldAutorotate: Bool { true }
    /// Whether the line at the lower edge is hidden: no, unless overridden.
    open var prefersHomeIndicatorAutoHidden: Bool { false }

    /// Begins or ends editing.
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

    /// The look of the status bar: the default one unless overridden.
    open var preferredStatusBarStyle: StatusBarStyle { .default }
    /// Whether the status bar is hidden: no, unless overridden.
    open var prefersStatusBarHidden: Bool { false }

    /// Asks for the look of the status bar again: nothing is shown.
    open func setNeedsStatusBarAppearanceUpdate() {}
    /// Memory is short. Never called by itself.
    open func didReceiveMemoryWarning() {}
    /// The safe area of the view has changed. Never called by itself.
    open func viewSafeAreaInsetsDidChange() {}
}
