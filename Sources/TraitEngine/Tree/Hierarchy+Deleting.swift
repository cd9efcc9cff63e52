// Deleting: names are gone at once, memory later and in slices.

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
        let top = node.rawValue
        let mayPart = parts.nodes.bridgedCount > 0
        // Without bridges and watches there is no more to do than marking.
        let doomed = mayPart || parts.nodes[top].watch >= 0 ? structuralSubtree(of: top) : []
        let survivors = mayPart ? try partings(from: doomed) : []
        parts.nodes.levels.forget()
        if doomed.isEmpty {
            markAllBelow(top)
        } else {
            for index in doomed { setDead(index, recordIndex(of: index)) }
        }
        transaction.log.append(.marked(node: top), holdsResources: true)
        for index in doomed { endRegistrations(of: index, .nodeDeleted) }
        for survivor in survivors {
            let peer = peer(survivor.node)
            pair(parts.nodes[peer].kind == .view ? peer : survivor.node, -1)
        }
        settle(survivors)
        // Below a dead parent the order goes with the nodes, else as they are buried.
        for index in doomed {
            let name = nameHash(index)
            parts.digest.sums.remove(ownFacts(of: index, name))
            let isBelowDead = parts.nodes[parts.nodes.parent(of: index)].flags.contains(.dead)
            if isBelowDead { parts.digest.sums.remove(orderFact(index, name)) }
        }
        for index in mayPart ? doomed : [top]
        where !parts.nodes[parts.nodes.parent(of: index)].flags.contains(.dead) {
            bury(index)
        }
        // The structural list of a living parent must not lead to the dead.
        if parts.nodes[top].flags.contains(.bridged) { parts.nodes.delist(top) }
        transaction.structuralTour?.cut(top)
    }

    /// A deletion does not name those that stay, so they stand by name. Depth refuses no deletion, so the bound rises here even beyond the limit: a view can come
    /// to lie deeper when it no longer inherits from its controller.
    private func settle(_ survivors: [Reparenting]) {
        let heights = survivors.map { max(0, parts.nodes.levels.trait - level(of: $0.node)) }
        let moves = survivors.filter { parts.nodes.parent(of: $0.node) != $0.parent }
        place(moves.sorted { hasLesserName($0.node, $1.node) })
        for (survivor, height) in zip(survivors, heights) {
            parts.nodes.levels.trait = max(
                parts.nodes.levels.trait, level(of: survivor.node) + height)
        }
    }

    /// What stays when these go, but loses its peer, and from what it then inherits.
    private func partings(from doomed: [Int32]) throws(OperationError) -> [Reparenting] {
        let peers = doomed.filter { peer($0) >= 0 }
        let leaving = Set(peers)
        let partings = peers.map { peer($0) }.filter { !leaving.contains($0) }.map { node in
            let structural = structuralParent(node)
            let parent = traitParent(parts.nodes[node].kind, structural: structural, peer: -1)
            return Reparenting(node: node, parent: parent, structural: structural)
        }
        // Structural children have no order of their own: what is refused must name the same nodes.
        try checkPartings(partings.sorted { hasLesserName($0.node, $1.node) })
        return partings
    }

    /// Refuses what would come to inherit from itself. O(depth) each: a way that was walked ends
    /// the next.
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

    /// Marks a node and what is below it in the trait tree. Several lists of siblings are gone
    /// along at once: where nodes lie scattered, waiting for memory is nearly all there is to it.
    /// The digest needs the name of each node and of the sibling or parent before it, and each name
    /// is read once: what half of a fact is known goes along until the other node's turn.
    private func markAllBelow(_ top: Int32) {
        let name = nameHash(top)
        setDead(top, recordIndex(of: top))
        parts.digest.sums.remove(ownFacts(of: top, name))
        let last = parts.nodes[top].last
        if last < 0 { return }
        var waiting = PlainBuffer<Doomed>()
        waiting.append(Doomed(node: last, parentName: name))
        withUnsafeTemporaryAllocation(of: Doomed.self, capacity: 32) { batch in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { nodes in
                while !waiting.isEmpty {
                    var count = 0
                    while count < batch.count, let doomed = waiting.popLast() {
                        batch.initializeElement(at: count, to: doomed)
                        nodes.initializeElement(at: count, to: doomed.node)
                        count &+= 1
                    }
                    let nodes = UnsafeMutableBufferPointer(rebasing: nodes[..<count])
                    approachLinks(of: nodes)
                    parts.nodes.prefetchNames(nodes)
                    markDead(UnsafeMutableBufferPointer(rebasing: batch[..<count]), &waiting)
                }
            }
        }
    }

    /// Marks nodes that were fetched into the caches; what hangs at them waits.
    private func markDead(
        _ batch: UnsafeMutableBufferPointer<Doomed>, _ waiting: inout PlainBuffer<Doomed>
    ) {
        var gone = StateDigest()
        for doomed in batch {
            let node = doomed.node
            let (link, name) = (parts.nodes[node], nameHash(node))
            let isFirst = link.previous < 0
            let order = startOfOrderFact(name, isFirst: isFirst)
            waiting.append(
                Doomed(node: link.previous, parentName: doomed.parentName, orderBehind: order),
                if: !isFirst)
            waiting.append(Doomed(node: link.last, parentName: name), if: link.last >= 0)
            if isFirst { gone.add(orderFact(order, before: doomed.parentName)) }
            if let order = doomed.orderBehind { gone.add(orderFact(order, before: name)) }
            setDead(node, recordIndex(of: node))
            gone.add(ownFacts(of: node, name))
        }
        parts.digest.sums.remove(gone)
    }

    @inline(__always)
    private func setDead(_ node: Int32, _ record: Int32) {
        parts.nodes.markDead(node)
        if parts.nodes[node].flags.contains(.created) {
            transaction.journal.createdAlive &-= 1
        } else {
            transaction.journal.endsExisting = true
        }
        if record >= 0 { countValues(of: record, -1) }
    }

    /// Takes the marking back: the structure is again as it was then.
    func unmarkDead(_ top: Int32) {
        if parts.nodes[top].flags.contains(.bridged) { parts.nodes.enlist(top) }
        for node in structuralSubtree(of: top) {
            parts.nodes.unmarkDead(node)
            if recordIndex(of: node) >= 0 { countValues(of: recordIndex(of: node), 1) }
        }
    }

    /// Takes a dead node out from under its living trait parent; below it everything is dead.
    private func bury(_ node: Int32) {
        let parent = parts.nodes.parent(of: node)
        let previous = detach(node)
        transaction.log.append(.buried(node: node, parent: parent, previous: previous))
    }

    /// A node and what is structurally below it, breadth first, as structural children have no
    /// order of their own.
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

/// A node to mark as deleted, and what is known of the facts in which its name takes part.
private struct Doomed: BitwiseCopyable {
    var node: Int32
    /// The hash of the trait parent's name.
    var parentName: UInt64
    /// The start of the order fact of the sibling behind the node; nil for a last child.
    var orderBehind: UInt64?
}
