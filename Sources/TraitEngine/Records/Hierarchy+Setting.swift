// Setting and removing values: overrides, and what the system or a container supplies.

extension Hierarchy {
    /// Sets an override. The same value again does nothing; one that equals the inherited value
    /// is an override nevertheless. O(values of the node), and 64 levels in trees deeper than 128.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit` (for a string).
    public func setOverride(
        _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        try set(node.rawValue, trait, .override, value)
    }

    /// Removes an override, so that the value is inherited again. Quiet when there is none.
    /// O(values of the node).
    public func removeOverride(_ node: NodeIndex, _ trait: TraitIndex) {
        remove(node.rawValue, trait.rawValue, .override)
    }

    /// Sets a value that the system or a container supplies for the node. Costs what an override
    /// does.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit` (for a string).
    public func setSupplied(
        _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        try set(node.rawValue, trait, .supplied, value)
    }

    /// Removes a supplied value. Quiet when there is none. O(values of the node).
    public func removeSupplied(_ node: NodeIndex, _ trait: TraitIndex) {
        remove(node.rawValue, trait.rawValue, .supplied)
    }

    /// Makes these the node's overrides, no others; of a trait named twice the last value holds.
    /// Each that changes costs what setting or removing it does.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit` (for a string). Nothing has changed then.
    public func replaceOverrides(
        _ node: NodeIndex, _ values: [(TraitIndex, TraitValue)]
    ) throws(OperationError) {
        try replace(node.rawValue, .override, values)
    }

    /// Makes these the node's supplied values, no others; of a trait named twice the last holds.
    /// Each that changes costs what setting or removing it does.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit` (for a string). Nothing has changed then.
    public func replaceSupplied(
        _ node: NodeIndex, _ values: [(TraitIndex, TraitValue)]
    ) throws(OperationError) {
        try replace(node.rawValue, .supplied, values)
    }

    func set(
        _ node: Int32, _ trait: TraitIndex, _ layer: Layer, _ value: TraitValue
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        try check(value, trait)
        put(node, trait.rawValue, layer, value)
    }

    private func put(_ node: Int32, _ trait: UInt16, _ layer: Layer, _ value: TraitValue) {
        let coding = parts.traits[trait].coding
        let old = storedValue(node, trait, layer)
        let word: UInt64
        if coding == .pooled {
            if let old, knownWord(value) == old.word { return }
            word = encode(value, coding)
        } else {
            word = Self.plainWord(value, coding)
            if word == old?.word { return }
        }
        change(node, trait, layer, from: old, to: StoredValue(word: word, revision: revision + 1))
    }

    func remove(_ node: Int32, _ trait: UInt16, _ layer: Layer) {
        precondition(isInTransaction, "outside of a transaction")
        guard let old = storedValue(node, trait, layer) else { return }
        change(node, trait, layer, from: old, to: nil)
    }

    func replace(
        _ node: Int32, _ layer: Layer, _ values: [(TraitIndex, TraitValue)]
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        for (trait, value) in values { try check(value, trait) }
        // Values of environment keys are stored as overrides of hidden traits: they stay.
        let wanted = TraitSet(values.lazy.map(\.0)).union(definitions.hidden)
        var entries: ContiguousArray<RecordEntry> = []
        let record = recordIndex(of: node)
        if record >= 0 { recordReader.entries(record, into: &entries) }
        for entry in entries
        where entry.layer == layer && !wanted.contains(TraitIndex(rawValue: entry.trait)) {
            remove(node, entry.trait, layer)
        }
        for (trait, value) in values { put(node, trait.rawValue, layer, value) }
    }

    /// Exchanges a value, and marks the node of a layout hierarchy.
    func change(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, from old: StoredValue?,
        to new: StoredValue?
    ) {
        if layout != nil, layer != .kept { noteInputs(node) }
        exchange(node, trait, layer, from: old, to: new)
        if layout != nil { layer == .kept ? mark(node) : noteWrite(node) }
    }

    /// Stores a value and logs the one before the transaction, which keeps its reference to
    /// the pool; values in between lose theirs.
    @inline(__always)
    func exchange(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, from old: StoredValue?,
        to new: StoredValue?
    ) {
        let isRemembered = remember(node, trait, layer, old)
        countChange(node, trait, layer, from: old, to: new)
        store(node, trait, layer, new)
        if !isRemembered, let old, parts.traits.isPooled(trait) {
            parts.pool.release(old.word)
        }
    }
}
