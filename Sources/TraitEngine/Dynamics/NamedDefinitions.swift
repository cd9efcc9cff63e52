// The named definitions of a hierarchy besides traits: environment keys, colours and images. They
// are few, and rarely change.

/// Values by name, listed in the order in which they were defined.
struct NamedList<Value: Sendable>: Sendable {
    /// In the order of definition; nil where a value was removed.
    private(set) var slots: [Value?] = []
    private var positions: [String: Int] = [:]

    var count: Int { positions.count }

    /// The values in the order in which they were defined.
    var values: some Sequence<Value> { slots.lazy.compactMap { $0 } }

    /// Names are ASCII, so equal strings are equal bytes.
    subscript(name: String) -> Value? { positions[name].flatMap { slots[$0] } }

    /// Adds a value, or replaces the one of that name. Amortised O(1).
    mutating func set(_ name: String, _ value: Value) {
        if let position = positions[name] {
            slots[position] = value
        } else {
            positions[name] = slots.count
            slots.append(value)
        }
    }

    /// Amortised O(1).
    mutating func remove(_ name: String) {
        guard let gone = positions.removeValue(forKey: name) else { return }
        slots[gone] = nil
        if slots.count < 2 * count + 8 { return }
        // Half of the slots are empty: the values close up.
        var places: [Int] = []
        var kept: [Value?] = []
        for slot in slots {
            places.append(kept.count)
            if slot != nil { kept.append(slot) }
        }
        slots = kept
        positions = positions.mapValues { places[$0] }
    }
}

struct NamedDefinitions: Sendable {
    private(set) var environmentKeys = NamedList<EnvironmentEntry>()
    private(set) var colors = NamedList<DynamicValue>()
    private(set) var images = NamedList<DynamicValue>()
    /// How many definitions refer to a trait; none that is not referred to.
    private var uses: [TraitIndex: Int] = [:]

    subscript(_ kind: DynamicKind) -> NamedList<DynamicValue> { kind == .color ? colors : images }

    /// Whether a definition refers to the trait. O(1).
    func refer(to trait: TraitIndex) -> Bool { uses[trait] != nil }

    /// Adds a colour or image, or replaces the one of that name. O(traits that it names).
    mutating func set(_ value: DynamicValue) {
        count(self[value.kind][value.name]?.namedTraits, -1)
        count(value.namedTraits, 1)
        switch value.kind {
        case .color: colors.set(value.name, value)
        case .image: images.set(value.name, value)
        }
    }

    /// O(traits that it names).
    mutating func remove(_ kind: DynamicKind, _ name: String) {
        count(self[kind][name]?.namedTraits, -1)
        if kind == .color { colors.remove(name) } else { images.remove(name) }
    }

    /// Adds a key that is not there yet. O(1).
    mutating func add(_ entry: EnvironmentEntry) {
        if entry.key.bridgedTrait != nil { count(TraitSet([entry.trait]), 1) }
        environmentKeys.set(entry.key.key, entry)
    }

    /// Replaces a key by one that is bridged to the same trait. O(1).
    mutating func replace(_ entry: EnvironmentEntry) {
        environmentKeys.set(entry.key.key, entry)
    }

    /// O(1).
    mutating func remove(key name: String) {
        if let entry = environmentKeys[name], entry.key.bridgedTrait != nil {
            count(TraitSet([entry.trait]), -1)
        }
        environmentKeys.remove(name)
    }

    private mutating func count(_ traits: TraitSet?, _ difference: Int) {
        for trait in traits ?? TraitSet() {
            let count = uses[trait, default: 0] + difference
            uses[trait] = count == 0 ? nil : count
        }
    }
}

extension TraitDefinitions {
    /// The colours or images, in the order in which they were defined. O(variants).
    public func dynamics(_ kind: DynamicKind) -> [DynamicValue] {
        named[kind].values.map { $0.adopting(self) }
    }

    /// How many colours or images there are.
    public func dynamicCount(_ kind: DynamicKind) -> Int { named[kind].count }

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
