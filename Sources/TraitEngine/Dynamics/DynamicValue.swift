// Dynamic colours and images: values that are chosen by a trait collection.

/// One of the values and the traits for which it was made.
public struct DynamicVariant: Sendable {
    public let when: TraitCollection
    /// The engine does not interpret it.
    public let value: String
    /// Two values are the same when the bytes of their meanings are; nil when it is `value` itself.
    public let meaning: String?

    public init(when: TraitCollection, value: String, meaning: String? = nil) {
        self.when = when
        self.value = value
        self.meaning = meaning
    }

    /// The variant's value under other conditions.
    func replacing(when: TraitCollection) -> DynamicVariant {
        DynamicVariant(when: when, value: value, meaning: meaning)
    }

    func hasSameValue(as other: DynamicVariant) -> Bool {
        TraitValue.isSameUTF8(meaning ?? value, other.meaning ?? other.value)
    }

    func isSame(as other: DynamicVariant) -> Bool {
        hasSameValue(as: other) && when.traits == other.when.traits
            && when.traits.allSatisfy { when[$0] == other.when[$0] }
    }

    /// `isSame` for a variant of other definitions: traits and the fields of structs are found by name.
    func isSameByName(as other: DynamicVariant) -> Bool {
        hasSameValue(as: other) && when.traits.count == other.when.traits.count
            && when.traits.allSatisfy { hasSameCondition($0, as: other.when) }
    }

    private func hasSameCondition(_ trait: TraitIndex, as other: TraitCollection) -> Bool {
        let definition = when.definitions[trait]
        guard let found = other.definitions.index(of: definition.key), other.traits.contains(found)
        else { return false }
        let type = other.definitions[found].type
        return type.rearranged(other[found], for: definition.type) == when[trait]
    }
}

/// The variant that was chosen.
public struct DynamicChoice: Hashable, Sendable {
    /// The position in `DynamicValue.variants`.
    public let index: Int
    /// The traits that can make a difference, whatever their values are.
    public let dependsOn: TraitSet

    public init(index: Int, dependsOn: TraitSet) {
        self.index = index
        self.dependsOn = dependsOn
    }
}

/// A colour or image that has another value because of the traits.
public struct DynamicChange: Hashable, Sendable {
    public let kind: DynamicKind
    public let name: String
    public let previous: String
    public let current: String
}

/// A colour or an image with its variants.
public struct DynamicValue: Sendable {
    public let kind: DynamicKind
    public let name: String
    /// In the order in which they were declared. Those of an image have a scale each, and no two
    /// of them equivalent traits.
    public let variants: [DynamicVariant]
    /// The traits that can make a difference.
    public let dependsOn: TraitSet
    /// All traits that its variants name.
    let namedTraits: TraitSet

    /// The variants of an image as UIKit registers them: without a scale it counts as 1, and one
    /// with traits equivalent to an earlier one's replaces that.
    ///
    /// - Throws: `invalidDefinition` when there is no variant.
    public init(
        kind: DynamicKind, name: String, variants: [DynamicVariant]
    ) throws(OperationError) {
        if variants.isEmpty {
            throw .invalidDefinition(key: name, reason: "it needs at least one variant")
        }
        self.kind = kind
        self.name = name
        namedTraits = variants.reduce(into: TraitSet()) { $0.formUnion($1.when.traits) }
        switch kind {
        case .color:
            self.variants = variants
            dependsOn = namedTraits
        case .image:
            self.variants = try ImageChoice.register(variants)
            dependsOn = ImageChoice.dependencies(self.variants)
        }
    }

    private init(_ value: DynamicValue, _ definitions: TraitDefinitions) {
        kind = value.kind
        name = value.name
        dependsOn = value.dependsOn
        namedTraits = value.namedTraits
        variants = value.variants.map { $0.replacing(when: $0.when.adopting(definitions)) }
    }

    /// This value with variants whose collections know these definitions. O(variants).
    func adopting(_ definitions: TraitDefinitions) -> DynamicValue {
        DynamicValue(self, definitions)
    }

    private init(_ value: DynamicValue, variants: [DynamicVariant]) {
        kind = value.kind
        name = value.name
        dependsOn = value.dependsOn
        namedTraits = value.namedTraits
        self.variants = variants
    }

    /// This value with other values of a trait in its conditions. O(variants).
    func converting(
        _ trait: TraitIndex, _ convert: (TraitValue) -> TraitValue?
    ) -> DynamicValue {
        DynamicValue(
            self,
            variants: variants.map { variant in
                if !variant.when.traits.contains(trait) { return variant }
                return variant.replacing(when: variant.when.converting(trait, convert))
            })
    }

    /// Chooses by a collection. For a colour the variant wins all of whose traits the collection
    /// has, and of several the one with most traits, then the earliest; if there is none, the
    /// first. For an image see `ImageChoice`. O(variants).
    ///
    /// - Parameter device: whose scale and idiom hold for an image when the collection specifies
    ///   none.
    public func resolve(
        _ collection: TraitCollection, device: TraitCollection? = nil
    ) -> DynamicChoice {
        let index = choose { trait in
            if let device, kind == .image, !collection.traits.contains(trait),
                ImageChoice.fromDevice.contains(trait)
            {
                return device[trait]
            }
            return collection[trait]
        }
        return DynamicChoice(index: index, dependsOn: dependsOn)
    }

    /// The position of the variant chosen for these values. Asks for each trait once at most, as
    /// that may take a walk up the tree.
    func choose(_ value: (TraitIndex) -> TraitValue) -> Int {
        var known: [(trait: TraitIndex, value: TraitValue)] = []
        func once(_ trait: TraitIndex) -> TraitValue {
            if let known = known.first(where: { $0.trait == trait }) { return known.value }
            let value = value(trait)
            known.append((trait, value))
            return value
        }
        return kind == .image ? ImageChoice.choose(variants, once) : chooseColor(once)
    }

    private func chooseColor(_ value: (TraitIndex) -> TraitValue) -> Int {
        var best = 0
        var most = -1
        for (index, variant) in variants.enumerated() {
            let conditions = variant.when.traits
            let count = conditions.count
            if count > most, conditions.allSatisfy({ value($0) == variant.when[$0] }) {
                best = index
                most = count
            }
        }
        return best
    }

    /// Whether the values mean the same, for the same conditions and in the same order.
    package func isSame(as other: DynamicValue) -> Bool {
        kind == other.kind && name == other.name && variants.count == other.variants.count
            && zip(variants, other.variants).allSatisfy { $0.isSame(as: $1) }
    }

    /// `isSame` for a value of another session, whose traits are found by name.
    package func isSameByName(as other: DynamicValue) -> Bool {
        kind == other.kind && name == other.name && variants.count == other.variants.count
            && zip(variants, other.variants).allSatisfy { $0.isSameByName(as: $1) }
    }
}
