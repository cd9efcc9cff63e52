// What must hold after every commit, as code: tests call it, nothing else does.

/// The first broken invariant.
public struct InvariantError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

extension Hierarchy {
    /// Checks every structure against every other, outside of transactions. O(everything).
    ///
    /// - Throws: the first thing found wrong.
    public func checkInvariants() throws(InvariantError) {
        try require(!isInTransaction, "a transaction is open")
        try checkTraitTree()
        try checkNodeLists()
        try checkStructure()
        try checkNames()
        try checkRecords()
        try checkTops()
        try checkWatchNodes()
        try checkRegistrations()
        try checkReferences()
        try checkLayout()
        try checkScopes()
        try checkDynamics()
        try checkDigest()
    }

    /// The digest that was kept is that of the state, and so are those of frames.
    private func checkDigest() throws(InvariantError) {
        for (frame, digest) in freshFrameDigests() {
            try require(
                records[frame].digest == digest,
                "the digest of a frame of \(name(records[frame].node)) is not that of its values")
        }
        let (kept, fresh) = (digest, recomputedDigest())
        try require(kept == fresh, "the digest is \(kept), that of the state \(fresh)")
        try require(
            definitionSums == definitionsDigest(), "the digest of the definitions is another")
    }

    func require(
        _ condition: Bool, _ message: @autoclosure () -> String
    ) throws(InvariantError) {
        if !condition { throw InvariantError(description: message()) }
    }

    /// Nodes that are neither deleted nor free; without the one above all roots.
    var livingNodes: [Int32] {
        (1..<Int32(truncatingIfNeeded: max(links.count, 1))).filter {
            links[$0].flags.isDisjoint(with: [.dead, .free])
        }
    }

    func name(_ node: Int32) -> String {
        node == 0 ? "the node above all roots" : "node \(identifiers.string(of: node))"
    }

    // MARK: - The trait tree

    private func checkTraitTree() throws(InvariantError) {
        var visited = 0
        var level = 0
        var node: Int32 = 0
        while true {
            let first = firstChild(of: node)
            if first >= 0 {
                try checkSiblings(of: node)
                node = first
                level += 1
                visited += 1
                try require(
                    level <= levels.trait, "\(name(node)) at level \(level) is below the bound")
                continue
            }
            while node != 0, links[node].next < 0 {
                node = hot[node].parent
                level -= 1
            }
            if node == 0 { break }
            node = links[node].next
            visited += 1
        }
        try require(
            visited == nodeCount, "\(visited) nodes in the tree, \(nodeCount) counted")
    }

    private func checkSiblings(of parent: Int32) throws(InvariantError) {
        let first = firstChild(of: parent)
        var child = first
        var previous: Int32 = -1
        while child >= 0 {
            try require(hot[child].parent == parent, "\(name(child)) has another parent")
            try require(
                parent == 0 || heights[parent] == NodeHeight.max
                    || heights[parent] > heights[child],
                "\(name(parent)) is taken to be too low")
            let flags = links[child].flags
            try require(
                flags.isDisjoint(with: [.dead, .free, .touched, .created]),
                "\(name(child)) has flags \(flags.rawValue)")
            try require(links[child].previous == previous, "\(name(child)) has no way back")
            previous = child
            child = links[child].next
        }
        try require(
            links[parent].last == previous && links[previous].next == ~first,
            "\(name(parent)) lost its last child")
    }

    private func checkNodeLists() throws(InvariantError) {
        var free = 0
        var node = freeNode
        while node >= 0 {
            try require(links[node].flags == .free, "a node in the free list is in use")
            free += 1
            node = links[node].next
        }
        let dead = (1..<Int32(links.count)).count { links[$0].flags.contains(.dead) }
        try require(dead == deadCount, "\(dead) dead nodes, \(deadCount) counted")
        try require(
            free + dead + nodeCount + 1 == links.count, "nodes leaked from \(links.count)")
        try require(
            hot.count == links.count && recordIndices.count == links.count
                && heights.count == links.count,
            "two lengths of nodes")
    }

    // MARK: - The structural tree

    private func checkStructure() throws(InvariantError) {
        var bridged: [Int32: Int] = [:]
        for node in livingNodes {
            let structural = structuralParent(node)
            let isBridged = links[node].flags.contains(.bridged)
            try require(
                isBridged == (structural != hot[node].parent), "\(name(node)): wrong bridge")
            if structural > 0 {
                try require(
                    links[node].kind.mayStandBelow(links[structural].kind),
                    "\(name(node)) may not stand there")
                if isBridged { bridged[structural, default: 0] += 1 }
            }
            try checkPeer(node)
            let expected = traitParent(
                links[node].kind, structural: structural, peer: peer(node))
            try require(hot[node].parent == expected, "\(name(node)) inherits from elsewhere")
            try checkStructuralLevel(node)
        }
        for node in livingNodes {
            var listed = 0
            var child =
                links[node].extra < 0 ? -1 : extras[links[node].extra].structuralFirst
            while child >= 0 {
                try require(
                    structuralParent(child) == node && links[child].flags.contains(.bridged),
                    "\(name(child)) is in the wrong list")
                listed += 1
                child = extras[links[child].extra].structuralNext
            }
            try require(listed == bridged[node] ?? 0, "\(name(node)): a bridged child is lost")
        }
        let all = (1..<Int32(links.count)).count { links[$0].flags.contains(.bridged) }
        try require(all == bridgedCount, "\(all) bridged nodes, \(bridgedCount) counted")
    }

    private func checkPeer(_ node: Int32) throws(InvariantError) {
        let peer = peer(node)
        if peer < 0 { return }
        let kinds = Set([links[node].kind, links[peer].kind])
        try require(kinds == [.view, .viewController], "\(name(node)) has a peer")
        try require(self.peer(peer) == node, "\(name(node)): its peer has another")
        try require(!links[peer].flags.contains(.dead), "\(name(node)): its peer is dead")
    }

    private func checkStructuralLevel(_ node: Int32) throws(InvariantError) {
        let bound = max(levels.structural, levels.trait)
        var level = 0
        var index = node
        while index > 0 {
            level += 1
            try require(level <= bound, "\(name(node)) is structurally below the bound")
            index = structuralParent(index)
        }
    }

    private func checkNames() throws(InvariantError) {
        if !isIndexed { makeIndices() }
        try require(
            identifiers.count == nodeCount + deadCount, "\(identifiers.count) names of nodes")
        for fault in [identifiers.fault, registrationNames.fault] {
            try require(fault == nil, "index of names: \(fault ?? "")")
        }
        for node in livingNodes {
            let found = identifiers.withBytes(of: node) { self.node($0) }
            try require(found?.rawValue == node, "\(name(node)) is not found")
        }
    }
}
