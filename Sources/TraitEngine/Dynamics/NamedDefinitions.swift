// What a hierarchy defines besides traits, under names of their own: environment keys, colours and
// images. Few of them, and rarely changed.

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
    var environmentKeys = NamedList<EnvironmentEntry>()
    var colors = NamedList<DynamicValue>()
    var images = NamedList<DynamicValue>()

    subscript(_ kind: DynamicKind) -> NamedList<DynamicValue> {
        get { kind == .color ? colors : images }
        // In place: a value that is taken out and put back would be copied with all its elements.
        _modify { if kind == .color { yield &colors } else { yield &images } }
    }

    /// Whether a definition refers to the trait. O(definitions), and O(variants) for images: they
    /// need not depend on all traits that they name, as colours do.
    func refer(to trait: TraitIndex) -> Bool {
        environmentKeys.values.contains { $0.trait == trait && $0.key.bridgedTrait != nil }
            || colors.values.contains { $0.dependsOn.contains(trait) }
            || images.values.contains { image in
                image.variants.contains { $0.when.traits.contains(trait) }
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
