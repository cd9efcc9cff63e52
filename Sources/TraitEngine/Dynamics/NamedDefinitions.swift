// What a hierarchy defines besides traits, under names of their own: environment keys, colours and
// images. Few of them, and rarely changed.

/// Values by name, listed in the order in which they were defined.
struct NamedList<Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var positions: [String: Int] = [:]

    /// Names are ASCII, so equal strings are equal bytes.
    subscript(name: String) -> Value? { positions[name].map { values[$0] } }

    /// Adds a value, or replaces the one of that name.
    mutating func set(_ name: String, _ value: Value) {
        if let position = positions[name] {
            values[position] = value
        } else {
            positions[name] = values.count
            values.append(value)
        }
    }

    /// O(values).
    mutating func remove(_ name: String) {
        guard let gone = positions.removeValue(forKey: name) else { return }
        values.remove(at: gone)
        positions = positions.mapValues { $0 > gone ? $0 - 1 : $0 }
    }
}

struct NamedDefinitions: Sendable {
    var environmentKeys = NamedList<EnvironmentEntry>()
    var colors = NamedList<DynamicValue>()
    var images = NamedList<DynamicValue>()

    subscript(_ kind: DynamicKind) -> NamedList<DynamicValue> {
        get { kind == .color ? colors : images }
        set { if kind == .color { colors = newValue } else { images = newValue } }
    }

    /// Whether a definition refers to the trait. O(definitions).
    func refer(to trait: TraitIndex) -> Bool {
        environmentKeys.values.contains { $0.trait == trait && $0.key.bridgedTrait != nil }
            || (colors.values + images.values).contains { value in
                value.variants.contains { $0.when.traits.contains(trait) }
            }
    }
}

extension TraitDefinitions {
    /// The colours or images, in the order in which they were defined. O(variants).
    public func dynamics(_ kind: DynamicKind) -> [DynamicValue] {
        named[kind].values.map { $0.adopting(self) }
    }

    /// How many colours or images there are.
    public func dynamicCount(_ kind: DynamicKind) -> Int { named[kind].values.count }

    /// The names of all colours or images, as they were defined.
    public func dynamicNames(_ kind: DynamicKind) -> some Sequence<String> {
        named[kind].values.lazy.map(\.name)
    }

    /// The colour or image of that name. O(variants).
    public func dynamic(_ kind: DynamicKind, named name: String) -> DynamicValue? {
        named[kind][name]?.adopting(self)
    }

    /// The environment keys, in the order in which they were defined.
    public var environmentKeys: [EnvironmentKey] { named.environmentKeys.values.map(\.key) }

    public func environmentKey(named name: String) -> EnvironmentKey? {
        named.environmentKeys[name]?.key
    }
}
