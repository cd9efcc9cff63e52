// The number of levels below a node that moves: by bounds where they suffice, else by a walk.

/// Which tree to measure.
enum MeasuredTree {
    /// Without nodes that move away at the same time.
    case trait(except: [Reparenting])
    case structural
}

extension Hierarchy {
    /// An upper bound of the subtree's height; exact where a larger value would refuse the move.
    /// O(1) or O(subtree).
    func height(
        of node: Int32, from level: Int, to new: Int, bound: Int, _ tree: MeasuredTree
    ) throws(OperationError) -> Int {
        let room = limits.depthMax - new
        if room < 0 { throw depthRefusal }
        if parts.nodes[node].last < 0, parts.nodes[node].extra < 0 { return 0 }
        if case .trait = tree, parts.nodes.height(of: node) < NodeHeight.max {
            let height = Int(parts.nodes.height(of: node))
            if height <= room { return height }
        }
        let estimate = max(0, bound - level)
        if estimate <= room, new <= level { return estimate }
        // Small subtrees are measured, or every move down would raise the bound a little.
        if let exact = exactHeight(of: node, tree, stepsMax: 64) {
            if exact > room { throw depthRefusal }
            return exact
        }
        if estimate <= room { return estimate }
        guard let exact = exactHeight(of: node, tree, stepsMax: .max), exact <= room else {
            throw depthRefusal
        }
        return exact
    }

    // MARK: - Walks

    /// The exact number of levels below the node; nil when that takes more than `stepsMax` steps.
    private func exactHeight(of node: Int32, _ tree: MeasuredTree, stepsMax: Int) -> Int? {
        var level = 0
        var height = 0
        let steps = walk(below: node, tree, stepsMax: stepsMax) { _, isEntered in
            level += isEntered ? 1 : -1
            height = max(height, level)
        }
        if stepsMax == .max { parts.nodes.levels.countMeasured(steps + 1) }
        return steps > stepsMax ? nil : height
    }

    /// Walks everything below a node; `visit` is called when a node is entered and when it is left.
    /// Returns the number of links followed, more than `stepsMax` when the walk ended early.
    func walk(
        below top: Int32, _ tree: MeasuredTree, stepsMax: Int = .max,
        _ visit: (_ node: Int32, _ isEntered: Bool) -> Void
    ) -> Int {
        var steps = 0
        var node = top
        var next = firstChild(of: top, tree, &steps, stepsMax)
        while steps <= stepsMax {
            if next >= 0 {
                node = next
                visit(node, true)
                next = firstChild(of: node, tree, &steps, stepsMax)
            } else if node == top {
                break
            } else {
                visit(node, false)
                next = sibling(behind: node, tree, &steps, stepsMax)
                node = parent(of: node, tree)
            }
        }
        return steps
    }

    private func parent(of node: Int32, _ tree: MeasuredTree) -> Int32 {
        switch tree {
        case .trait: parts.nodes.parent(of: node)
        case .structural: structuralParent(node)
        }
    }

    private func firstChild(
        of node: Int32, _ tree: MeasuredTree, _ steps: inout Int, _ stepsMax: Int
    ) -> Int32 {
        let child = listed(firstChild(of: node), tree, &steps, stepsMax)
        if child >= 0 { return child }
        return firstBridged(below: node, tree)
    }

    private func sibling(
        behind node: Int32, _ tree: MeasuredTree, _ steps: inout Int, _ stepsMax: Int
    ) -> Int32 {
        if case .structural = tree, parts.nodes[node].flags.contains(.bridged) {
            steps &+= 1
            return parts.nodes.extra(of: node).structuralNext
        }
        let child = listed(parts.nodes[node].next, tree, &steps, stepsMax)
        if child >= 0 { return child }
        return firstBridged(below: parts.nodes.parent(of: node), tree)
    }

    /// The first of these trait siblings that belongs to the tree; below 0 for none.
    private func listed(
        _ first: Int32, _ tree: MeasuredTree, _ steps: inout Int, _ stepsMax: Int
    ) -> Int32 {
        var child = first
        while child >= 0, steps <= stepsMax {
            steps &+= 1
            switch tree {
            case .trait(let moves):
                if moves.isEmpty || !moves.contains(where: { $0.node == child }) { return child }
            case .structural:
                if !parts.nodes[child].flags.contains(.bridged) { return child }
            }
            child = parts.nodes[child].next
        }
        return -1
    }

    private func firstBridged(below node: Int32, _ tree: MeasuredTree) -> Int32 {
        guard case .structural = tree, parts.nodes[node].extra >= 0 else { return -1 }
        return parts.nodes.extra(of: node).structuralFirst
    }
}
