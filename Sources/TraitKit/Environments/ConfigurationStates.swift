// The states that are passed to methods that update a configuration.

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
