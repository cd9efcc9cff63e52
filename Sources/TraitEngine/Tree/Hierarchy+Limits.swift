// Cycles and depth: a move is refused before anything has changed. `Hierarchy+Heights.swift` finds
// out how much hangs below a moved node.

/// A node that is about to get another trait parent, and the structural one it has then.
struct Reparenting {
    var node: Int32
    var parent: Int32
    var structural: Int32
}

extension Hierarchy {
    /// Refuses a structural parent at or below the node. O(depth).
    func checkStructuralCycle(_ node: Int32, _ parent: Int32) throws(OperationError) {
        var ancestor = parent
        while ancestor > 0 {
            if ancestor == node { throw cycle(node, parent) }
            ancestor = structuralParent(ancestor)
        }
    }

    private func cycle(_ node: Int32, _ parent: Int32) -> OperationError {
        .cycle(
            node: parts.nodes.names.string(of: node), parent: parts.nodes.names.string(of: parent))
    }

    /// The level that a node would have after all of the reparentings; refuses a cycle.
    /// A chain without a cycle is no longer than the tree is deep, once for each reparenting.
    private func level(
        of node: Int32, after moves: [Reparenting]
    ) throws(OperationError) -> Int {
        let stepsMax = (max(limits.depthMax, parts.nodes.levels.trait) + 2) * (moves.count + 1)
        var index = node
        var level = 0
        while index > 0 {
            level += 1
            var parent = parts.nodes.parent(of: index)
            for move in moves where move.node == index { parent = move.parent }
            if parent == node || level > stepsMax { throw cycle(node, parent) }
            index = parent
        }
        parts.nodes.levels.countWalked(level)
        return level
    }

    /// Levels of a possible parent in both trees; 0 above the roots.
    func levels(ofParent parent: Int32) -> (trait: Int, structural: Int) {
        if let known = parts.nodes.levels.known(parent) {
            parts.nodes.levels.remember(parent: parent, known)
            return known
        }
        let trait = level(of: parent)
        let structural = parts.nodes.bridgedCount == 0 ? trait : structuralLevel(of: parent)
        parts.nodes.levels.remember(parent: parent, (trait, structural))
        return (trait, structural)
    }

    var depthRefusal: OperationError { .limit(name: "depthMax", value: limits.depthMax) }

    /// Refuses cycles and excessive depth in the trait tree. O(depth), and what `height` costs.
    func checkTraitMoves(_ moves: [Reparenting]) throws(OperationError) {
        for move in moves {
            let new = try level(of: move.node, after: moves)
            let height = try height(
                of: move.node, from: level(of: move.node), to: new, bound: parts.nodes.levels.trait,
                .trait(except: moves))
            parts.nodes.levels.raise(trait: new + height)
        }
    }

    /// Refuses excessive depth in the structural tree.
    func checkStructuralMove(_ node: Int32, _ parent: Int32) throws(OperationError) {
        // Without bridges both trees are one, and the trait tree is checked as well.
        if parts.nodes.bridgedCount == 0, parts.nodes[node].kind != .viewController { return }
        let new = (parent == 0 ? 0 : structuralLevel(of: parent)) + 1
        let height = try height(
            of: node, from: structuralLevel(of: node), to: new,
            bound: max(parts.nodes.levels.structural, parts.nodes.levels.trait), .structural)
        parts.nodes.levels.raise(structural: new + height)
    }
}
