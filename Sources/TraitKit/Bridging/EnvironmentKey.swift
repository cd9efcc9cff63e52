// SwiftUI's environment keys, as far as traits are bridged to them.

/// A key of SwiftUI's environment (`EnvironmentKey`).
public protocol EnvironmentKey {
    associatedtype Value

    /// What the environment holds when nothing was set. A bridged key's value comes from the trait
    /// instead, whose default may be another.
    static var defaultValue: Value { get }
}

/// An environment key that stands for traits (`UITraitBridgedEnvironmentKey`): both read and write
/// the same data.
///
///     extension ThemeKey: TraitBridgedEnvironmentKey {
///         static func read(from traitCollection: TraitCollection) -> Theme {
///             traitCollection.theme
///         }
///
///         static func write(to mutableTraits: inout MutableTraits, value: Theme) {
///             mutableTraits.theme = value
///         }
///     }
///
/// `read` should go by the collection alone, and give back what `write` was given.
public protocol TraitBridgedEnvironmentKey: EnvironmentKey {
    /// The value that the traits mean.
    static func read(from traitCollection: TraitCollection) -> Value

    /// Sets the traits that mean the value. Called only when SwiftUI sets the value.
    static func write(to mutableTraits: inout any MutableTraits, value: Value)
}
