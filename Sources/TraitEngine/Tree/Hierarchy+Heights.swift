// The number of levels below a node that moves: by bounds where they suffice, else by a walk, and
// by an Euler tour once the walks of a transaction add up to the size of the tree.

/// Which tree to measure.
enum MeasuredTree {
    /// Without nodes that move away at the same time.
    case trait(except: [Reparenting])
    case structural
}

extension Hierarchy {
    /// An upper bound of the subtree's height; exact where a larger value would refuse the move.
    /// O(1), O(subtree), or O(log nodes) with a tour.
    func height(
        of node: Int32, from level: Int, to new: Int, bound: Int, _ tree: MeasuredTree
    ) throws(OperationError) -> Int {
        let room = limits.depthMax - new
        if room < 0 { throw depthRefusal }
        if parts.nodes[node].last < 0, parts.nodes[node].extra < 0 { return 0 }
        if let exact = tourHeight(of: node, tree) {
            if exact > room { throw depthRefusal }
            return exact
        }
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
    /// Answers the number of links followed, more than `stepsMax` when the walk ended early.
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

    // MARK: - Tours

    /// Bridged nodes without a structural parent, which stand in no list of one. O(nodes).
    private var structuralRootsElsewhere: [Int32] {
        if parts.nodes.bridgedCount == 0 { return [] }
        return livingNodes.filter {
            parts.nodes[$0].flags.contains(.bridged) && structuralParent($0) == 0
        }
    }

    /// The exact height by the tree's tour; nil until the transaction has measured as many nodes as
    /// making a tour would visit.
    private func tourHeight(of node: Int32, _ tree: MeasuredTree) -> Int? {
        switch tree {
        case .trait(let moves):
            if transaction.traitTour == nil, mayMakeTour {
                transaction.traitTour = makeTour(.trait(except: []))
            }
            guard let tour = transaction.traitTour else { return nil }
            if moves.count < 2 { return tour.height(of: node) }
            return tour.height(of: node, without: moves.map(\.node)) { parts.nodes.parent(of: $0) }
        case .structural:
            if transaction.structuralTour == nil, mayMakeTour {
                transaction.structuralTour = makeTour(.structural)
            }
            return transaction.structuralTour?.height(of: node)
        }
    }

    private var mayMakeTour: Bool {
        isInTransaction
            && parts.nodes.levels.measuredInTransaction >= min(sizes.measuredMax, nodeCount)
    }

    /// Calls `visit` for each node of a tree, entered and left, beginning with the one above all
    /// roots.
    private func visitTour(
        _ tree: MeasuredTree, _ visit: (_ node: Int32, _ isEntered: Bool) -> Void
    ) {
        visit(0, true)
        _ = walk(below: 0, tree, visit)
        if case .structural = tree {
            for node in structuralRootsElsewhere {
                visit(node, true)
                _ = walk(below: node, tree, visit)
                visit(node, false)
            }
        }
        visit(0, false)
    }

    private func makeTour(_ tree: MeasuredTree) -> EulerTour {
        var places: ContiguousArray<Int32> = []
        places.reserveCapacity(2 * nodeCount + 2)
        visitTour(tree) { node, isEntered in
            places.append(isEntered ? EulerTour.opening(node) : EulerTour.closing(node))
        }
        parts.nodes.levels.countMeasured(places.count / 2)
        return EulerTour(places, nodeSlots: parts.nodes.slotCount)
    }

    /// The transaction ends, or is about to be undone.
    func dropTours() {
        assert(
            isTrue(transaction.traitTour, .trait(except: []))
                && isTrue(transaction.structuralTour, .structural))
        transaction.traitTour = nil
        transaction.structuralTour = nil
    }

    /// Whether a tour has the height of every node, for assertions. O(nodes × log nodes).
    private func isTrue(_ tour: EulerTour?, _ tree: MeasuredTree) -> Bool {
        guard let tour else { return true }
        var isTrue = true
        var below: [Int] = []
        visitTour(tree) { node, isEntered in
            if isEntered { return below.append(0) }
            let height = below.removeLast()
            if let above = below.popLast() { below.append(max(above, height + 1)) }
            if tour.height(of: node) != height { isTrue = false }
        }
        return isTrue
    }
}

extension EulerTour {
    /// The height of a node without some subtrees.
    fileprivate func height(
        of node: Int32, without others: [Int32], _ parent: (Int32) -> Int32
    ) -> Int {
        let leaving = others.filter { $0 != node }
        for other in leaving { cut(other) }
        let height = height(of: node)
        for other in leaving.reversed() { insert(other, below: parent(other)) }
        return height
    }
}
