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
        guard let layout else {
            return inputChain(of: trait, at: node.rawValue, includeAbsent: includeAbsent)
        }
        return ending(
            shownEntries(
                of: trait, at: node.rawValue, includeAbsent: includeAbsent, layout), trait)
    }

    /// The chain by what is set now: in a layout hierarchy what the node will show when it is
    /// brought up to date.
    func inputChain(
        of trait: TraitIndex, at node: Int32, includeAbsent: Bool,
        limited: [Int32: ChainEntry] = [:]
    ) -> [ChainEntry] {
        var chain: [ChainEntry] = []
        var index = node
        while index > 0 {
            let start = chain.count
            appendEntries(of: trait, at: index, limited[index], to: &chain)
            if includeAbsent, chain.count == start {
                chain.append(
                    ChainEntry(
                        node: NodeIndex(rawValue: index), layer: .override, value: nil,
                        status: .absent, revision: nil))
            }
            index = parts.nodes.parent(of: index)
        }
        return ending(chain, trait)
    }

    /// A chain with its last entry, the default.
    private func ending(_ chain: [ChainEntry], _ trait: TraitIndex) -> [ChainEntry] {
        let hasWinner = chain.contains { $0.status == .winner }
        return chain + [
            ChainEntry(
                node: nil, layer: .default,
                value: value(
                    from: parts.traits[trait.rawValue].defaultWord, of: trait),
                status: hasWinner ? .shadowed : .winner, revision: nil)
        ]
    }

    private func appendEntries(
        of trait: TraitIndex, at node: Int32, _ limited: ChainEntry?, to chain: inout [ChainEntry]
    ) {
        let record = recordIndex(of: node)
        if limited == nil, record < 0 || !recordReader.sets(record, trait.rawValue) { return }
        for layer in Layer.stored {
            var entry = layer == .limited ? limited : nil
            if entry == nil, let stored = storedValue(node, trait.rawValue, layer) {
                entry = ChainEntry(
                    node: NodeIndex(rawValue: node), layer: layer,
                    value: value(from: stored.word, of: trait), status: .winner,
                    revision: stored.revision)
            }
            guard let entry else { continue }
            let isShadowed = chain.contains { $0.status == .winner }
            chain.append(
                ChainEntry(
                    node: entry.node, layer: layer, value: entry.value,
                    status: isShadowed ? .shadowed : .winner, revision: entry.revision))
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

    /// The value supplied for the node, nil when there is none. O(values of the node).
    public func supplied(_ trait: TraitIndex, of node: NodeIndex) -> TraitValue? {
        storedValue(node.rawValue, trait.rawValue, .supplied)
            .map { value(from: $0.word, of: trait) }
    }

    /// The values that the root of a detached tree inherited last, in catalogue order; empty elsewhere.
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
