// The items of bars, which controllers hold. Bars show nothing.

public import Foundation

/// What the bars of a controller would show (`UIBarItem`).
@preconcurrency @MainActor
open class BarItem {
    /// The title.
    open var title: String?
    /// The image.
    open var image: Image?
    /// Whether the item can be used.
    open var isEnabled = true
    /// A number by which the program finds the item.
    open var tag = 0
    /// A name by which tests find the item.
    open var accessibilityIdentifier: String?
    /// The text that is spoken for the item.
    open var accessibilityLabel: String?

    /// An item without content.
    public init() {}
}

/// A button in a bar (`UIBarButtonItem`).
@preconcurrency @MainActor
open class BarButtonItem: BarItem {
    /// The buttons of the system (`UIBarButtonItem.SystemItem`).
    public typealias SystemItem = BarButtonSystemItem

    /// What is performed.
    open var primaryAction: Action?
    /// The view in place of a button.
    open var customView: View?
    /// The colour of the button.
    open var tintColor: Color?
    /// The width; 0 for that of the content.
    open var width: CGFloat = 0
    /// The button of the system, if it is one.
    public let systemItem: SystemItem?

    /// A button of the system.
    public init(systemItem: SystemItem, primaryAction: Action? = nil) {
        self.systemItem = systemItem
        self.primaryAction = primaryAction
        super.init()
    }

    /// A button with the title and image of an action, unless others are given.
    public init(title: String? = nil, image: Image? = nil, primaryAction: Action? = nil) {
        systemItem = nil
        self.primaryAction = primaryAction
        super.init()
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
    }

    /// A view in a bar.
    public init(customView: View) {
        systemItem = nil
        self.customView = customView
        super.init()
    }
}

/// What the navigation bar would show for a controller (`UINavigationItem`).
@preconcurrency @MainActor
open class NavigationItem {
    /// How the navigation bar aligns a title (`UINavigationItem.TitleAlignment`).
    public typealias TitleAlignment = NavigationTitleAlignment

    /// When titles are large (`UINavigationItem.LargeTitleDisplayMode`).
    public typealias LargeTitleDisplayMode = CTraitEnumerations.LargeTitleDisplayMode

    /// The title.
    open var title: String?
    /// The text above the title.
    open var prompt: String?
    /// The view in place of the title.
    open var titleView: View?
    /// The title of the button that leads back here.
    open var backButtonTitle: String?
    /// Whether the button back is hidden.
    open var hidesBackButton = false
    /// When the title is large.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic
    /// The buttons at the leading edge.
    open var leftBarButtonItems: [BarButtonItem]?
    /// The buttons at the trailing edge.
    open var rightBarButtonItems: [BarButtonItem]?
    /// The first button at the leading edge.
    open var leftBarButtonItem: BarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }
    /// The first button at the trailing edge.
    open var rightBarButtonItem: BarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }

    /// An item with a title.
    public init(title: String) { self.title = title }
}
