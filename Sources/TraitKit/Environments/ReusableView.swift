// Cells, headers and footers, which configure themselves for a state.

public import Foundation

/// The common superclass of cells, headers and footers, which has no name in UIKit.
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

/// A cell of a table (`UITableViewCell`).
open class TableViewCell: Cell {
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
open class TableViewHeaderFooterView: ReusableView {
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
@MainActor
public protocol ContentConfiguration {
    /// Makes a view with the content. Called when the configuration is set.
    func makeContentView() -> View
}
