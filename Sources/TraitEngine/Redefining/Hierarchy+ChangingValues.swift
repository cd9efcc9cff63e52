// Redefinitions that make other values of the stored ones, as when a struct takes a further field.
//
// The values of nodes change as by writes at their places, so the journal has the former ones: the commit compares
// them with the new ones, and undo puts them back. Their revisions stay, and no node of a layout hierarchy waits for an
// update: values in frames change where they are, in the same commit.

extension Hierarchy {
    /// Gives a trait the definition that is in place by now, and new values. O(records).
    ///
    /// - Parameter copy: the definitions before, in the undo log.
    func changeValues(
        of trait: TraitIndex, from former: TraitDefinition, _ slot: TraitSlot,
        definitions copy: Int32, _ convert: @escaping (TraitValue) -> TraitValue?
    ) {
        let raw = trait.rawValue
        let definition = definitions[trait]
        precondition(slot.coding == .pooled && Self.coding(of: definition) == .pooled)
        parts.definitions.changeNamed {
            $0.convert(trait, convert)
            $0.convertKeys(bridgedTo: trait, from: former.type, to: definition.type, convert)
        }
        transaction.lists.redefined[
            raw, default: RedefinedTrait(original: former, defaultBefore: slot.defaultWord)
        ].changes.append(convert)
        let (back, stale) = convertRecords(trait, as: definition, changesValues: true, convert)
        let position = transaction.redefinitions.insert(
            Redefinition(slot: slot, back: back, changesValues: true, stale: stale))
        transaction.log.append(
            .redefined(trait, definitions: copy, redefinition: position), holdsResources: true)
        setTraitSlot(trait, keepingCountsOf: slot)
        if slot.values > 0 || slot.kept > 0 {
            forEachEntry(of: raw) { node, entry in
                let value = value(from: entry.word, of: trait)
                guard let new = convert(value), new != value else { return }
                exchange(
                    node, raw, entry.layer,
                    from: StoredValue(word: entry.word, revision: entry.revision),
                    to: StoredValue(word: encode(new, .pooled), revision: entry.revision))
            }
        }
        if slot.shown > 0 { changeFrameDigests(countsNodes: true) }
    }

    /// Notes which words in frames stand for other values than before the transaction.
    ///
    /// - Parameter words: the new word of each former one; the pool has both.
    func noteFormerWords(
        of trait: UInt16, _ words: [UInt64: UInt64], changesValues: Bool
    ) {
        guard let known = transaction.lists.redefined[trait],
            changesValues || !known.formerWords.isEmpty
        else { return }
        var former: [UInt64: UInt64] = [:]
        for (old, new) in words {
            if let before = known.formerWords[old] {
                former[new] = before
            } else if old != new, changesValues {
                parts.pool.retain(old)
                transaction.heldWords.append(old)
                former[new] = old
            }
        }
        transaction.lists.redefined[trait]?.formerWords = former
    }

    // MARK: - Comparing

    /// The word before the transaction of a word in a frame.
    func formerWord(_ word: UInt64, _ trait: UInt16) -> UInt64 {
        transaction.lists.redefined[trait]?.formerWords[word] ?? word
    }

    /// The value that a value from before the transaction has become.
    func presentValue(from word: UInt64, of trait: UInt16) -> TraitValue {
        let value = value(from: word, of: TraitIndex(rawValue: trait))
        if transaction.lists.redefined.isEmpty { return value }
        let changes = transaction.lists.redefined[trait]?.changes ?? []
        return changes.reduce(value) { $1($0) ?? $0 }
    }

    /// The word under which a value from before the transaction is kept, with a reference; nil when the trait's
    /// definition does not have the value.
    func keptWord(_ word: UInt64, _ trait: UInt16) -> UInt64? {
        if transaction.lists.redefined.isEmpty {
            if parts.traits.isPooled(trait) { parts.pool.retain(word) }
            return word
        }
        let value = presentValue(from: word, of: trait)
        guard definitions[TraitIndex(rawValue: trait)].accepts(value) else { return nil }
        return encode(value, parts.traits[trait].coding)
    }

    /// The traits of which nodes of a layout hierarchy show other values though no other frames: those with another
    /// default, and those whose values in frames became other ones.
    var redefinedTraits: [UInt16] {
        let redefined = transaction.lists.redefined
        if redefined.isEmpty { return [] }
        return changesOfDefaults.map(\.trait)
            + redefined.filter { !$0.value.formerWords.isEmpty }.map(\.key)
    }
}

extension NamedDefinitions {
    /// Gives the keys that have the type of their trait, without a map, the new type.
    mutating func convertKeys(
        bridgedTo trait: TraitIndex, from former: TraitType, to new: TraitType,
        _ convert: (TraitValue) -> TraitValue?
    ) {
        for entry in Array(environmentKeys.values)
        where entry.trait == trait && entry.key.bridgedTrait != nil && entry.key.map.isEmpty
            && entry.key.type == former
        {
            let key = entry.key
            replace(
                EnvironmentEntry(
                    key: EnvironmentKey(
                        key: key.key, type: new, isNullable: key.isNullable,
                        defaultValue: convert(key.defaultValue) ?? key.defaultValue,
                        bridgedTrait: key.bridgedTrait),
                    trait: trait))
        }
    }
}
