// Cycles and depth: a move is refused before anything has changed.

/// A node that is about to get another trait parent, and the structural one it has then.
struct Reparenting {
    var node: Int32
    var parent: Int32
    var structural: Int32
}

extension Hierarchy {
    // MARK: - Cycles

    /// Refuses a structural parent at or below the node. O(depth).
    func checkStructuralCycle(_ node: Int32, _ parent: Int32) throws(OperationError) {
        var ancestor = parent
        while ancestor > 0 {
            if ancestor == node { throw cycle(node, parent) }
            ancestor = structuralParent(ancestor)
        }
    }

    private func cycle(_ node: Int32, _ parent: Int32) -> OperationError {
        .cycle(node: identifiers.string(of: node), parent: identifiers.string(of: parent))
    }

    /// The level that a node would have after all of the reparentings; refuses a cycle.
    /// A chain without a cycle is no longer than the tree is deep, once for each reparenting.
    private func level(
        of node: Int32, after moves: [Reparenting]
    ) throws(OperationError) -> Int {
        let stepsMax = (max(limits.depthMax, levels.trait) + 2) * (moves.count + 1)
        var index = node
        var level = 0
        while index > 0 {
            level += 1
            var parent = hot[index].parent
            for move in moves where move.node == index { parent = move.parent }
            if parent == node || level > stepsMax { throw cycle(node, parent) }
            index = parent
        }
        levels.walkedLevels &+= level
        return level
    }

    // MARK: - Depth

    /// Levels of a possible parent in both trees; 0 above the roots.
    func levels(ofParent parent: Int32) -> (trait: Int, structural: Int) {
        if let known = levels.known(parent) {
            levels.remember(parent: parent, known)
            return known
        }
        let trait = level(of: parent)
        let structural = bridgedCount == 0 ? trait : structuralLevel(of: parent)
        levels.remember(parent: parent, (trait, structural))
        return (trait, structural)
    }

    var depthRefusal: OperationError { .limit(name: "depthMax", value: limits.depthMax) }

    /// Refuses cycles and excessive depth in the trait tree. O(depth), and O(subtree) only when
    /// the bound cannot rule out that the limit is passed.
    func checkTraitMoves(_ moves: [Reparenting]) throws(OperationError) {
        for move in moves {
            let new = try level(of: move.node, after: moves)
            let height = try height(
                of: move.node, from: level(of: move.node), to: new, bound: levels.trait,
                .trait(except: moves))
            levels.trait = max(levels.trait, new + height)
        }
        levels.movesSinceExact += 1
    }

    /// Refuses excessive depth in the structural tree.
    func checkStructuralMove(_ node: Int32, _ parent: Int32) throws(OperationError) {
        // Without bridges both trees are one, and the trait tree is checked as well.
        if bridgedCount == 0, links[node].kind != .viewController { return }
        let new = (parent == 0 ? 0 : structuralLevel(of: parent)) + 1
        let height = try height(
            of: node, from: structuralLevel(of: node), to: new,
            bound: max(levels.structural, levels.trait), .structural)
        levels.structural = max(levels.structural, new + height)
    }

    /// Which tree to measure.
    private enum Measured {
        case trait(except: [Reparenting])
        case structural
    }

    /// A height of the subtree that is never too small, and too large only where that refuses
    /// nothing.
    private func height(
        of node: Int32, from level: Int, to new: Int, bound: Int, _ measured: Measured
    ) throws(OperationError) -> Int {
        let room = limits.depthMax - new
        if room < 0 { throw depthRefusal }
        if links[node].last < 0, links[node].extra < 0 { return 0 }
        if case .trait = measured, heights[node] < NodeHeight.max {
            let height = Int(heights[node])
            if height <= room { return height }
        }
        let estimate = max(0, bound - level)
        if estimate <= room, new <= level { return estimate }
        // Small subtrees are measured, or every move down would raise the bound a little.
        if let exact = exactHeight(of: node, measured, nodesMax: 64) {
            if exact > room { throw depthRefusal }
            return exact
        }
        if estimate <= room { return estimate }
        if levels.movesSinceExact >= 1_000 {
            levels.movesSinceExact = 0
            measureEverything()
        }
        guard let exact = exactHeight(of: node, measured, nodesMax: .max), exact <= room else {
            throw depthRefusal
        }
        return exact
    }

    /// The exact number of levels below the node, breadth first; nil for more nodes than asked.
    private func exactHeight(of node: Int32, _ measured: Measured, nodesMax: Int) -> Int? {
        var generation = [node]
        var visited = 0
        var height = -1
        while !generation.isEmpty {
            height += 1
            visited += generation.count
            if visited > nodesMax { return nil }
            var next: [Int32] = []
            for parent in generation where visited + next.count <= nodesMax {
                appendChildren(of: parent, measured, to: &next, max: nodesMax - visited + 1)
            }
            generation = next
        }
        if nodesMax == .max { levels.measuredNodes &+= visited }
        return height
    }

    private func appendChildren(
        of parent: Int32, _ measured: Measured, to list: inout [Int32], max: Int
    ) {
        var child = firstChild(of: parent)
        while child >= 0, list.count < max {
            switch measured {
            case .trait(let moves):
                if !moves.contains(where: { $0.node == child }) { list.append(child) }
            case .structural:
                if !links[child].flags.contains(.bridged) { list.append(child) }
            }
            child = links[child].next
        }
        guard case .structural = measured, links[parent].extra >= 0 else { return }
        child = extras[links[parent].extra].structuralFirst
        while child >= 0, list.count < max {
            list.append(child)
            child = extras[links[child].extra].structuralNext
        }
    }

    /// The bounds must also hold after everything that can be taken back was taken back.
    private func measureEverything() {
        levels.rememberFormer()
        measureBounds()
    }

    /// Makes the bounds exact. O(nodes).
    private func measureBounds() {
        levels.trait = exactHeight(of: 0, .trait(except: []), nodesMax: .max) ?? levels.trait
        levels.structural = exactHeight(of: 0, .structural, nodesMax: .max) ?? 0
        // Bridged nodes without a structural parent start trees of their own.
        for node in 1..<Int32(links.count)
        where links[node].flags.isDisjoint(with: [.dead, .free])
            && links[node].flags.contains(.bridged) && structuralParent(node) == 0
        {
            let height = exactHeight(of: node, .structural, nodesMax: .max) ?? 0
            levels.structural = max(levels.structural, height + 1)
        }
    }
}
