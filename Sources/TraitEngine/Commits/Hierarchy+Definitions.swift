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
        let before = copyOfDefinitions
        let trait = try definitions.define(definition)
        if trait == known { return trait }
        logDefined(trait, before)
        return trait
    }

    /// Defines the holder of an environment key's values.
    func defineHidden(_ definition: TraitDefinition) throws(OperationError) -> TraitIndex {
        let before = copyOfDefinitions
        let trait = try definitions.defineHidden(definition)
        logDefined(trait, before)
        return trait
    }

    private func logDefined(_ trait: TraitIndex, _ before: TraitDefinitions?) {
        if Int(trait.rawValue) < traits.count {
            setTraitSlot(trait)
        } else {
            addTraitSlots()
        }
        logDefinitions(.defined, trait, before)
        journal.defined.insert(trait)
    }

    /// Only the transaction's first change copies the definitions: it is taken back as a whole.
    private var copyOfDefinitions: TraitDefinitions? {
        journal.changesDefinitions ? nil : definitions
    }

    private func logDefinitions(
        _ operation: UndoEntry.Operation, _ trait: TraitIndex, _ before: TraitDefinitions?
    ) {
        journal.changesDefinitions = true
        layout?.collections = [:]
        definitionSums = nil
        let copy = before.map { definitionCopies.insert($0) } ?? -1
        log.append(
            UndoEntry(operation: operation, trait: trait.rawValue, node: 0, a: copy))
        log.holdsResources = true
    }

    /// Deletes a custom trait that nothing refers to. Values of it that detached trees kept go
    /// with it. O(1), or O(records) if there are such values.
    ///
    /// - Throws: `systemTrait`, `traitInUse`.
    public func deleteTrait(_ trait: TraitIndex) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let definition = definitions[trait]
        if definition.origin != .custom { throw .systemTrait(definition.key) }
        if definitions.named.refer(to: trait) { throw .traitInUse(definition.key) }
        try deleteHolder(trait)
    }

    /// Deletes a trait that no definition refers to.
    func deleteHolder(_ trait: TraitIndex) throws(OperationError) {
        let definition = definitions[trait]
        let slot = traits[Int32(trait.rawValue)]
        if slot.values > 0 || slot.watches > 0 { throw .traitInUse(definition.key) }
        if slot.kept > 0 { dropKeptValues(of: trait.rawValue) }
        let before = copyOfDefinitions
        try definitions.remove(trait)
        if !journal.defined.remove(trait) { journal.endsExisting = true }
        logDefinitions(.undefined, trait, before)
        if slot.shown > 0 { changeFrameDigests(countsNodes: true) }
    }

    private func dropKeptValues(of trait: UInt16) {
        for record in 0..<Int32(truncatingIfNeeded: records.count) {
            let stored = records[record]
            if !stored.flags.isDisjoint(with: [.free, .frame]) { continue }
            if !recordReader.sets(record, trait) { continue }
            let node = stored.node
            if links[node].flags.contains(.dead) { continue }
            guard let old = storedValue(node, trait, .kept) else { continue }
            change(node, trait, .kept, from: old, to: nil)
        }
    }
}
