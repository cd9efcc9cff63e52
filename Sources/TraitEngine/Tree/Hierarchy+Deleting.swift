// Deleting: names are gone at once, memory later and in slices.

extension Hierarchy {
    /// Deletes a node and its structural subtree with their registrations. A view whose
    /// controller goes stays as a plain view, a controller whose view goes stays without one.
    /// O(subtree); its memory is given back later, see `reclaimSlice()`.
    ///
    /// - Throws: `cycle` when a view that loses its controller would inherit from itself, which
    ///   only the propagation before iOS 17 allows to come about. Nothing has changed then.
    public func deleteNode(_ node: NodeIndex) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        if bridgedCount > 0 { try checkSurvivors(of: node.rawValue) }
        levels.forget()
        let doomed = markDead(node.rawValue)
        log.append(.marked, node.rawValue)
        log.holdsResources = true
        var survivors: [Int32] = []
        if doomed.hasWatches || doomed.hasBridges {
            for index in doomed.nodes {
                endRegistrations(of: index, .nodeDeleted)
                let peer = peer(index)
                if peer >= 0, !links[peer].flags.contains(.dead) {
                    survivors.append(peer)
                    let view = links[index].kind == .view ? index : peer
                    pair(view, -1)
                }
            }
        }
        if survivors.count > 1 { survivors.sort(by: hasLesserName) }
        settle(survivors)
        for index in doomed.hasBridges ? doomed.nodes : [node.rawValue]
        where !links[hot[index].parent].flags.contains(.dead) {
            bury(index)
        }
        // The structural list of a living parent must not lead to the dead.
        if links[node.rawValue].flags.contains(.bridged) { delist(node.rawValue) }
    }

    /// Depth refuses no deletion, so the bound rises here even beyond the limit: before iOS 17 a
    /// view can come to lie deeper when it no longer inherits from its controller.
    private func settle(_ survivors: [Int32]) {
        let heights = survivors.map { max(0, levels.trait - level(of: $0)) }
        for survivor in survivors { settleTraitParent(survivor) }
        for (survivor, height) in zip(survivors, heights) {
            levels.trait = max(levels.trait, level(of: survivor) + height)
        }
    }

    /// Refuses to delete a node when what only loses its peer would come to inherit from itself.
    /// O(subtree), and O(depth) for each that loses its peer.
    private func checkSurvivors(of top: Int32) throws(OperationError) {
        var parents: [Int32: Int32] = [:]
        forEachInStructuralSubtree(top) { index in
            let peer = peer(index)
            if peer < 0 || isStructurally(peer, atOrBelow: top) { return }
            parents[peer] = traitParent(
                links[peer].kind, structural: structuralParent(peer), peer: -1)
        }
        for survivor in parents.keys.sorted() {
            var ancestor = survivor
            var steps = 0
            repeat {
                ancestor = parents[ancestor] ?? hot[ancestor].parent
                steps += 1
                if ancestor == survivor || steps > nodeCount {
                    throw .cycle(
                        node: identifiers.string(of: survivor),
                        parent: identifiers.string(of: parents[survivor] ?? 0))
                }
            } while ancestor > 0
        }
    }

    private func isStructurally(_ node: Int32, atOrBelow top: Int32) -> Bool {
        var index = node
        while index > 0, index != top { index = structuralParent(index) }
        return index == top
    }

    struct Doomed {
        /// All of them when there is more to do than marking; else empty.
        var nodes: [Int32] = []
        var hasWatches = false
        var hasBridges = false
    }

    /// Marks the structural subtree as deleted.
    private func markDead(_ top: Int32) -> Doomed {
        var doomed = Doomed()
        doomed.hasBridges = bridgedCount > 0
        doomed.hasWatches = links[top].watch >= 0
        if doomed.hasBridges || doomed.hasWatches {
            forEachInStructuralSubtree(top) {
                setDead($0, recordIndex(of: $0))
                doomed.nodes.append($0)
            }
        } else {
            setDead(top, recordIndex(of: top))
            markBelow(top)
        }
        return doomed
    }

    /// Marks what is below a node in the trait tree. Several lists of siblings are gone along at
    /// once: where nodes lie scattered, waiting for memory is nearly all there is to it.
    private func markBelow(_ top: Int32) {
        if links[top].last < 0 { return }
        var waiting = PlainBuffer<Int32>()
        waiting.append(links[top].last)
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { batch in
            while !waiting.isEmpty {
                var count = 0
                while count < batch.count, let node = waiting.popLast() {
                    batch.initializeElement(at: count, to: node)
                    count &+= 1
                }
                let nodes = UnsafeMutableBufferPointer(rebasing: batch[..<count])
                approachLinks(of: nodes)
                for node in nodes {
                    let link = links.reader.pointer(node)
                    if link.pointee.previous >= 0 { waiting.append(link.pointee.previous) }
                    if link.pointee.last >= 0 { waiting.append(link.pointee.last) }
                    setDead(node, recordIndex(of: node))
                }
            }
        }
    }

    @inline(__always)
    private func setDead(_ node: Int32, _ record: Int32) {
        links[node].flags.insert(.dead)
        nodeCount &-= 1
        deadCount &+= 1
        if links[node].flags.contains(.created) {
            journal.createdAlive &-= 1
        } else {
            journal.endsExisting = true
        }
        if record >= 0 { countValues(of: record, -1) }
    }

    /// Takes `markDead` back: the structure is again as it was then.
    func unmarkDead(_ top: Int32) {
        if links[top].flags.contains(.bridged) { enlist(top) }
        forEachInStructuralSubtree(top) { node in
            links[node].flags.remove(.dead)
            nodeCount += 1
            deadCount -= 1
            if recordIndex(of: node) >= 0 { countValues(of: recordIndex(of: node), 1) }
        }
    }

    /// Takes a dead node out from under its living trait parent; below it everything is dead.
    private func bury(_ node: Int32) {
        let parent = hot[node].parent
        let previous = detach(node)
        log.append(.buried, node, parent, previous)
    }

    /// Breadth first with a list, as structural children have no order of their own.
    private func forEachInStructuralSubtree(_ top: Int32, _ body: (Int32) -> Void) {
        var queue = [top]
        var position = 0
        while position < queue.count {
            let node = queue[position]
            position += 1
            body(node)
            forEachStructuralChild(node) { queue.append($0) }
        }
    }
}
