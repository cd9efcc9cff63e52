// The overrides of an environment.

internal import TraitEngine

/// An environment's trait overrides (`UITraitOverrides`).
///
///     view.traitOverrides.userInterfaceStyle = .dark
///     if view.traitOverrides.contains(ThemeTrait.self) {
///         view.traitOverrides.remove(ThemeTrait.self)
///     }
///
/// A window scene, window or view controller shows a write at once, and its handlers run before the
/// setter returns; what inherits from it follows in the next update. Every other environment shows a
/// write with its next update.
///
/// An override that equals the inherited value, or is unspecified, is an override nevertheless; only
/// removing it lets the environment inherit again. A view controller that inherits from no other
/// environment keeps the value of an override that is removed, until it inherits from one. A value:
/// a copy changes nothing until it is assigned to an environment.
public struct TraitOverrides: MutableTraits, Sendable, Equatable {
    private(set) var values: TraitValues

    init(_ values: TraitValues) {
        self.values = values
    }

    /// Whether the trait is overridden here. Inherited values do not count. O(1).
    public func contains(_ trait: TraitKey) -> Bool { values.contains(trait) }

    /// Removes an override, so that the trait is inherited again. Quiet when there is none.
    public mutating func remove(_ trait: TraitKey) { values.remove(trait) }

    /// The override of a trait.
    ///
    /// Reading one that is not set is the programmer's error and stops the program, as UIKit
    /// raises an exception: ask `contains(_:)` first, or use `override(of:)` or `value(of:)`.
    public subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value {
        get {
            do throws(TraitError) {
                return try override(of: trait)
            } catch {
                misuse("\(error)")
            }
        }
        set {
            do throws(TraitError) {
                try set(trait, newValue)
            } catch {
                misuse("\(error)")
            }
        }
    }

    /// The override of a trait.
    ///
    /// - Throws: `noOverride`.
    public func override<Definition: TraitDefinition>(
        of trait: Definition.Type
    ) throws(TraitError) -> Definition.Value {
        guard let value = values.value(of: trait) else {
            throw .noOverride(trait: Definition.name)
        }
        return value
    }

    /// The override of a trait, nil when there is none.
    public func value<Definition: TraitDefinition>(
        of trait: Definition.Type
    ) -> Definition.Value? {
        values.value(of: trait)
    }

    /// Sets an override, as the subscript does, but throws instead of stopping the program.
    ///
    /// - Throws: `refusedValue`, `privateTrait`.
    public mutating func set<Definition: TraitDefinition>(
        _ trait: Definition.Type, _ value: Definition.Value
    ) throws(TraitError) {
        try values.set(trait, value)
    }
}

extension TraitOverrides: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// All overrides in the form of printed collections, such as
    /// `<TraitOverrides: UserInterfaceStyle = Dark>`. Unspecified overrides are included. Without
    /// overrides, `no overrides` as in UIKit.
    public var description: String {
        let definitions = TraitTable.definitions
        let parts = values.traits.compactMap { trait in
            values.values[trait].flatMap { definitions.definition(at: trait)?.printed($0) }
        }
        return parts.isEmpty
            ? "no overrides" : "<TraitOverrides: \(parts.joined(separator: ", "))>"
    }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// The overrides by the names of their traits, as `dump` shows them.
    public var customMirror: Mirror {
        let definitions = TraitTable.definitions
        let children = values.pairs.compactMap { trait, value -> Mirror.Child? in
            // The engine prints a value as `Name = value`.
            guard let printed = definitions.definition(at: trait)?.printed(value),
                let end = printed.firstRange(of: " = ")
            else { return nil }
            return (label: String(printed[..<end.lowerBound]), value: printed[end.upperBound...])
        }
        return Mirror(self, children: children)
    }
}
