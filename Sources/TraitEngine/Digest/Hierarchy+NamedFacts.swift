// The facts that definitions, registrations and scopes consist of, each as its hash.

extension Hierarchy {
    /// The hash of a set of traits, whatever their indices are.
    func hash(_ traits: TraitSet) -> UInt64 {
        traits.reduce(0) { $0 &+ FactHash.mix(1, parts.traits.hash(of: $1.rawValue)) }
    }

    // MARK: - Registrations

    func registrationHash(_ index: Int32) -> UInt64 {
        index < 0 ? 0 : parts.registrations.withName(of: index) { FactHash.hash($0) }
    }

    func registrationFact(_ index: Int32) -> StateDigest {
        let stored = parts.registrations[index]
        var hash = FactHash.mix(FactHash.start(.registration), registrationHash(index))
        hash = FactHash.mix(hash, nameHash(stored.node))
        hash = FactHash.mix(hash, self.hash(parts.registrations.traits(of: index)))
        if let ask = parts.dynamics[stored.dynamics] {
            for color in ask.colors { hash = FactHash.mix(hash, FactHash.mix(1, .init(color))) }
            for image in ask.images { hash = FactHash.mix(hash, FactHash.mix(2, .init(image))) }
        }
        return StateDigest(fact: hash, revision: stored.createdRevision)
    }

    /// The registration and the one before it.
    func registrationOrderFact(_ index: Int32) -> StateDigest {
        let earlier = registrationHash(parts.registrations[index].earlierRegistration)
        return StateDigest(
            fact: FactHash.mix(
                FactHash.mix(FactHash.start(.registrationOrder), registrationHash(index)),
                earlier))
    }

    // MARK: - Scopes

    private func scopeHash(_ index: Int32) -> UInt64 {
        guard let scope = parts.scopes[index] else { return 0 }
        return FactHash.mix(nameHash(scope.node), FactHash.hash(scope.name))
    }

    func scopeFact(_ index: Int32) -> StateDigest {
        guard let scope = parts.scopes[index] else { return StateDigest() }
        let start = FactHash.start(.scope) &+ (scope.isStale ? 1 : 0)
        return StateDigest(
            fact: FactHash.mix(FactHash.mix(start, scopeHash(index)), hash(scope.reads)),
            revision: scope.revision)
    }

    /// The scope and the one that was first set before it; -1 for none.
    func scopeOrderFact(_ index: Int32, behind earlier: Int32) -> StateDigest {
        StateDigest(
            fact: FactHash.mix(
                FactHash.mix(FactHash.start(.scopeOrder), scopeHash(index)), scopeHash(earlier)))
    }

    // MARK: - Definitions

    func definitionFact(_ definition: TraitDefinition) -> StateDigest {
        var hash = FactHash.mix(FactHash.start(.trait), FactHash.hash(definition.key))
        hash = FactHash.mix(hash, FactHash.hash(definition.identifier))
        hash = FactHash.mix(hash, FactHash.hash(definition.name))
        hash = FactHash.mix(hash, Self.hash(definition.type))
        hash = FactHash.mix(hash, FactHash.hash(definition.defaultValue))
        let flags: UInt64 =
            (definition.isNullable ? 1 : 0) | (definition.affectsColorAppearance ? 2 : 0)
        // A definition without deprecations and notes has the digest that it always had.
        hash = definition.deprecatedCases.reduce(hash) { FactHash.mix($0, .init($1)) }
        let notes = definition.notes
        if !notes.isEmpty {
            hash = FactHash.mix(hash, FactHash.hash(notes.unit) &+ (notes.isCSS ? 1 : 0))
            for entry in notes.since {
                hash = FactHash.mix(hash, FactHash.hash(entry.platform))
                hash = FactHash.mix(hash, FactHash.hash(entry.version))
            }
        }
        return StateDigest(
            fact: FactHash.mix(hash, flags | (definition.isDeprecated ? 4 : 0)))
    }

    static func hash(_ type: TraitType) -> UInt64 {
        switch type {
        case .bool: FactHash.mix(1, 0)
        case .int: FactHash.mix(2, 0)
        case .double: FactHash.mix(3, 0)
        case .string: FactHash.mix(4, 0)
        case .enumeration(let cases):
            cases.reduce(FactHash.mix(5, 0)) {
                FactHash.mix(FactHash.mix($0, .init($1.name)), UInt64(bitPattern: $1.raw))
            }
        case .stringEnumeration(let cases):
            cases.reduce(FactHash.mix(6, 0)) {
                FactHash.mix(FactHash.mix($0, .init($1.name)), .init($1.raw))
            }
        case .structure(let fields):
            fields.reduce(FactHash.mix(7, 0)) {
                FactHash.mix(FactHash.mix($0, .init($1.name)), .init($1.type.rawValue))
            }
        case .opaque: FactHash.mix(8, 0)
        case .json: FactHash.mix(9, 0)
        }
    }

    func environmentKeyFact(_ key: EnvironmentKey) -> StateDigest {
        var hash = FactHash.mix(FactHash.start(.environmentKey), FactHash.hash(key.key))
        hash = FactHash.mix(hash, Self.hash(key.type))
        hash = FactHash.mix(hash, FactHash.hash(key.defaultValue))
        hash = FactHash.mix(hash, FactHash.hash(key.bridgedTrait))
        for pair in key.map {
            let values = FactHash.mix(
                FactHash.hash(pair.environment), FactHash.hash(pair.trait))
            hash = FactHash.mix(hash, values)
        }
        return StateDigest(fact: FactHash.mix(hash, key.isNullable ? 1 : 0))
    }

    func dynamicFact(_ value: DynamicValue) -> StateDigest {
        var hash = FactHash.mix(
            FactHash.start(value.kind == .color ? .color : .image), FactHash.hash(value.name))
        for variant in value.variants {
            let when = variant.when.traits.reduce(UInt64(0)) { sum, trait in
                sum
                    &+ FactHash.mix(
                        parts.traits.hash(of: trait.rawValue),
                        FactHash.hash(variant.when[trait]))
            }
            hash = FactHash.mix(FactHash.mix(hash, when), FactHash.hash(variant.value))
        }
        return StateDigest(fact: hash)
    }

    /// A name in a list and the name before it.
    func orderFact(_ domain: FactHash.Domain, _ name: String, behind: String?) -> StateDigest {
        StateDigest(
            fact: FactHash.mix(
                FactHash.mix(FactHash.start(domain), FactHash.hash(name)),
                FactHash.hash(behind)))
    }

    /// All custom traits, environment keys, colours and images with their order. O(definitions).
    func definitionsDigest() -> StateDigest {
        var sum = StateDigest()
        var behind: String?
        for trait in definitions.customInOrder {
            sum.add(definitionFact(definitions[trait]))
            sum.add(orderFact(.traitOrder, definitions[trait].key, behind: behind))
            behind = definitions[trait].key
        }
        behind = nil
        for entry in definitions.named.environmentKeys.values {
            sum.add(environmentKeyFact(entry.key))
            sum.add(orderFact(.environmentKeyOrder, entry.key.key, behind: behind))
            behind = entry.key.key
        }
        for (list, domain) in [
            (definitions.named.colors, FactHash.Domain.colorOrder),
            (definitions.named.images, .imageOrder),
        ] {
            behind = nil
            for value in list.values {
                sum.add(dynamicFact(value))
                sum.add(orderFact(domain, value.name, behind: behind))
                behind = value.name
            }
        }
        return sum
    }
}

extension UInt64 {
    /// The hash of a text as a part of a fact.
    fileprivate init(_ text: String) { self = FactHash.hash(text) }
}
