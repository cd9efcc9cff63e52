// Cells, headers and footers, which configure themselves for a state.

public import Foundation

/// The common superclass of cells, headers and footers, which has no name in UIKit.
@preconcurrency @MainActor
open class ReusableView: View {
    /// Whether the view is selected. A change asks for `updateConfiguration(using:)`.
    open var isSelected = false {
        didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } }
    }
    /// Whether the view is highlighted. A change asks for `updateConfiguration(using:)`.
    open var isHighlighted = false {
        didSet { if isHighlighted != oldValue { setNeedsUpdateConfiguration() } }
    }
    /// Makes the content view. Setting a configuration replaces the content view; setting nil
    /// replaces it with a plain view.
    open var contentConfiguration: (any ContentConfiguration)? {
        didSet {
            contentView.removeFromSuperview()
            contentView = node.hierarchy.perform {
                contentConfiguration?.makeContentView() ?? View()
            }
            insertSubview(contentView, at: 0)
        }
    }
    /// The backmost subview, which the content goes into: a plain view, or the view that the
    /// content configuration made.
    public private(set) var contentView: View

    public override init(frame: Rect) {
        contentView = View()
        super.init(frame: frame)
        insertSubview(contentView, at: 0)
        setNeedsUpdateConfiguration()
    }

    /// A view as `init(frame:)` makes it. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        contentView = View()
        super.init(coder: coder)
        insertSubview(contentView, at: 0)
        setNeedsUpdateConfiguration()
    }

    /// The view behind the content.
    @Kept open var backgroundView: View?
    /// The view behind the content of a selected cell.
    @Kept open var selectedBackgroundView: View?

    /// The name by which views of this kind are reused; nil for a view that is not.
    public internal(set) var reuseIdentifier: String?

    /// The view is about to be used for other content. Does nothing unless overridden. Call it when
    /// the program reuses a view: nothing here does.
    open func prepareForReuse() {}

    /// The configuration to begin with: an empty text in the fonts and colours of the system.
    open func defaultContentConfiguration() -> ListContentConfiguration { .cell() }

    /// Asks for `updateConfiguration(using:)` in the next update.
    open func setNeedsUpdateConfiguration() { wait(for: .configuration) }

    override func invalidate(_ method: TrackedMethod) {
        super.invalidate(method)
        if method == .updateConfiguration { setNeedsUpdateConfiguration() }
    }

    override func runConfiguration() {
        track(.updateConfiguration) { configure() }
    }

    /// Calls the class's own `updateConfiguration(using:)` and handler.
    func configure() {}
}

/// The common superclass of the cells of collections and tables.
@preconcurrency @MainActor
open class Cell: ReusableView {
    /// Updates what the cell shows. Traits of the cell that are read here, from the state or from
    /// the cell, are tracked; when one changes, the method runs again (iOS 18).
    open func updateConfiguration(using state: CellConfigurationState) {}

    /// The state for which the cell configures itself now.
    open var configurationState: CellConfigurationState {
        CellConfigurationState(
            traitCollection: traitCollection, isSelected: isSelected, isHighlighted: isHighlighted)
    }
}

/// A cell of a collection view (`UICollectionViewCell`).
@preconcurrency @MainActor
open class CollectionViewCell: Cell {
    /// Updates the configuration of a cell (`UICollectionViewCell.ConfigurationUpdateHandler`).
    public typealias ConfigurationUpdateHandler =
        @MainActor (CollectionViewCell, CellConfigurationState) -> Void

    /// Runs after `updateConfiguration(using:)`, and is tracked with it.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }

    override func configure() {
        let state = configurationState
        updateConfiguration(using: state)
        configurationUpdateHandler?(self, state)
    }
}

/// A cell of a list in a collection view (`UICollectionViewListCell`).
@preconcurrency @MainActor
open class CollectionViewListCell: CollectionViewCell {}

/// A cell of a table (`UITableViewCell`).
@preconcurrency @MainActor
open class TableViewCell: Cell {
    /// The arrangement of a cell's labels (`UITableViewCell.CellStyle`).
    public typealias CellStyle = TableCellStyle

    /// A cell for reuse. Nothing is arranged here, so the style only says whether there is a second
    /// label.
    public init(style: CellStyle, reuseIdentifier: String?) {
        hasDetail = style != .default
        super.init(frame: .zero)
        self.reuseIdentifier = reuseIdentifier
    }

    /// A cell of the default style.
    public override init(frame: Rect) {
        hasDetail = false
        super.init(frame: frame)
    }

    /// A cell of the default style. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        hasDetail = false
        super.init(coder: coder)
    }

    private let hasDetail: Bool

    /// The sign at the trailing edge of a cell (`UITableViewCell.AccessoryType`).
    public typealias AccessoryType = TableCellAccessoryType

    /// The sign at the trailing edge.
    @Kept open var accessoryType = AccessoryType.none
    /// The view at the trailing edge.
    @Kept open var accessoryView: View?

    /// How a selected cell looks (`UITableViewCell.SelectionStyle`).
    public typealias SelectionStyle = TableCellSelectionStyle
    /// How the cell looks while it is selected.
    @Kept open var selectionStyle = SelectionStyle.default
    /// The insets of the line between rows.
    @Kept open var separatorInset = EdgeInsets.zero

    /// Selects the cell or not. Nothing is animated.
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

    /// Highlights the cell or not. Nothing is animated.
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }

    /// The label of the text. In the content view from its first use on.
    open private(set) lazy var textLabel: Label? = makeLabel()
    /// The label of the second text; nil in the default style.
    open private(set) lazy var detailTextLabel: Label? = hasDetail ? makeLabel() : nil

    private func makeLabel() -> Label {
        let label = node.hierarchy.perform { Label() }
        contentView.addSubview(label)
        return label
    }

    /// Updates the configuration of a cell (`UITableViewCell.ConfigurationUpdateHandler`).
    public typealias ConfigurationUpdateHandler =
        @MainActor (TableViewCell, CellConfigurationState) -> Void

    /// Runs after `updateConfiguration(using:)`, and is tracked with it.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }

    override func configure() {
        let state = configurationState
        updateConfiguration(using: state)
        configurationUpdateHandler?(self, state)
    }
}

/// A header or footer of a table (`UITableViewHeaderFooterView`).
@preconcurrency @MainActor
open class TableViewHeaderFooterView: ReusableView {
    /// A header or footer for reuse.
    public init(reuseIdentifier: String?) {
        super.init(frame: .zero)
        self.reuseIdentifier = reuseIdentifier
    }

    /// A header or footer.
    public override init(frame: Rect) {
        super.init(frame: frame)
    }

    /// A header or footer. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Updates the configuration of a header or footer
    /// (`UITableViewHeaderFooterView.ConfigurationUpdateHandler`).
    public typealias ConfigurationUpdateHandler =
        @MainActor (TableViewHeaderFooterView, ViewConfigurationState) -> Void

    /// Runs after `updateConfiguration(using:)`, and is tracked with it.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }

    /// Updates what the view shows. Traits of the view that are read here, from the state or from
    /// the view, are tracked; when one changes, the method runs again (iOS 18).
    open func updateConfiguration(using state: ViewConfigurationState) {}

    /// The state for which the view configures itself now.
    open var configurationState: ViewConfigurationState {
        ViewConfigurationState(
            traitCollection: traitCollection, isSelected: isSelected, isHighlighted: isHighlighted)
    }

    override func configure() {
        let state = configurationState
        updateConfiguration(using: state)
        configurationUpdateHandler?(self, state)
    }
}

/// The state for which a controller without content configures itself
/// (`UIContentUnavailableConfigurationState`).
public struct ContentUnavailableConfigurationState: ConfigurationState, Sendable {
    /// The controller's traits.
    public var traitCollection: TraitCollection
}

/// The protocol of configuration states (`UIConfigurationState`).
public protocol ConfigurationState {
    /// The view's traits. Reading them is tracked as reading the view's own.
    var traitCollection: TraitCollection { get set }
}

/// The state for which a header or footer configures itself (`UIViewConfigurationState`).
public struct ViewConfigurationState: ConfigurationState, Sendable {
    /// The view's traits.
    public var traitCollection: TraitCollection
    /// Whether the view is selected.
    public var isSelected: Bool
    /// Whether the view is highlighted.
    public var isHighlighted: Bool
}

/// The state for which a cell configures itself (`UICellConfigurationState`).
public struct CellConfigurationState: ConfigurationState, Sendable {
    /// The view's traits.
    public var traitCollection: TraitCollection
    /// Whether the view is selected.
    public var isSelected: Bool
    /// Whether the view is highlighted.
    public var isHighlighted: Bool
}

/// Makes the view that shows a cell's content (`UIContentConfiguration`).
@preconcurrency @MainActor
public protocol ContentConfiguration {
    /// Makes a view with the content. Called when the configuration is set.
    func makeContentView() -> View
}
