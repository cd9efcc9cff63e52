// Defining and deleting custom traits within a transaction.

extension Hierarchy {
    /// Defines a custom trait. The same definition again does nothing. O(1), and O(definitions)
    /// once in a transaction.
    ///
    /// - Throws: what `TraitDefinitions.define(_:)` throws.
    public func defineTrait(
        _ definition: TraitDefinition
    ) throws(OperationError) -> TraitIndex {
        precondition(isInTransaction, "outside of a transaction")
        let known = definitions.index(of: definition.key)
        for name in [definition.key, definition.identifier].compactMap(\.self) {
            try checkNotFollowed(name)
        }
        let before = copyOfDefinitions
        let trait = try parts.definitions.define(definition)
        if trait == known { return trait }
        logDefined(trait, before)
        if definition.affectsColorAppearance { refreshDrawing() }
        return trait
    }

    /// Refuses a trait the name of an environment key that registrations or scopes follow: they name both alike.
    func checkNotFollowed(_ name: String) throws(OperationError) {
        guard let entry = definitions.named.environmentKeys[name], entry.key.bridgedTrait == nil,
            parts.traits[entry.trait.rawValue].registrations > 0
        else { return }
        throw .duplicateIdentifier(
            name, takenBy: "environment key \(name), which a registration or a scope follows")
    }

    /// Defines the holder of an environment key's values.
    func defineHidden(_ definition: TraitDefinition) throws(OperationError) -> TraitIndex {
        let before = copyOfDefinitions
        let trait = try parts.definitions.defineHidden(definition)
        logDefined(trait, before)
        return trait
    }

    private func logDefined(_ trait: TraitIndex, _ before: TraitDefinitions?) {
        if parts.traits.indices.contains(trait.rawValue) {
            setTraitSlot(trait)
        } else {
            addTraitSlots()
        }
        let copy = copyForLog(before)
        transaction.log.append(.defined(trait, definitions: copy), holdsResources: true)
        transaction.lists.defined.insert(trait)
    }

    /// Only the transaction's first change copies the definitions: undo restores all at once.
    var copyOfDefinitions: TraitDefinitions? {
        transaction.summary.changesDefinitions ? nil : definitions
    }

    /// The definitions are about to change: the slot for `copyForLog` of those before.
    func logDefinitions() -> Int32 { copyForLog(copyOfDefinitions) }

    /// The definitions change: the slot of those before for the undo log, -1 for none.
    func copyForLog(_ before: TraitDefinitions?) -> Int32 {
        transaction.summary.changesDefinitions = true
        layout?.caches.forgetDefinitions()
        parts.digest.forgetDefinitions()
        return before.map { transaction.definitionCopies.insert($0) } ?? -1
    }

    /// Deletes a custom trait that nothing refers to. O(1), or O(nodes) if something was kept or is
    /// shown.
    ///
    /// - Throws: `systemTrait`; `traitInUse`, also while a detached node keeps a value of it or a
    ///   pending one shows one.
    public func deleteTrait(_ trait: TraitIndex) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        let definition = definitions[trait]
        if definition.origin != .custom { throw .systemTrait(definition.key) }
        if definitions.named.refer(to: trait) { throw .traitInUse(definition.key) }
        if !definition.affectsColorAppearance { return try deleteHolder(trait) }
        // A method that draws listens to the trait, but does not keep it from going.
        refreshDrawing(without: trait)
        do throws(OperationError) {
            try deleteHolder(trait)
        } catch {
            refreshDrawing()
            throw error
        }
    }

    /// Deletes a trait that no definition refers to.
    func deleteHolder(_ trait: TraitIndex) throws(OperationError) {
        let definition = definitions[trait]
        let slot = parts.traits[trait.rawValue]
        if slot.values > 0 || slot.registrations > 0 { throw .traitInUse(definition.key) }
        if slot.kept > 0 && isKept(trait.rawValue) || isAboutToBeKept(trait.rawValue)
            || slot.shown > 0 && isShown(trait.rawValue)
        {
            throw .traitInUse(definition.key)
        }
        if slot.kept > 0 { dropKeptValues(of: trait.rawValue) }
        // Watches are not part of the state, so they must not decide what is refused.
        for watch in watches(of: trait) { end(watch, .traitDeleted) }
        let before = copyOfDefinitions
        try parts.definitions.remove(trait)
        if !transaction.lists.defined.remove(trait) { transaction.summary.endsExisting = true }
        let copy = copyForLog(before)
        transaction.log.append(.undefined(trait, definitions: copy), holdsResources: true)
        if slot.shown > 0 { changeFrameDigests(countsNodes: true) }
    }

    /// The nodes that have a kept value of the trait. O(records).
    private func keepers(of trait: UInt16) -> [Int32] {
        noteMeasured(parts.records.indices.count)
        return parts.records.indices.compactMap { record in
            let stored = parts.records[record]
            if !stored.flags.isDisjoint(with: [.free, .frame])
                || !recordReader.sets(record, trait)
                || parts.nodes[stored.node].flags.contains(.dead)
            {
                return nil
            }
            return storedValue(stored.node, trait, .kept) == nil ? nil : stored.node
        }
    }

    /// Whether a detached node keeps a value of the trait. Nodes that this transaction attached do
    /// not count: they lose kept values at its end.
    private func isKept(_ trait: UInt16) -> Bool {
        keepers(of: trait).contains { parts.nodes.parent(of: $0) == 0 }
    }

    private func dropKeptValues(of trait: UInt16) {
        for node in keepers(of: trait) {
            guard let old = storedValue(node, trait, .kept) else { continue }
            change(node, trait, .kept, from: old, to: nil)
        }
    }

    /// Whether a node that this transaction detached will keep a value of the trait.
    private func isAboutToBeKept(_ trait: UInt16) -> Bool {
        layout == nil
            && transaction.journal.touched.view.contains { touched in
                let node = touched.node
                return touched.traitParent > 0 && parts.nodes.parent(of: node) == 0 && isInUse(node)
                    && !isRootKind(node)
                    && traitsBefore(at: touched.traitParent)
                        .contains(TraitIndex(rawValue: trait))
            }
    }

    /// The traits that a node inherited or set before the transaction. O(depth) once in it for each
    /// node: nothing that the transaction does changes what was before.
    private func traitsBefore(at node: Int32) -> TraitSet {
        if let known = transaction.lists.inherited[node] { return known }
        let traits = inherited(from: node, .max, asBefore: true)
        transaction.lists.inherited[node] = traits
        return traits
    }

    /// Whether a node shows a value of the trait, which then waits for an update. O(nodes).
    private func isShown(_ trait: UInt16) -> Bool {
        guard let layout else { return false }
        var known: Set<Int32> = []
        for node in 1..<Int32(truncatingIfNeeded: max(parts.nodes.slotCount, 1)) where isInUse(node)
        {
            var frame = layout.nodes[node].shown
            while frame > 0, known.insert(frame).inserted {
                if recordReader.sets(frame, trait) { return true }
                frame = parts.records[frame].above
            }
        }
        return false
    }
}
