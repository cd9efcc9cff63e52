// What the methods that configure something are told.

/// The state for which a controller without content configures itself
/// (`UIContentUnavailableConfigurationState`).
public struct ContentUnavailableConfigurationState: Sendable {
    /// The controller's traits.
    public var traitCollection: TraitCollection
}

/// The state for which a cell configures itself (`UICellConfigurationState`).
public struct CellConfigurationState: Sendable {
    /// The cell's traits. Reading them is tracked as reading the cell's own.
    public var traitCollection: TraitCollection
    public var isSelected: Bool
    public var isHighlighted: Bool
}
