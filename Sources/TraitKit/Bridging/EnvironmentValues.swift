// SwiftUI's environment over a trait collection: bridged keys read and write traits, so that traits
// and environment values share one storage.

internal import TraitEngine

/// A key of SwiftUI's environment (`EnvironmentKey`).
public protocol EnvironmentKey {
    /// The type of the key's values.
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

/// The environment of SwiftUI content (`EnvironmentValues`).
///
///     extension EnvironmentValues {
///         var theme: Theme {
///             get { self[ThemeKey.self] }
///             set { self[ThemeKey.self] = newValue }
///         }
///     }
public struct EnvironmentValues {
    /// The traits that bridged keys read.
    public private(set) var traitCollection: TraitCollection
    /// The overrides for the content that bridged keys have written.
    private(set) var overrides = TraitValues()
    /// Values of keys that are not bridged.
    private var plain: [ObjectIdentifier: Any] = [:]

    /// The environment of content in a place with these traits.
    public init(_ traitCollection: TraitCollection = TraitCollection()) {
        self.traitCollection = traitCollection
    }

    /// The value of a key. A bridged key reads its traits, another key the value that was set, or
    /// its default.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get {
            if let bridged = key as? any TraitBridgedEnvironmentKey.Type,
                let value = read(bridged) as? Key.Value
            {
                return value
            }
            return plain[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
        }
        set {
            if let bridged = key as? any TraitBridgedEnvironmentKey.Type {
                write(bridged, newValue)
            } else {
                plain[ObjectIdentifier(key)] = newValue
            }
        }
    }

    private func read<Key: TraitBridgedEnvironmentKey>(_ key: Key.Type) -> Any {
        key.read(from: traitCollection)
    }

    private mutating func write<Key: TraitBridgedEnvironmentKey>(_ key: Key.Type, _ value: Any) {
        guard let value = value as? Key.Value else { return }
        var traits: any MutableTraits = TraitBag(base: traitCollection)
        key.write(to: &traits, value: value)
        guard let bag = traits as? TraitBag else { return }
        overrides.merge(bag.writes)
        traitCollection = TraitCollection(bag.collection, reads: traitCollection.reads)
    }
}
