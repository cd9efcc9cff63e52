// A split view whose sidebar collapses, with other traits for its columns.

import TraitKitUI

final class SplitSidebarController: UISplitViewController {
    private(set) lazy var sidebar = UIViewController()
    private(set) lazy var detail = UIViewController()

    override func viewDidLoad() {
        super.viewDidLoad()
        preferredDisplayMode = .oneBesideSecondary
        preferredSplitBehavior = .tile
        minimumPrimaryColumnWidth = 240
        maximumPrimaryColumnWidth = 360
        presentsWithGesture = true
        primaryBackgroundStyle = .sidebar
        setViewController(sidebar, for: .primary)
        setViewController(UINavigationController(rootViewController: detail), for: .secondary)
        sidebar.traitOverrides.listEnvironment = .sidebar
        delegate = self
        registerForTraitChanges([UITraitHorizontalSizeClass.self]) { (self: Self, _) in
            self.sidebar.title = self.isCollapsed ? "Menu" : "Sidebar"
        }
    }
}

extension SplitSidebarController: UISplitViewControllerDelegate {
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: Column
    ) -> Column {
        proposedTopColumn == .secondary ? .primary : proposedTopColumn
    }

    func splitViewControllerDidExpand(_ svc: UISplitViewController) { sidebar.title = nil }
}
