// Nearly all values that are set are integers, booleans and numbers; this tells without touching
// a definition that such a value is fine.

/// The traits that take every value of a plain type.
struct PlainTypes: Sendable {
    private var bool = TraitSet()
    private var int = TraitSet()
    private var double = TraitSet()

    /// Whether the value is surely one of the trait's; false says nothing.
    func accept(_ value: TraitValue, _ trait: TraitIndex) -> Bool {
        switch value {
        case .bool: bool.contains(trait)
        case .int: int.contains(trait)
        case .double(let number): number.isFinite && double.contains(trait)
        case .null, .string, .structure, .opaque: false
        }
    }

    mutating func insert(_ definition: TraitDefinition, _ trait: TraitIndex) {
        if definition.origin == .systemPrivate { return }
        switch definition.type {
        case .bool: bool.insert(trait)
        case .int: int.insert(trait)
        case .double: double.insert(trait)
        // UIKit does not validate the raw values of its enumerations.
        case .enumeration where definition.isSystem: int.insert(trait)
        case .string, .enumeration, .stringEnumeration, .structure, .opaque: break
        }
    }

    mutating func remove(_ trait: TraitIndex) {
        bool.remove(trait)
        int.remove(trait)
        double.remove(trait)
    }
}
