// Defining and deleting environment keys.

extension Hierarchy {
    /// Defines an environment key. The same again does nothing. O(definitions, map).
    ///
    /// - Throws: `environmentKeyImmutable` when the key is defined differently, `privateTrait`,
    ///   `malformedIdentifier`, `invalidDefinition` (no such trait, a map that is not one-to-one,
    ///   values of another type), `limit`.
    public func defineEnvironmentKey(_ key: EnvironmentKey) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        var key = key
        let bridged = try bridgedTrait(of: key)
        if let bridged { key = key.bridging(definitions[bridged]) }
        if let known = definitions.named.environmentKeys[key.key] {
            if known.key.isSame(as: key) { return }
            throw .environmentKeyImmutable(key.key)
        }
        try key.hiddenTrait.checkWellFormed(limits)
        if definitions.named.environmentKeys.count >= limits.environmentKeysMax {
            throw .limit(name: "environmentKeysMax", value: limits.environmentKeysMax)
        }
        let trait: TraitIndex
        if let bridged {
            try checkBridge(key, definitions[bridged])
            trait = bridged
        } else {
            trait = try defineHidden(key.hiddenTrait)
        }
        logNamed(isNew: true, "key \(key.key)")
        parts.definitions.changeNamed { $0.add(EnvironmentEntry(key: key, trait: trait)) }
    }

    /// Deletes an environment key; what a bridged one set stays the trait's. O(keys); an unbridged
    /// one as `deleteTrait`.
    ///
    /// - Throws: `unknownEnvironmentKey`, `traitInUse` while a node sets an unbridged one.
    public func deleteEnvironmentKey(_ name: String) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        guard let entry = definitions.named.environmentKeys[name] else {
            throw .unknownEnvironmentKey(name)
        }
        if entry.key.bridgedTrait == nil { try deleteHolder(entry.trait) }
        logNamed(gone: "key \(name)")
        parts.definitions.changeNamed { $0.remove(key: name) }
    }

    private func bridgedTrait(of key: EnvironmentKey) throws(OperationError) -> TraitIndex? {
        guard let name = key.bridgedTrait else {
            if key.map.isEmpty { return nil }
            throw .invalidDefinition(key: key.key, reason: "only a bridged key has a map")
        }
        guard let trait = definitions.index(of: name) else {
            throw .invalidDefinition(key: key.key, reason: "there is no trait \(name)")
        }
        if definitions[trait].origin == .systemPrivate {
            throw .privateTrait(definitions[trait].key)
        }
        return trait
    }

    private func checkBridge(
        _ key: EnvironmentKey, _ trait: TraitDefinition
    ) throws(OperationError) {
        func refuse(_ reason: String) -> OperationError {
            .invalidDefinition(key: key.key, reason: reason)
        }
        if key.map.isEmpty {
            if !key.type.holdsSameValues(as: trait.type) || key.isNullable != trait.isNullable {
                throw refuse("without a map its type must be that of the trait \(trait.key)")
            }
            return
        }
        if key.map.count > limits.enumCasesMax {
            throw .limit(name: "enumCasesMax", value: limits.enumCasesMax)
        }
        let own = key.hiddenTrait
        var seen: (environment: Set<TraitValue>, trait: Set<TraitValue>) = ([], [])
        for pair in key.map {
            guard own.accepts(pair.environment) else {
                throw refuse("in its map a value must be \(own.expectation)")
            }
            guard trait.accepts(pair.trait) else {
                throw refuse("in its map a value of the trait must be \(trait.expectation)")
            }
            try limits.checkStrings(in: pair.environment)
            try limits.checkStrings(in: pair.trait)
            let isNew = seen.environment.insert(pair.environment).inserted
            if !seen.trait.insert(pair.trait).inserted || !isNew {
                throw refuse("its map must be one-to-one")
            }
        }
    }
}

extension TraitDefinitions {
    /// What a registration, a scope or a watch follows by that name: the trait, else the values of the environment key,
    /// which are those of its trait if it is bridged. O(length of the name).
    package func followed(named name: String) -> TraitIndex? {
        index(of: name) ?? named.environmentKeys[name]?.trait
    }
}

extension TraitType {
    /// Whether values of the two travel the same way: an enumeration's as their raw values.
    func holdsSameValues(as other: TraitType) -> Bool {
        switch (self, other) {
        case (.bool, .bool), (.double, .double), (.json, .json), (.opaque, .opaque): true
        case (.int, .int), (.int, .enumeration), (.enumeration, .int),
            (.enumeration, .enumeration):
            true
        case (.string, .string), (.string, .stringEnumeration), (.stringEnumeration, .string),
            (.stringEnumeration, .stringEnumeration):
            true
        case (.structure(let fields), .structure(let others)):
            fields.map(\.type) == others.map(\.type)
        default: false
        }
    }
}
