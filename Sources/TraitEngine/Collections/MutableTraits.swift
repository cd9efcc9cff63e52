// The bag that a collection is written in, as UIKit's closures get one.

/// The traits of a collection under construction.
public struct MutableTraits {
    public let definitions: TraitDefinitions
    private(set) var values: [TraitIndex: TraitValue]

    /// What was last written, or the default: reading here never fails, unlike an override.
    public subscript(trait: TraitIndex) -> TraitValue {
        values[trait] ?? definitions.definition(at: trait)?.defaultValue ?? .null
    }

    /// Writes a trait. The unspecified value of a system trait takes the trait out again. O(1), and
    /// the length of a string.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`; `invalidDefinition` for a trait that
    ///   these definitions do not have, where UIKit raises an exception.
    public mutating func set(
        _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        guard let definition = definitions.definition(at: trait) else {
            throw .invalidDefinition(key: "\(trait)", reason: "it is not defined here")
        }
        try definitions.validate(value, for: trait)
        values[trait] = value == definition.unspecifiedValue ? nil : value
    }
}
