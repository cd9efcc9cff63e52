// Making nodes.

extension Hierarchy {
    /// Makes a node. O(length of the identifier) amortised, and O(depth) where the tree gets
    /// deeper.
    ///
    /// - Parameters:
    ///   - parent: the structural parent, see `NodeKind.allowedParents`.
    ///   - controller: for a view, the controller that owns it.
    /// - Throws: `malformedIdentifier`, `nodeExists`, `limit`, `parentKind`, `controllerKind`,
    ///   `secondRootView`, `cycle`.
    public func createNode(
        _ identifier: UnsafeRawBufferPointer, kind: NodeKind, parent: NodeIndex? = nil,
        controller: NodeIndex? = nil, label: String? = nil
    ) throws(OperationError) -> NodeIndex {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        let hash = parts.nodes.names.hash(identifier)
        let parent = parent?.rawValue ?? 0
        try checkNewNode(identifier, hash)
        let controller = controller?.rawValue ?? -1
        if let label { try checkLabel(label) }
        if parent > 0 { try checkKind(kind, parent: parent) }
        if controller >= 0 { try checkController(controller, of: kind) }
        let trait =
            controller >= 0
            ? controller : traitParent(kind, structural: parent, peer: -1)
        if trait == parent, controller < 0, isCovered(parent) {
            let node = addNode(identifier, hash, kind, parent: parent)
            if let label { setLabel(node, label) }
            return NodeIndex(rawValue: node)
        }
        let levels = levels(ofParent: parent)
        if trait != parent {
            try checkBridged(levels.structural, parent: parent, controller: controller)
        } else if max(levels.trait, levels.structural) >= limits.depthMax {
            throw depthRefusal
        }
        let node = addNode(identifier, hash, kind, parent: trait)
        parts.nodes.levels.raise(trait: levels.trait + 1, structural: levels.structural + 1)
        if trait == parent {
            parts.nodes.levels.remember(child: node)
        } else {
            changingFact(of: node) { parts.nodes.addBridge(node, parent) }
        }
        if let label { setLabel(node, label) }
        if controller >= 0 {
            pair(node, controller)
            updateTraitParent(controller)
            parts.nodes.levels.raise(trait: self.level(of: node), structural: levels.structural + 1)
        }
        return NodeIndex(rawValue: node)
    }

    /// Makes a node named by a string; cost, parameters and errors as for the overload with bytes.
    public func createNode(
        _ identifier: String, kind: NodeKind, parent: NodeIndex? = nil,
        controller: NodeIndex? = nil, label: String? = nil
    ) throws(OperationError) -> NodeIndex {
        try identifier.withBytes { (bytes) throws(OperationError) in
            try createNode(bytes, kind: kind, parent: parent, controller: controller, label: label)
        }
    }

    // MARK: - Checks

    func checkNewNode(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash
    ) throws(OperationError) {
        if !IdentifierRules.isWellFormed(identifier, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(String(decoding: identifier, as: UTF8.self))
        }
        if findNode(identifier, hash) != nil {
            throw .nodeExists(String(decoding: identifier, as: UTF8.self))
        }
        if !parts.nodes.hasRoom(sizes.nodeSlotsMax), parts.nodes.hasReclaimable { reclaim(1) }
        if nodeCount >= limits.nodesMax || !parts.nodes.hasRoom(sizes.nodeSlotsMax) {
            throw .limit(name: "nodesMax", value: limits.nodesMax)
        }
    }

    func checkLabel(_ label: String) throws(OperationError) {
        if label.utf8.count > limits.labelBytesMax {
            throw .limit(name: "labelBytesMax", value: limits.labelBytesMax)
        }
    }

    func checkKind(_ kind: NodeKind, parent: Int32) throws(OperationError) {
        let parentKind = parts.nodes[parent].kind
        if !kind.mayStandBelow(parentKind) {
            throw .parentKind(child: kind, parent: parentKind)
        }
    }

    /// A view's controller must be one, and have no view yet.
    func checkController(_ controller: Int32, of kind: NodeKind) throws(OperationError) {
        let other = parts.nodes[controller].kind
        if kind != .view || other != .viewController {
            throw .controllerKind(node: kind, controller: other)
        }
        let view = peer(controller)
        if view >= 0 {
            throw .secondRootView(
                controller: parts.nodes.names.string(of: controller),
                view: parts.nodes.names.string(of: view))
        }
    }

    /// Checks a new node that does not inherit from its structural parent, and the controller of a
    /// new view.
    private func checkBridged(
        _ structural: Int, parent: Int32, controller: Int32
    ) throws(OperationError) {
        if structural >= limits.depthMax { throw depthRefusal }
        guard controller >= 0 else { return }
        // The view is not there yet: its controller moves to where the view will be.
        let its = structuralParent(controller)
        let target = traitParent(.viewController, structural: its, viewParent: parent)
        if target != parts.nodes.parent(of: controller) {
            try checkTraitMoves([Reparenting(node: controller, parent: target, structural: its)])
        }
        let below =
            target == parts.nodes.parent(of: controller)
            ? level(of: controller) : level(of: target) + 1
        if below >= limits.depthMax { throw depthRefusal }
    }

    /// Whether the heights show that a child of the node is no deeper than the bound of levels:
    /// then its levels need not be counted.
    private func isCovered(_ parent: Int32) -> Bool {
        if parent == 0 || parts.nodes.bridgedCount > 0 { return false }
        return parts.nodes.levels.isTight && parts.nodes.levels.trait < limits.depthMax
            && parts.nodes.raiseHeights(from: parent, to: 1)
    }

    // MARK: - Adding and freeing

    /// Adds a node that was checked as the last child of its trait parent.
    func addNode(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ kind: NodeKind,
        parent: Int32, isMarked: Bool = true
    ) -> Int32 {
        // Each creation reclaims two nodes, so that deleted nodes cannot accumulate.
        if parts.nodes.hasReclaimable { reclaim(2) }
        parts.nodes.raiseHeights(from: parent, to: 1)
        let node = parts.nodes.make(identifier, hash, kind, parent: parent)
        transaction.summary.createdAlive += 1
        transaction.summary.createdAny = true
        transaction.log.append(.created(node: node))
        let name = FactHash.hash(identifier)
        parts.digest.add(nodeFact(node, name))
        parts.digest.add(orderFact(node, name))
        layoutCreated(node, isMarked: isMarked)
        joinScopes(node)
        return node
    }

    func setLabel(_ node: Int32, _ label: String?) {
        touch(node)
        transaction.log.append(
            .labelled(node: node, label: parts.nodes.labelSlot(of: node)), holdsResources: true)
        changingFact(of: node) { parts.nodes.setLabel(node, label) }
    }

    /// Undoes the creation of a node that is still alive and has no children.
    func destroy(_ node: Int32) {
        parts.nodes.levels.loosen()
        parts.nodes.removeBridge(node)
        unlink(node)
        if recordIndex(of: node) >= 0 { countValues(of: recordIndex(of: node), -1) }
        parts.nodes.unmake(node)
        giveBack(node)
    }

    /// Frees everything that a node without a name holds; the node is in no list.
    func giveBack(_ node: Int32) {
        freeRecordOf(node)
        forgetLayout(node)
        if !parts.contentLimits.isEmpty { parts.contentLimits[node] = nil }
        parts.nodes.free(node)
    }
}
