// Moving nodes, and pairing views with controllers.

extension Hierarchy {
    /// Changes a node's structural parent, controller or label. O(depth of the old place
    /// and the new one), whatever hangs below.
    ///
    /// - Throws: `parentKind`, `controllerKind`, `secondRootView`, `cycle`, `limit`.
    public func updateNode(
        _ node: NodeIndex, parent: Change<NodeIndex> = .keep,
        controller: Change<NodeIndex> = .keep, label: Change<String> = .keep
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        let index = node.rawValue
        if case .set(let label) = label { try checkLabel(label) }
        let newParent = try newParent(index, parent)
        let newController = try newController(index, controller)
        let moves = try checkUpdate(index, newParent, newController)
        switch label {
        case .keep: break
        case .clear: if self.label(of: node) != nil { setLabel(index, nil) }
        case .set(let label):
            if self.label(of: node)?.utf8.elementsEqual(label.utf8) != true {
                setLabel(index, label)
            }
        }
        let keepsPeer = newController == peerOfView(index)
        if newParent == structuralParent(index), moves.isEmpty, keepsPeer { return }
        parts.nodes.levels.loosen()
        apply(index, newParent, newController, moves)
    }

    private func apply(
        _ node: Int32, _ parent: Int32, _ controller: Int32, _ moves: [Reparenting]
    ) {
        if parts.nodes[node].kind == .view { pair(node, controller) }
        place(moves)
        if structuralParent(node) != parent {
            place(node, structural: parent, trait: parts.nodes.parent(of: node))
        }
    }

    /// Gives nodes other parents in one step; new siblings get the order of the list. When a move
    /// would put a node below itself, because another node on the way has not moved yet, all
    /// remaining nodes lose their trait parent until they are moved. O(depth) each.
    func place(_ moves: [Reparenting]) {
        if moves.count < 2 {
            for move in moves { place(move.node, structural: move.structural, trait: move.parent) }
            return
        }
        for (position, move) in moves.enumerated() {
            if isTraitAncestor(move.node, of: move.parent) {
                for waiting in moves[position...] {
                    place(waiting.node, structural: structuralParent(waiting.node), trait: 0)
                }
            }
            place(move.node, structural: move.structural, trait: move.parent)
        }
    }

    /// Whether a node is the other one, or above it in the trait tree. O(depth).
    private func isTraitAncestor(_ node: Int32, of other: Int32) -> Bool {
        var index = other
        while index > 0, index != node { index = parts.nodes.parent(of: index) }
        return index > 0
    }

    // MARK: - Checks

    private func newParent(
        _ node: Int32, _ change: Change<NodeIndex>
    ) throws(OperationError) -> Int32 {
        switch change {
        case .keep: return structuralParent(node)
        case .clear: return 0
        case .set(let parent):
            try checkKind(parts.nodes[node].kind, parent: parent.rawValue)
            return parent.rawValue
        }
    }

    private func newController(
        _ node: Int32, _ change: Change<NodeIndex>
    ) throws(OperationError) -> Int32 {
        let current = peerOfView(node)
        switch change {
        case .keep: return current
        case .clear: return -1
        case .set(let controller):
            if controller.rawValue != current {
                try checkController(controller.rawValue, of: parts.nodes[node].kind)
            }
            return controller.rawValue
        }
    }

    private func peerOfView(_ node: Int32) -> Int32 {
        parts.nodes[node].kind == .view ? peer(node) : -1
    }

    /// The nodes that get another trait parent, checked for cycles and depth: those that the
    /// operation names, and then the controller that loses its view.
    private func checkUpdate(
        _ node: Int32, _ parent: Int32, _ controller: Int32
    ) throws(OperationError) -> [Reparenting] {
        if parent != structuralParent(node) {
            try checkStructuralCycle(node, parent)
            try checkStructuralMove(node, parent)
        }
        var moves: [Reparenting] = []
        let kind = parts.nodes[node].kind
        let oldController = peerOfView(node)
        let own =
            kind == .view
            ? (controller >= 0 ? controller : parent)
            : kind == .viewController
                ? traitParent(
                    kind, structural: parent,
                    viewParent: peer(node) < 0 ? 0 : structuralParent(peer(node)))
                : parent
        add(Reparenting(node: node, parent: own, structural: parent), to: &moves)
        if controller >= 0 {
            let structural = structuralParent(controller)
            let its = traitParent(.viewController, structural: structural, viewParent: parent)
            add(Reparenting(node: controller, parent: its, structural: structural), to: &moves)
        }
        if oldController >= 0, oldController != controller {
            let structural = structuralParent(oldController)
            let its = traitParent(.viewController, structural: structural, viewParent: 0)
            add(Reparenting(node: oldController, parent: its, structural: structural), to: &moves)
        }
        if !moves.isEmpty { try checkTraitMoves(moves) }
        return moves
    }

    private func add(_ move: Reparenting, to moves: inout [Reparenting]) {
        if parts.nodes.parent(of: move.node) != move.parent { moves.append(move) }
    }

    // MARK: - The rule of trait parents

    /// The node's trait parent for a given structural parent and peer; 0 for none.
    func traitParent(_ kind: NodeKind, structural: Int32, peer: Int32) -> Int32 {
        switch kind {
        case .view: peer >= 0 ? peer : structural
        case .viewController:
            traitParent(
                kind, structural: structural,
                viewParent: peer >= 0 ? structuralParent(peer) : 0)
        default: structural
        }
    }

    /// The trait parent of a controller whose view's structural parent is `viewParent`; 0 for none.
    ///
    /// Since iOS 17 that is the superview of its view. A controller whose view has no superview
    /// inherits from its own parent only if that is a window or a presentation controller. Before
    /// iOS 17 a controller always inherited from its own parent.
    func traitParent(_ kind: NodeKind, structural: Int32, viewParent: Int32) -> Int32 {
        guard kind == .viewController, propagation == .unified else { return structural }
        if viewParent > 0 { return viewParent }
        if structural == 0 { return 0 }
        let parentKind = parts.nodes[structural].kind
        return parentKind == .window || parentKind == .presentationController ? structural : 0
    }

    /// Moves a node below the trait parent that its structure implies.
    func updateTraitParent(_ node: Int32) {
        let structural = structuralParent(node)
        let trait = traitParent(
            parts.nodes[node].kind, structural: structural, peer: peer(node))
        if trait != parts.nodes.parent(of: node) {
            parts.nodes.levels.loosen()
            place(node, structural: structural, trait: trait)
        }
    }

    /// Whether the first node's identifier comes first, byte by byte.
    func hasLesserName(_ left: Int32, _ right: Int32) -> Bool {
        parts.nodes.names.withBytes(of: left) { left in
            parts.nodes.names.withBytes(of: right) { left.lexicographicallyPrecedes($0) }
        }
    }
}
