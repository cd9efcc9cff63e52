// Keys of a SwiftUI-style environment: bridged to a trait, so that both worlds share one value, or
// with inherited values of their own.

/// The definition of an environment key.
public struct EnvironmentKey: Sendable {
    public let key: String
    public let type: TraitType
    /// Whether `.null` is a value. Always for the type `json`.
    public let isNullable: Bool
    /// The value where no node sets the key. For a bridged key: the value where the trait's value stands
    /// for none of the key's values; where no node sets the trait, the trait's default shows.
    public let defaultValue: TraitValue
    /// The key of the trait that holds the values.
    public let bridgedTrait: String?
    /// Which of the trait's values each value stands for, one to one; empty when they are the same.
    public let map: [(environment: TraitValue, trait: TraitValue)]

    public init(
        key: String, type: TraitType, isNullable: Bool = false, defaultValue: TraitValue,
        bridgedTrait: String? = nil, map: [(environment: TraitValue, trait: TraitValue)] = []
    ) {
        self.key = key
        self.type = type
        self.isNullable = isNullable || type == .json
        self.defaultValue = defaultValue
        self.bridgedTrait = bridgedTrait
        self.map = map
    }

    /// The trait that holds the values of an unbridged key: what refuses a definition that cannot
    /// be, and says what values are expected.
    var hiddenTrait: TraitDefinition {
        TraitDefinition(
            key: key, type: type, isNullable: isNullable, defaultValue: defaultValue,
            origin: .environment)
    }

    /// Bridged to that trait. Without a map the values of both are the same, so a structure with
    /// the trait's fields takes their order.
    func bridging(_ trait: TraitDefinition) -> EnvironmentKey {
        let takesOrder = map.isEmpty && type.isSame(as: trait.type)
        return EnvironmentKey(
            key: key, type: takesOrder ? trait.type : type, isNullable: isNullable,
            defaultValue: type.rearranged(defaultValue, for: takesOrder ? trait.type : type),
            bridgedTrait: trait.key, map: map)
    }

    /// Whether both define the same key in the same way: cases, fields and the map's pairs in any
    /// order. O(cases, fields, map).
    package func isSame(as other: EnvironmentKey) -> Bool {
        if !hiddenTrait.isSame(as: other.hiddenTrait) || bridgedTrait != other.bridgedTrait
            || map.count != other.map.count
        {
            return false
        }
        let pairs = map.map { ($0.environment, $0.trait) }
        let others = other.map.map { (other.type.rearranged($0.environment, for: type), $0.trait) }
        return Dictionary(pairs) { $1 } == Dictionary(others) { $1 }
    }
}

/// A key and the trait that holds its values.
struct EnvironmentEntry: Sendable {
    let key: EnvironmentKey
    let trait: TraitIndex

    /// The key's value that a trait's value stands for. O(map).
    func decode(_ value: TraitValue) -> TraitValue {
        if key.map.isEmpty { return value }
        return key.map.first { $0.trait == value }?.environment ?? key.defaultValue
    }

    /// The trait's value for one of the key's; nil when the map has none. O(map).
    func encode(_ value: TraitValue) -> TraitValue? {
        if key.map.isEmpty { return value }
        return key.map.first { $0.environment == value }?.trait
    }
}
