// Changing the definition of a custom trait. The trait keeps its index, so values, registrations and scopes stay.
//
// A definition whose values are stored in another way (another type, null as a value or no longer) converts every
// stored word. The converted trait stores its values in the pool, whatever its type: a word then stands for any
// value, also for one from before the transaction that the new type does not have. Digests do not depend on it.

extension Hierarchy {
    /// Gives a custom trait another definition of the same key and identifier. Does nothing when both definitions are
    /// the same. O(1), and O(records) when the stored words change.
    ///
    /// - Parameters:
    ///   - changesValues: whether `convert` makes other values, of which the commit notifies. The values of both
    ///     definitions have to be in the pool.
    ///   - convert: the new value that stands for one of the former definition; nil when there is none. All
    ///     values that `misfits` looks at have one.
    /// - Throws: `systemTrait`, `invalidDefinition`, `limit`.
    package func redefineTrait(
        _ trait: TraitIndex, as definition: TraitDefinition, changesValues: Bool = false,
        converting convert: @escaping (TraitValue) -> TraitValue?
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        let former = definitions[trait]
        if former.origin != .custom { throw .systemTrait(former.key) }
        precondition(definition.key == former.key && definition.identifier == former.identifier)
        if former.isSame(as: definition) { return }
        try definition.checkWellFormed(limits)
        let raw = trait.rawValue
        let slot = parts.traits[raw]
        let keepsWords = Self.keepsWords(former, definition)
        let copy = logDefinitions()
        parts.definitions.redefine(
            trait, as: definition,
            isConverted: !keepsWords || definitions.converted.contains(trait))
        if former.affectsColorAppearance != definition.affectsColorAppearance { refreshDrawing() }
        if changesValues {
            return changeValues(of: trait, from: former, slot, definitions: copy, convert)
        }
        // The values keep their references until the end, so that no word comes to stand for another value.
        var back: [UInt64: TraitValue]?
        var defaultBefore = slot.defaultWord
        if !keepsWords {
            parts.definitions.changeNamed { $0.convert(trait, convert) }
            defaultBefore = converted(slot.defaultWord, of: trait, convert)
            transaction.heldWords.append(defaultBefore)
            convertJournal(trait, convert)
            back = convertRecords(trait, as: definition, convert).back
            if slot.coding != .pooled {
                transaction.poolings.append(
                    Pooling(position: transaction.log.end, trait: raw))
            }
        }
        let position = transaction.redefinitions.insert(Redefinition(slot: slot, back: back))
        transaction.log.append(
            .redefined(trait, definitions: copy, redefinition: position), holdsResources: true)
        var known = transaction.lists.redefined[raw]
        if known == nil {
            known = RedefinedTrait(original: former, defaultBefore: defaultBefore)
        } else if !keepsWords, let word = known?.defaultBefore {
            let held = parts.pool.retain(
                convert(value(from: word, of: trait)) ?? value(from: word, of: trait))
            transaction.heldWords.append(held)
            known?.defaultBefore = held
            if known?.changes.isEmpty == false { known?.changes.append(convert) }
        }
        transaction.lists.redefined[raw] = known
        setTraitSlot(trait, keepingCountsOf: slot)
        if back != nil, slot.shown > 0 { changeFrameDigests(countsNodes: true) }
    }

    /// Whether a word of the former definition is one of the new definition for the same value.
    private static func keepsWords(_ former: TraitDefinition, _ new: TraitDefinition) -> Bool {
        guard former.type.hasSameValues(as: new.type) else { return false }
        let (from, to) = (coding(of: former), coding(of: new))
        return from == to || from == .bool && to == .nullableBool
            || from == .double && to == .nullableDouble
    }

    // MARK: - Converting words

    /// The word of the converted value, with a reference. A value that has no new one stays what it is.
    func converted(
        _ word: UInt64, of trait: TraitIndex, _ convert: (TraitValue) -> TraitValue?
    ) -> UInt64 {
        let value = value(from: word, of: trait)
        return parts.pool.retain(Self.normalized(convert(value) ?? value))
    }

    /// Values from before the transaction are compared with new ones.
    private func convertJournal(
        _ trait: TraitIndex, _ convert: (TraitValue) -> TraitValue?
    ) {
        for touched in transaction.journal.touched.view {
            var relative = touched.firstValue
            while relative >= 0 {
                let entry = transaction.log.value(at: relative)
                if entry.trait == trait.rawValue, let old = entry.old {
                    let word = converted(old.word, of: trait, convert)
                    transaction.heldWords.append(word)
                    transaction.log.translate(relative, word)
                }
                relative = entry.next
            }
        }
    }

    /// Converts the words of all records, those of frames and of deleted nodes included.
    ///
    /// - Parameter changesValues: whether the new values are other ones. Only frames are converted then.
    /// - Returns: the former value of each new word, and the frames whose values have no new ones, if values change.
    func convertRecords(
        _ trait: TraitIndex, as definition: TraitDefinition, changesValues: Bool = false,
        _ convert: (TraitValue) -> TraitValue?
    ) -> (back: [UInt64: TraitValue], stale: Set<Int32>) {
        var back: [UInt64: TraitValue] = [:]
        var stale: Set<Int32> = []
        var known: [UInt64: UInt64] = [:]
        let hashed = Self.coding(of: definition)
        let isPooled = parts.traits.isPooled(trait.rawValue)
        rewriteRecords(trait.rawValue, framesOnly: changesValues) { record, word in
            if changesValues, known[word] == nil, convert(value(from: word, of: trait)) == nil {
                stale.insert(record)
            }
            if stale.contains(record) { return (word, 0) }
            let new: UInt64
            if let word = known[word] {
                new = word
                parts.pool.retain(word)
            } else {
                new = converted(word, of: trait, convert)
                known[word] = new
                if back.updateValue(value(from: word, of: trait), forKey: new) == nil {
                    parts.pool.retain(new)
                }
                if isPooled { parts.pool.retain(word) }
            }
            if isPooled { parts.pool.release(word) }
            return (new, hash(parts.pool[new], as: hashed))
        }
        noteFormerWords(of: trait.rawValue, known, changesValues: changesValues)
        if isPooled { for word in known.keys { parts.pool.release(word) } }
        return (back, stale)
    }

    /// Undoes `convertRecords`; the digest is restored as a whole.
    private func revertRecords(
        _ trait: TraitIndex, _ redefinition: Redefinition, _ back: [UInt64: TraitValue]
    ) {
        rewriteRecords(trait.rawValue, framesOnly: redefinition.changesValues) { record, word in
            if redefinition.stale.contains(record) { return (word, 0) }
            defer { parts.pool.release(word) }
            if let value = back[word] { return (encode(value, redefinition.slot.coding), 0) }
            // The value was set after the redefinition, in the transaction that set one there before or made the
            // node, so the undo log has no entry for it. Undoing the earlier operations removes it; until then the
            // record holds a word of the former definition.
            let standIn = redefinition.slot.defaultWord
            if redefinition.slot.coding == .pooled { parts.pool.retain(standIn) }
            return (standIn, 0)
        }
    }

    /// Replaces the trait's words in all records, or in frames only, and the facts of living nodes.
    ///
    /// - Parameter replace: answers the new word and its hash for the digest; references are its own affair.
    private func rewriteRecords(
        _ trait: UInt16, framesOnly: Bool,
        _ replace: (_ record: Int32, UInt64) -> (word: UInt64, hash: UInt64)
    ) {
        var entries: ContiguousArray<RecordEntry> = []
        for record in parts.records.indices {
            let stored = parts.records[record]
            if stored.flags.contains(.free) || !recordReader.sets(record, trait) { continue }
            let isFrame = stored.flags.contains(.frame)
            if framesOnly && !isFrame { continue }
            let isFact = !isFrame && !parts.nodes[stored.node].flags.contains(.dead)
            entries.removeAll(keepingCapacity: true)
            recordReader.entries(record, into: &entries)
            for position in entries.indices where entries[position].trait == trait {
                let entry = entries[position]
                let name = isFact ? nameHash(stored.node) : 0
                if isFact {
                    parts.digest.remove(
                        valueFact(name, trait, entry.layer, entry.word, entry.revision))
                }
                let (word, hash) = replace(record, entry.word)
                entries[position].word = word
                if isFact {
                    parts.digest.add(
                        valueFact(name, trait, entry.layer, hash: hash, entry.revision))
                }
            }
            parts.records.rewrite(record, entries)
        }
    }

    // MARK: - Undoing and freeing

    func undoRedefinition(_ trait: TraitIndex, _ position: Int32) {
        guard let redefinition = transaction.redefinitions.remove(position) else { return }
        let slot = parts.traits[trait.rawValue]
        if slot.coding == .pooled { parts.pool.release(slot.defaultWord) }
        if let back = redefinition.back {
            revertRecords(trait, redefinition, back)
            for word in back.keys { parts.pool.release(word) }
        }
        parts.traits.redefine(trait.rawValue, as: redefinition.slot)
        while let last = transaction.poolings.last, last.position >= transaction.log.end {
            transaction.poolings.removeLast()
        }
    }

    /// The redefinition can no longer be undone.
    func releaseRedefinition(_ position: Int32, at entry: Int) {
        transaction.poolings.removeAll { $0.position <= entry }
        guard let redefinition = transaction.redefinitions.remove(position) else { return }
        let former = redefinition.slot
        if former.coding == .pooled { parts.pool.release(former.defaultWord) }
        for word in redefinition.back?.keys ?? [:].keys { parts.pool.release(word) }
    }

    /// Whether the undo entry at a position has words of the pool.
    func isPooled(_ trait: UInt16, at position: Int) -> Bool {
        if !transaction.poolings.isEmpty,
            transaction.poolings.contains(where: { $0.trait == trait && $0.position >= position })
        {
            return false
        }
        return parts.traits.isPooled(trait)
    }

    /// Frees the words that the open transaction needed for comparisons.
    func releaseHeldWords() {
        for word in transaction.heldWords { parts.pool.release(word) }
        transaction.heldWords = []
    }

    // MARK: - Comparing

    /// Whether a trait has another definition than before the transaction.
    var hasRedefined: Bool {
        transaction.lists.redefined.contains { raw, redefined in
            definitions.definition(at: TraitIndex(rawValue: raw)).map {
                !$0.isSame(as: redefined.original)
            } ?? true
        }
    }

    /// The word of the trait's default before the transaction.
    func defaultBefore(_ trait: UInt16) -> UInt64 {
        transaction.lists.redefined[trait]?.defaultBefore ?? parts.traits[trait].defaultWord
    }

    /// The traits with another default than before the transaction, in the order of their indices.
    var changesOfDefaults: [FrameChange] {
        transaction.lists.redefined.sorted { $0.key < $1.key }.compactMap { raw, redefined in
            let new = parts.traits[raw].defaultWord
            if definitions.definition(at: TraitIndex(rawValue: raw)) == nil
                || redefined.defaultBefore == new
            {
                return nil
            }
            return FrameChange(
                trait: raw, layer: .default, node: 0, revision: 0, old: redefined.defaultBefore,
                new: new)
        }
    }

    /// Notifies of other defaults, which come from the node above all roots. O(watch nodes that the changes reach).
    func walkDefaults() {
        let start = notifying.changes.count
        notifying.changes.append(contentsOf: changesOfDefaults)
        let frame = newFrame(from: start)
        let watch = parts.nodes[0].watch
        if frame > 0, watch >= 0 { walk(from: watch, level: 0, frame: frame) }
    }
}

extension TraitType {
    /// Whether the values of both types have the same form in the engine.
    fileprivate func hasSameValues(as other: TraitType) -> Bool {
        switch (self, other) {
        case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.json, .json):
            true
        case (.enumeration, .enumeration): true
        case (.structure(let fields), .structure(let others)): fields == others
        default: false
        }
    }
}
