// How many levels hang below a node that moves: bounds where they suffice, else a walk, and an
// Euler tour once the walks of a transaction add up.

/// Which tree to measure.
enum MeasuredTree {
    /// Without nodes that move away at the same time.
    case trait(except: [Reparenting])
    case structural
}

extension Hierarchy {
    /// A height of the subtree that is never too small, and too large only where that refuses
    /// nothing. O(1), O(subtree), or O(log nodes) where there is a tour.
    func height(
        of node: Int32, from level: Int, to new: Int, bound: Int, _ tree: MeasuredTree
    ) throws(OperationError) -> Int {
        let room = limits.depthMax - new
        if room < 0 { throw depthRefusal }
        if links[node].last < 0, links[node].extra < 0 { return 0 }
        if let exact = tourHeight(of: node, tree) {
            if exact > room { throw depthRefusal }
            return exact
        }
        if case .trait = tree, heights[node] < NodeHeight.max {
            let height = Int(heights[node])
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
        if levels.movesSinceExact >= 1_000 {
            levels.movesSinceExact = 0
            measureEverything()
        }
        guard let exact = exactHeight(of: node, tree, stepsMax: .max), exact <= room else {
            throw depthRefusal
        }
        return exact
    }

    // MARK: - Walks

    /// The exact number of levels below the node; nil when finding out takes more steps than
    /// asked.
    private func exactHeight(of node: Int32, _ tree: MeasuredTree, stepsMax: Int) -> Int? {
        var level = 0
        var height = 0
        let steps = walk(below: node, tree, stepsMax: stepsMax) { _, isEntered in
            level += isEntered ? 1 : -1
            height = max(height, level)
        }
        if stepsMax == .max { levels.measuredNodes &+= steps + 1 }
        return steps > stepsMax ? nil : height
    }

    /// Goes through everything below a node; `visit` sees each node when it is entered and when it
    /// is left. Answers the links followed, which are more than `stepsMax` when the walk ended
    /// early.
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
        case .trait: hot[node].parent
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
        if case .structural = tree, links[node].flags.contains(.bridged) {
            steps &+= 1
            return extras[links[node].extra].structuralNext
        }
        let child = listed(links[node].next, tree, &steps, stepsMax)
        if child >= 0 { return child }
        return firstBridged(below: hot[node].parent, tree)
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
                if !links[child].flags.contains(.bridged) { return child }
            }
            child = links[child].next
        }
        return -1
    }

    private func firstBridged(below node: Int32, _ tree: MeasuredTree) -> Int32 {
        guard case .structural = tree, links[node].extra >= 0 else { return -1 }
        return extras[links[node].extra].structuralFirst
    }

    // MARK: - Bounds

    /// The bounds must also hold after everything that can be taken back was taken back.
    private func measureEverything() {
        levels.rememberFormer()
        measureBounds()
    }

    /// Makes the bounds exact. O(nodes).
    private func measureBounds() {
        levels.trait = exactHeight(of: 0, .trait(except: []), stepsMax: .max) ?? levels.trait
        levels.structural = exactHeight(of: 0, .structural, stepsMax: .max) ?? 0
        for node in structuralRootsElsewhere {
            let height = exactHeight(of: node, .structural, stepsMax: .max) ?? 0
            levels.structural = max(levels.structural, height + 1)
        }
    }

    /// Bridged nodes without a structural parent, which stand in no list of one. O(nodes).
    private var structuralRootsElsewhere: [Int32] {
        if bridgedCount == 0 { return [] }
        return (1..<Int32(truncatingIfNeeded: links.count)).filter { node in
            let flags = links[node].flags
            return flags.isDisjoint(with: [.dead, .free]) && flags.contains(.bridged)
                && structuralParent(node) == 0
        }
    }

    // MARK: - Tours

    /// The exact height by the tree's tour. Nil as long as the transaction has measured fewer nodes
    /// than making a tour would go through.
    private func tourHeight(of node: Int32, _ tree: MeasuredTree) -> Int? {
        switch tree {
        case .trait(let moves):
            if traitTour == nil, mayMakeTour { traitTour = makeTour(.trait(except: [])) }
            guard let tour = traitTour else { return nil }
            if moves.count < 2 { return tour.height(of: node) }
            return tour.height(of: node, without: moves.map(\.node)) { hot[$0].parent }
        case .structural:
            if structuralTour == nil, mayMakeTour { structuralTour = makeTour(.structural) }
            return structuralTour?.height(of: node)
        }
    }

    private var mayMakeTour: Bool {
        isInTransaction
            && levels.measuredNodes &- levels.measuredBefore >= min(sizes.measuredMax, nodeCount)
    }

    private func makeTour(_ tree: MeasuredTree) -> EulerTour {
        var places: ContiguousArray<Int32> = []
        places.reserveCapacity(2 * nodeCount + 2)
        func enter(_ node: Int32, _ isEntered: Bool) {
            places.append(isEntered ? EulerTour.opening(node) : EulerTour.closing(node))
        }
        enter(0, true)
        _ = walk(below: 0, tree, enter)
        if case .structural = tree {
            for node in structuralRootsElsewhere {
                enter(node, true)
                _ = walk(below: node, tree, enter)
                enter(node, false)
            }
        }
        enter(0, false)
        levels.measuredNodes &+= places.count / 2
        return EulerTour(places, nodeSlots: links.count)
    }

    /// The transaction ends, or is about to be taken back.
    func dropTours() {
        assert(isTrue(traitTour, .trait(except: [])) && isTrue(structuralTour, .structural))
        traitTour = nil
        structuralTour = nil
    }

    /// Whether a tour has the height of every node, for assertions. O(nodes × log nodes).
    private func isTrue(_ tour: EulerTour?, _ tree: MeasuredTree) -> Bool {
        guard let tour else { return true }
        var isTrue = true
        var below: [Int] = []
        func visit(_ node: Int32, _ isEntered: Bool) {
            if isEntered { return below.append(0) }
            let height = below.removeLast()
            if let above = below.popLast() { below.append(max(above, height + 1)) }
            if tour.height(of: node) != height { isTrue = false }
        }
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
        return isTrue
    }
}

extension EulerTour {
    /// The height of a node as if some nodes with everything below them were elsewhere.
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
