// Why a value is what it is.

extension Hierarchy {
    /// Everything between a node and the default that sets the trait, from the node up, in each
    /// node from the overrides down; the default comes last. O(depth).
    ///
    /// - Parameter includeAbsent: a node that sets the trait in no layer appears too, once, with
    ///   the layer `override`.
    public func chain(
        of trait: TraitIndex, at node: NodeIndex, includeAbsent: Bool = false
    ) -> [ChainEntry] {
        var chain: [ChainEntry] = []
        var hasWinner = false
        var index = node.rawValue
        if let layout {
            chain = shownEntries(of: trait, at: index, includeAbsent: includeAbsent, layout)
            hasWinner = chain.contains { $0.status == .winner }
            index = 0
        }
        while index > 0 {
            let start = chain.count
            appendEntries(of: trait, at: index, to: &chain, &hasWinner)
            if includeAbsent, chain.count == start {
                chain.append(
                    ChainEntry(
                        node: NodeIndex(rawValue: index), layer: .override, value: nil,
                        status: .absent, revision: nil))
            }
            index = hot[index].parent
        }
        chain.append(
            ChainEntry(
                node: nil, layer: .default,
                value: value(from: traits[Int32(trait.rawValue)].defaultWord, of: trait),
                status: hasWinner ? .shadowed : .winner, revision: nil))
        return chain
    }

    private func appendEntries(
        of trait: TraitIndex, at node: Int32, to chain: inout [ChainEntry],
        _ hasWinner: inout Bool
    ) {
        let record = recordIndex(of: node)
        if record < 0 || !recordReader.sets(record, trait.rawValue) { return }
        for layer in Layer.stored {
            guard let stored = storedValue(node, trait.rawValue, layer) else { continue }
            chain.append(
                ChainEntry(
                    node: NodeIndex(rawValue: node), layer: layer,
                    value: value(from: stored.word, of: trait),
                    status: hasWinner ? .shadowed : .winner, revision: stored.revision))
            hasWinner = true
        }
    }

    // MARK: - One node's inputs

    /// The node's overrides in catalogue order. O(values of the node).
    public func overrides(of node: NodeIndex) -> [(TraitIndex, TraitValue)] {
        values(of: node, in: .override)
    }

    /// The node's override, nil when it has none. O(values of the node).
    public func override(_ trait: TraitIndex, of node: NodeIndex) -> TraitValue? {
        storedValue(node.rawValue, trait.rawValue, .override)
            .map { value(from: $0.word, of: trait) }
    }

    /// The node's supplied values in catalogue order. O(values of the node).
    public func supplied(of node: NodeIndex) -> [(TraitIndex, TraitValue)] {
        values(of: node, in: .supplied)
    }

    /// What is supplied for the node, nil for nothing. O(values of the node).
    public func supplied(_ trait: TraitIndex, of node: NodeIndex) -> TraitValue? {
        storedValue(node.rawValue, trait.rawValue, .supplied)
            .map { value(from: $0.word, of: trait) }
    }

    /// What the root of a detached tree inherited last, in catalogue order; empty elsewhere.
    /// O(values of the node).
    public func kept(of node: NodeIndex) -> [(TraitIndex, TraitValue)] {
        values(of: node, in: .kept)
    }

    func values(of node: NodeIndex, in layer: Layer) -> [(TraitIndex, TraitValue)] {
        let record = recordIndex(of: node.rawValue)
        if record < 0 { return [] }
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(record, into: &entries)
        let hidden = definitions.hidden
        if !definitions.isInCatalogueOrder { sortByCatalogue(&entries) }
        return entries.compactMap { entry in
            let trait = TraitIndex(rawValue: entry.trait)
            if entry.layer != layer || hidden.contains(trait) { return nil }
            return (trait, value(from: entry.word, of: trait))
        }
    }

    /// In catalogue order, each trait's layers from the top down.
    func sortByCatalogue(_ entries: inout ContiguousArray<RecordEntry>) {
        entries.sort {
            let left = definitions.catalogueRank(of: TraitIndex(rawValue: $0.trait))
            let right = definitions.catalogueRank(of: TraitIndex(rawValue: $1.trait))
            return (left, $1.layer) < (right, $0.layer)
        }
    }
}
