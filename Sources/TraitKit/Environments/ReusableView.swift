// What cells, headers and footers have in common: they configure themselves for a state.

public import Foundation

/// The common superclass of cells, headers and footers, which has no name in UIKit.
open class ReusableView: View {
    public var isSelected = false {
        didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } }
    }
    public var isHighlighted = false {
        didSet { if isHighlighted != oldValue { setNeedsUpdateConfiguration() } }
    }
    /// Runs after `updateConfiguration(using:)`, and is tracked with it.
    public var configurationUpdateHandler:
        (@MainActor (ReusableView, CellConfigurationState) -> Void)?
    {
        didSet { setNeedsUpdateConfiguration() }
    }
    /// What makes the content; its view fills this one.
    public var contentConfiguration: (any ContentConfiguration)? {
        didSet {
            contentView?.removeFromSuperview()
            contentView = node.hierarchy.perform { contentConfiguration?.makeContentView() }
            if let contentView { insertSubview(contentView, at: 0) }
        }
    }
    /// The view that the content configuration made.
    public private(set) var contentView: View?

    public override init(frame: Rect) {
        super.init(frame: frame)
        setNeedsUpdateConfiguration()
    }

    /// Updates what the view shows. Traits of the view that are read here, from the state or from
    /// the view, are tracked; when one changes, the method runs again (iOS 18).
    open func updateConfiguration(using state: CellConfigurationState) {}

    /// The state for which the view configures itself now.
    public var configurationState: CellConfigurationState {
        CellConfigurationState(
            traitCollection: traitCollection, isSelected: isSelected, isHighlighted: isHighlighted)
    }

    /// Asks for `updateConfiguration(using:)` in the next update.
    public func setNeedsUpdateConfiguration() { wait(for: .configuration) }

    override func invalidate(_ method: TrackedMethod) {
        super.invalidate(method)
        if method == .updateConfiguration { setNeedsUpdateConfiguration() }
    }

    override func runConfiguration() {
        track(.updateConfiguration) {
            let state = configurationState
            updateConfiguration(using: state)
            configurationUpdateHandler?(self, state)
        }
    }
}

/// A cell of a collection view (`UICollectionViewCell`).
open class CollectionViewCell: ReusableView {}

/// A cell of a table (`UITableViewCell`).
open class TableViewCell: ReusableView {}

/// A header or footer of a table (`UITableViewHeaderFooterView`).
open class TableViewHeaderFooterView: ReusableView {}
