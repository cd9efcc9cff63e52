// Split view controllers, which show several columns or one alone, by the horizontal size class.

public import Foundation

/// A controller of columns (`UISplitViewController`), as far as traits are concerned.
///
/// The controller is collapsed while its own horizontal size class is compact. The content of its
/// columns has `splitViewControllerLayoutEnvironment` accordingly. While the controller is
/// expanded, content of the primary and supplementary columns has compact width, as these columns
/// are narrow.
///
/// The controller writes these two traits into the `suppliedTraits` of the content. It replaces or
/// removes values that the program supplied for them, and leaves all other supplied traits alone.
@preconcurrency @MainActor
open class SplitViewController: ViewController {
    /// Whether content is in an expanded or a collapsed split view controller
    /// (`UISplitViewController.LayoutEnvironment`).
    public typealias LayoutEnvironment = SplitViewControllerLayoutEnvironment

    /// A column (`UISplitViewController.Column`).
    public typealias Column = SplitColumn

    private var columns: [Column: ViewController] = [:]

    /// How many columns there are (`UISplitViewController.Style`).
    public typealias Style = SplitStyle

    /// How many columns there are. Traits do not depend on it.
    public let style: Style

    /// Which columns are shown (`UISplitViewController.DisplayMode`).
    public typealias DisplayMode = SplitDisplayMode
    /// Which columns are shown, if the program has a wish.
    @Kept open var preferredDisplayMode = DisplayMode.automatic
    /// How the columns share the width.
    @Kept open var preferredSplitBehavior = SplitBehavior.automatic
    /// The background of the primary column.
    @Kept open var primaryBackgroundStyle = SplitBackgroundStyle.none
    /// Whether a gesture shows the hidden columns.
    @Kept open var presentsWithGesture = true
    /// Widths of the primary column.
    open var preferredPrimaryColumnWidth = automaticDimension,
        minimumPrimaryColumnWidth = automaticDimension,
        maximumPrimaryColumnWidth = automaticDimension
    /// The width that the controller would choose itself.
    public nonisolated static let automaticDimension = -CGFloat.greatestFiniteMagnitude

    /// A controller with columns.
    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
        observeSizeClass()
    }

    /// A controller of an unspecified style, whose view is not loaded.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        style = .unspecified
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
        observeSizeClass()
    }

    /// A controller of an unspecified style. Nothing is decoded: controllers are not archived.
    public required init?(coder: NSCoder) {
        style = .unspecified
        super.init(coder: coder)
        observeSizeClass()
    }

    private func observeSizeClass() {
        registerForTraitChanges([TraitHorizontalSizeClass.self]) { (self: Self, _) in
            self.supplyColumns()
            self.notifyDelegate()
        }
    }

    private var wasCollapsed = false

    private func notifyDelegate() {
        if isCollapsed == wasCollapsed { return }
        wasCollapsed = isCollapsed
        if isCollapsed {
            delegate?.splitViewControllerDidCollapse(self)
        } else {
            delegate?.splitViewControllerDidExpand(self)
        }
    }

    /// Is told of collapsing and expanding.
    open weak var delegate: (any SplitViewControllerDelegate)?

    /// Whether one column is shown alone.
    open var isCollapsed: Bool { traitCollection.horizontalSizeClass == .compact }

    /// The controller of a column, nil when none was set.
    open func viewController(for column: Column) -> ViewController? { columns[column] }

    /// Sets the content of a column. Nil removes the content.
    open func setViewController(_ viewController: ViewController?, for column: Column) {
        if let old = columns[column] {
            old.viewIfLoaded?.removeFromSuperview()
            old.removeFromParent()
            columns[column] = nil
            clear(old)
        }
        guard let viewController else { return }
        for (other, content) in columns where content === viewController { columns[other] = nil }
        columns[column] = viewController
        addChild(viewController)
        view.addSubview(viewController.view)
        viewController.didMove(toParent: self)
        supplyColumns()
    }

    override func showContent() {
        for (_, content) in columns.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where content.view.superview !== view {
            view.addSubview(content.view)
        }
    }

    /// Writes the traits of the columns into the supplied traits of their content.
    private func supplyColumns() {
        let isCollapsed = isCollapsed
        for (column, content) in columns {
            var supplied = content.suppliedTraits
            supplied.splitViewControllerLayoutEnvironment = isCollapsed ? .collapsed : .expanded
            if !isCollapsed, column == .primary || column == .supplementary {
                supplied.horizontalSizeClass = .compact
            } else {
                supplied.remove(TraitHorizontalSizeClass.self)
            }
            if supplied != content.suppliedTraits { content.suppliedTraits = supplied }
        }
    }

    /// Removes the traits of a column from the supplied traits of its former content.
    private func clear(_ content: ViewController) {
        var supplied = content.suppliedTraits
        supplied.remove(TraitSplitViewControllerLayoutEnvironment.self)
        supplied.remove(TraitHorizontalSizeClass.self)
        content.suppliedTraits = supplied
    }
}

/// Is told when a split view controller collapses or expands (`UISplitViewControllerDelegate`).
@preconcurrency @MainActor
public protocol SplitViewControllerDelegate: AnyObject {
    /// The controller has collapsed.
    func splitViewControllerDidCollapse(_ svc: SplitViewController)
    /// The controller has expanded.
    func splitViewControllerDidExpand(_ svc: SplitViewController)
    /// The column to show alone. Never asked: only traits change here.
    func splitViewController(
        _ svc: SplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: SplitViewController.Column
    ) -> SplitViewController.Column
}

extension SplitViewControllerDelegate {
    /// Does nothing unless implemented.
    public func splitViewControllerDidCollapse(_ svc: SplitViewController) {}
    /// Does nothing unless implemented.
    public func splitViewControllerDidExpand(_ svc: SplitViewController) {}
    /// The proposed column unless implemented.
    public func splitViewController(
        _ svc: SplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: SplitViewController.Column
    ) -> SplitViewController.Column { proposedTopColumn }
}

extension ViewController {
    /// The nearest controller of a class among the parents.
    func nearestParent<Container: ViewController>() -> Container? {
        var controller = parent
        while let current = controller {
            if let container = current as? Container { return container }
            controller = current.parent
        }
        return nil
    }

    /// Puts the view of one child into this controller's view, and takes out the views of the other
    /// children. They keep the traits that they inherited last.
    func show(_ shown: ViewController?) {
        guard let container = viewIfLoaded else { return }
        for child in children where child !== shown { child.viewIfLoaded?.removeFromSuperview() }
        guard let shown, shown.view.superview !== container else { return }
        shown.view.frame = container.bounds
        container.insertSubview(shown.view, at: 0)
    }
}
