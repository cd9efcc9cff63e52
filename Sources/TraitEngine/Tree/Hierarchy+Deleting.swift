// Deleting: names are free at once, memory later and in slices.

extension Hierarchy {
    /// Deletes a node and its structural subtree with their registrations. A view whose
    /// controller goes stays as a plain view, a controller whose view goes stays without one.
    /// O(subtree), and O(depth) for each that loses its peer; the memory is given back later, see
    /// `reclaimSlice()`.
    ///
    /// - Throws: `cycle` when a view or a controller that stays would inherit from itself without
    ///   its peer. Nothing has changed then.
    public func deleteNode(_ node: NodeIndex) throws(OperationError) {
        precondition(isInTransaction, "outside of any transaction")
        showWrites()
        let top = node.rawValue
        let mayPart = parts.nodes.bridgedCount > 0
        let doomed = structuralSubtree(of: top)
        let survivors = mayPart ? try partings(from: doomed) : []
        parts.nodes.levels.loosen()
        for index in doomed { setDead(index) }
        transaction.log.append(.marked(node: top), holdsResources: true)
        for index in doomed { endRegistrations(of: index, .nodeDeleted) }
        for survivor in survivors {
            let peer = peer(survivor.node)
            pair(parts.nodes[peer].kind == .view ? peer : survivor.node, -1)
        }
        placeSurvivors(survivors)
        // `bury` takes the order fact of a node with a living parent out of the digest.
        for index in doomed {
            let name = nameHash(index)
            parts.digest.remove(ownFacts(of: index, name))
            let isBelowDead = parts.nodes[parts.nodes.parent(of: index)].flags.contains(.dead)
            if isBelowDead { parts.digest.remove(orderFact(index, name)) }
        }
        for index in doomed
        where !parts.nodes[parts.nodes.parent(of: index)].flags.contains(.dead) {
            bury(index)
        }
        // The structural list of a living parent must not lead to the dead.
        if parts.nodes[top].flags.contains(.bridged) { parts.nodes.delist(top) }
    }

    /// Moves the nodes that stay to their new trait parents, in the order of their names: the
    /// deletion gives them no other order. Depth refuses no deletion, so the bound may rise beyond
    /// the limit: a view that no longer inherits from its controller can be deeper.
    private func placeSurvivors(_ survivors: [Reparenting]) {
        let heights = survivors.map { max(0, parts.nodes.levels.trait - level(of: $0.node)) }
        let moves = survivors.filter { parts.nodes.parent(of: $0.node) != $0.parent }
        place(moves.sorted { hasLesserName($0.node, $1.node) })
        for (survivor, height) in zip(survivors, heights) {
            parts.nodes.levels.raise(trait: level(of: survivor.node) + height)
        }
    }

    /// The nodes that stay but lose their peer, with their new trait parents.
    private func partings(from doomed: [Int32]) throws(OperationError) -> [Reparenting] {
        let peers = doomed.filter { peer($0) >= 0 }
        let leaving = Set(peers)
        let partings = peers.map { peer($0) }.filter { !leaving.contains($0) }.map { node in
            let structural = structuralParent(node)
            let parent = traitParent(parts.nodes[node].kind, structural: structural, peer: -1)
            return Reparenting(node: node, parent: parent, structural: structural)
        }
        // Sorted, as structural children have no order: an error must name the same nodes each
        // time.
        try checkPartings(partings.sorted { hasLesserName($0.node, $1.node) })
        return partings
    }

    /// Refuses a node that would inherit from itself. O(depth) for each; no node is walked twice.
    private func checkPartings(_ partings: [Reparenting]) throws(OperationError) {
        let parents = Dictionary(
            partings.map { ($0.node, $0.parent) }, uniquingKeysWith: { first, _ in first })
        var checked: Set<Int32> = []
        for parting in partings {
            var way: Set<Int32> = []
            var ancestor = parting.node
            while ancestor > 0, !checked.contains(ancestor) {
                guard let parent = parents[ancestor] else {
                    ancestor = parts.nodes.parent(of: ancestor)
                    continue
                }
                if !way.insert(ancestor).inserted {
                    throw .cycle(
                        node: parts.nodes.names.string(of: ancestor),
                        parent: parts.nodes.names.string(of: parent))
                }
                ancestor = parent
            }
            checked.formUnion(way)
        }
    }

    private func setDead(_ node: Int32) {
        parts.nodes.markDead(node)
        if parts.nodes[node].flags.contains(.created) {
            transaction.summary.createdAlive &-= 1
        } else {
            transaction.summary.endsExisting = true
        }
        let record = recordIndex(of: node)
        if record >= 0 { countValues(of: record, -1) }
    }

    /// Undoes the marking, when the structure is again as it was.
    func unmarkDead(_ top: Int32) {
        if parts.nodes[top].flags.contains(.bridged) { parts.nodes.enlist(top) }
        for node in structuralSubtree(of: top) {
            parts.nodes.unmarkDead(node)
            if recordIndex(of: node) >= 0 { countValues(of: recordIndex(of: node), 1) }
        }
    }

    /// Removes a dead node from the children of its living trait parent; everything below it is
    /// dead.
    private func bury(_ node: Int32) {
        let parent = parts.nodes.parent(of: node)
        let previous = detach(node)
        transaction.log.append(.buried(node: node, parent: parent, previous: previous))
    }

    /// A node and what is structurally below it, breadth first.
    private func structuralSubtree(of top: Int32) -> [Int32] {
        var nodes = [top]
        var position = 0
        while position < nodes.count {
            forEachStructuralChild(nodes[position]) { nodes.append($0) }
            position += 1
        }
        return nodes
    }
}
