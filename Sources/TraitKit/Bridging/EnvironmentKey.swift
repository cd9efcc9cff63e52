// SwiftUI's environment keys, as far as traits are bridged to them.

/// A key of SwiftUI's environment (`EnvironmentKey`).
public protocol EnvironmentKey {
    associatedtype Value

    /// The value when none was set. A bridged key reads its trait instead, whose default may
    /// differ.
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
/// `read` should depend on the collection alone, and return the value that `write` was given.
public protocol TraitBridgedEnvironmentKey: EnvironmentKey {
    /// Converts the traits to the value of the key.
    static func read(from traitCollection: TraitCollection) -> Value

    /// Sets the traits for a value of the key. Called only when the value is set.
    static func write(to mutableTraits: inout any MutableTraits, value: Value)
}
