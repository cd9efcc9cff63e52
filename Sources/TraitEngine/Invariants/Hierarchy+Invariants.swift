// Invariants that hold after every commit. Only tests check them.

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
                parts.records[frame].digest == digest,
                "the digest of a frame of \(name(parts.records[frame].node)) is not that of its values"
            )
        }
        let (kept, fresh) = (digest, recomputedDigest())
        try require(kept == fresh, "the digest is \(kept), that of the state \(fresh)")
        try require(
            parts.digest.definitions == definitionsDigest(),
            "the digest of the definitions is another")
    }

    func require(
        _ condition: Bool, _ message: @autoclosure () -> String
    ) throws(InvariantError) {
        if !condition { throw InvariantError(description: message()) }
    }

    /// Nodes that are neither deleted nor free; without the one above all roots.
    var livingNodes: [Int32] {
        (1..<Int32(truncatingIfNeeded: max(parts.nodes.slotCount, 1))).filter {
            parts.nodes[$0].flags.isDisjoint(with: [.dead, .free])
        }
    }

    func name(_ node: Int32) -> String {
        node == 0 ? "the node above all roots" : "node \(parts.nodes.names.string(of: node))"
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
                    level <= parts.nodes.levels.trait,
                    "\(name(node)) at level \(level) is below the bound")
                continue
            }
            while node != 0, parts.nodes[node].next < 0 {
                node = parts.nodes.parent(of: node)
                level -= 1
            }
            if node == 0 { break }
            node = parts.nodes[node].next
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
            try require(
                parts.nodes.parent(of: child) == parent, "\(name(child)) has another parent")
            try require(
                parent == 0 || parts.nodes.height(of: parent) == NodeHeight.max
                    || parts.nodes.height(of: parent) > parts.nodes.height(of: child),
                "\(name(parent)) is taken to be too low")
            let flags = parts.nodes[child].flags
            try require(
                flags.isDisjoint(with: [.dead, .free, .touched, .created]),
                "\(name(child)) has flags \(flags.rawValue)")
            try require(
                parts.nodes[child].previous == previous, "\(name(child)) has no way back")
            previous = child
            child = parts.nodes[child].next
        }
        try require(
            parts.nodes[parent].last == previous
                && parts.nodes[previous].next == ~first,
            "\(name(parent)) lost its last child")
    }

    /// Counts and lists of nodes, with the labels that nodes and the undo log hold.
    private func checkNodeLists() throws(InvariantError) {
        var labelled = 0
        for node in 1..<Int32(max(parts.nodes.slotCount, 1))
        where parts.nodes.labelSlot(of: node) >= 0 {
            labelled += 1
        }
        for case .labelled(_, let label) in transaction.log.remaining where label >= 0 {
            labelled += 1
        }
        let fault = parts.nodes.fault(labelled: labelled, isSnapshot: isFrozen)
        try require(fault == nil, fault ?? "")
    }

    // MARK: - The structural tree

    private func checkStructure() throws(InvariantError) {
        var bridged: [Int32: Int] = [:]
        for node in livingNodes {
            let structural = structuralParent(node)
            let isBridged = parts.nodes[node].flags.contains(.bridged)
            try require(
                isBridged == (structural != parts.nodes.parent(of: node)),
                "\(name(node)): wrong bridge")
            if structural > 0 {
                try require(
                    parts.nodes[node].kind.mayStandBelow(parts.nodes[structural].kind),
                    "\(name(node)) may not stand there")
                if isBridged { bridged[structural, default: 0] += 1 }
            }
            try checkPeer(node)
            let expected = traitParent(
                parts.nodes[node].kind, structural: structural, peer: peer(node))
            try require(
                parts.nodes.parent(of: node) == expected, "\(name(node)) inherits from elsewhere")
            try checkStructuralLevel(node)
        }
        for node in livingNodes {
            var listed = 0
            var child =
                parts.nodes[node].extra < 0
                ? -1 : parts.nodes.extra(of: node).structuralFirst
            while child >= 0 {
                try require(
                    structuralParent(child) == node
                        && parts.nodes[child].flags.contains(.bridged),
                    "\(name(child)) is in the wrong list")
                listed += 1
                child = parts.nodes.extra(of: child).structuralNext
            }
            try require(listed == bridged[node] ?? 0, "\(name(node)): a bridged child is lost")
        }
    }

    private func checkPeer(_ node: Int32) throws(InvariantError) {
        let peer = peer(node)
        if peer < 0 { return }
        let kinds = Set([parts.nodes[node].kind, parts.nodes[peer].kind])
        try require(kinds == [.view, .viewController], "\(name(node)) has a peer")
        try require(self.peer(peer) == node, "\(name(node)): its peer has another")
        try require(
            !parts.nodes[peer].flags.contains(.dead), "\(name(node)): its peer is dead")
    }

    private func checkStructuralLevel(_ node: Int32) throws(InvariantError) {
        let bound = max(parts.nodes.levels.structural, parts.nodes.levels.trait)
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
        try checkNodeLists()
        for node in livingNodes {
            let found = parts.nodes.names.withBytes(of: node) { self.node($0) }
            try require(found?.rawValue == node, "\(name(node)) is not found")
        }
    }
}
