// Trait parents that a document leaves out or names before their nodes are there. They follow from the structure
// and from controllers, so they are set when all nodes, structural parents and controllers are known.

extension HierarchyRestorer {
    /// The best trait parent for a new node before its view or its controller is known. O(1).
    package func likelyParent(
        _ kind: NodeKind, parent: NodeIndex?, controller: NodeIndex?
    ) -> NodeIndex? {
        let likely = hierarchy.traitParent(
            kind, structural: parent?.rawValue ?? 0, peer: controller?.rawValue ?? -1)
        // Of a new controller the view is not known, so `peer` is none.
        return likely > 0 ? NodeIndex(rawValue: likely) : nil
    }

    /// The trait parent that follows from the structure and the controllers that were set. O(1).
    package func impliedParent(of node: NodeIndex) throws(OperationError) -> NodeIndex? {
        try check(node)
        let implied = impliedParent(node.rawValue)
        return implied > 0 ? NodeIndex(rawValue: implied) : nil
    }

    func impliedParent(_ node: Int32) -> Int32 {
        hierarchy.traitParent(
            hierarchy.parts.nodes[node].kind, structural: hierarchy.structuralParent(node),
            peer: hierarchy.peer(node))
    }

    /// Moves nodes below the trait parents that follow from the structure. Siblings stand in the order in which
    /// they were added. O(nodes) when any node moves, else O(nodes given).
    ///
    /// - Throws: `cycle`, `limit`; `invalidDefinition` for kept values of a node that inherits.
    package mutating func place(_ nodes: [NodeIndex]) throws(OperationError) {
        var moves: [(node: Int32, parent: Int32)] = []
        for node in nodes {
            try check(node)
            let parent = impliedParent(node.rawValue)
            if parent == hierarchy.parts.nodes.parent(of: node.rawValue) { continue }
            if parent > 0, hierarchy.hasKeptValues(node.rawValue) { throw keptRefusal(node) }
            moves.append((node.rawValue, parent))
        }
        if moves.isEmpty { return }
        try countLevels(moves)
        // A node may move below one that has not left it yet, so all moving nodes become roots first.
        for (node, _) in moves { hierarchy.placeRestored(node, below: 0, behind: nil) }
        moves.sort { ($0.parent, $0.node) < ($1.parent, $1.node) }
        var parent: Int32 = -1
        var previous: Int32 = -1
        for move in moves {
            if move.parent != parent { (parent, previous) = (move.parent, -1) }
            // Nodes are numbered as they are added, and so are the children that did not move.
            while let next = hierarchy.child(of: parent, behind: previous), next < move.node {
                previous = next
            }
            hierarchy.placeRestored(move.node, below: parent, behind: previous)
            previous = move.node
        }
    }

    /// The levels of all nodes as the moves will leave them. O(nodes).
    private mutating func countLevels(
        _ moves: [(node: Int32, parent: Int32)]
    ) throws(OperationError) {
        let hierarchy = hierarchy
        var parents = levels.indices.map { hierarchy.parts.nodes.parent(of: Int32($0)) }
        for (node, parent) in moves { parents[Int(node)] = parent }
        (levels, deepest) = try hierarchy.levels(of: parents)
        if deepest > hierarchy.limits.depthMax { throw hierarchy.depthRefusal }
    }
}

extension Hierarchy {
    /// By node, its level in a tree that the parents of all nodes describe, 1 for a root; and the deepest level.
    /// O(nodes).
    ///
    /// - Parameter parents: by node; 0 and less for none. The first entry belongs to no node.
    /// - Throws: `cycle`.
    func levels(of parents: [Int32]) throws(OperationError) -> (levels: [Int32], deepest: Int) {
        var levels = [Int32](repeating: 0, count: parents.count)
        var deepest = 0
        var way: [Int32] = []
        for start in parents.indices.dropFirst() where levels[start] == 0 {
            var node = Int32(start)
            while node > 0, levels[Int(node)] == 0 {
                levels[Int(node)] = -1
                way.append(node)
                node = parents[Int(node)]
            }
            if node > 0, levels[Int(node)] < 0 {
                let name = parts.nodes.names.string(of: node)
                throw .cycle(node: name, parent: name)
            }
            var level = node > 0 ? levels[Int(node)] : 0
            while let next = way.popLast() {
                level += 1
                levels[Int(next)] = level
            }
            deepest = max(deepest, Int(level))
        }
        return (levels, deepest)
    }

    /// The child of a trait parent behind another one, -1 for the first; nil for none. O(1).
    fileprivate func child(of parent: Int32, behind previous: Int32) -> Int32? {
        let next = previous < 0 ? firstChild(of: parent) : parts.nodes[previous].next
        return next < 0 ? nil : next
    }

    fileprivate func placeRestored(_ node: Int32, below parent: Int32, behind previous: Int32?) {
        let structural = structuralParent(node)
        changingFact(of: node) {
            parts.nodes.removeBridge(node)
            _ = relink(node, to: parent, behind: previous)
            parts.nodes.addBridge(node, structural)
        }
    }

    fileprivate func hasKeptValues(_ node: Int32) -> Bool {
        var hasKept = false
        forEachStoredValue(of: NodeIndex(rawValue: node)) { hasKept = hasKept || $0.layer == .kept }
        return hasKept
    }
}
