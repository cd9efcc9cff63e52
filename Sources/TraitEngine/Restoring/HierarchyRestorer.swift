// Makes a hierarchy from the facts that its state consists of, as they were read from a document.
// The facts are untrusted input. Contradictory facts are refused; no fact causes a trap.

/// Builds one hierarchy, in this order: definitions in catalogue order, nodes, each behind its trait
/// parent or moved there by `place`, their links, values and frames, registrations, scopes. Then `finish`.
///
/// O(facts) in all. After an error the restorer is good for nothing more.
package struct HierarchyRestorer: ~Copyable {
    /// Unchecked: the restorer alone refers to it, until `finish` gives it away.
    nonisolated(unsafe) let hierarchy: Hierarchy
    private let limits: HierarchyLimits
    /// By node: its level in the trait tree, 1 for a root. Walking up for each node instead would take O(depth).
    var levels: [Int32] = [0]
    var deepest = 0
    /// No fact may be newer than the state.
    var newestRevision: Int64 = 0
    /// By number, from 1 on.
    var frames: [Int32] = [0]
    /// Serials of deleted nodes whose values are shown, by name.
    var deleted: [String: UInt64] = [:]
    /// By node, the frame that it shows; -1 for what its trait parent shows.
    var shown: [Int32] = [-1]

    /// - Parameter enforcesLimits: false for a state that was admitted under other limits; these
    ///   then hold for what comes after.
    package init(
        propagation: Propagation = .unified, updates: UpdateMode = .immediate,
        limits: HierarchyLimits = .init(), hashSeed: UInt64, enforcesLimits: Bool = true,
        sizes: StructureSizes = .init(), hasSystemTraits: Bool = true
    ) {
        self.limits = limits.bounded
        hierarchy = Hierarchy(
            propagation: propagation, updates: updates,
            limits: enforcesLimits ? limits : .widest, hashSeed: hashSeed, sizes: sizes,
            hasSystemTraits: hasSystemTraits)
        hierarchy.begin()
        // Hidden registrations that follow from the facts count as made before this transaction.
        hierarchy.transaction.isUndoing = true
    }

    /// The memory that the hierarchy holds so far, in bytes. O(1).
    package var heldBytes: Int { hierarchy.heldBytes.total }

    /// To look up what was added.
    package var definitions: TraitDefinitions { hierarchy.definitions }
    package func node(_ identifier: UnsafeRawBufferPointer) -> NodeIndex? {
        hierarchy.node(identifier)
    }
    package func node(_ identifier: String) -> NodeIndex? { hierarchy.node(identifier) }

    // MARK: - Definitions

    /// - Throws: what `defineTrait` throws, and `duplicateIdentifier`.
    package func define(_ definition: TraitDefinition) throws(OperationError) -> TraitIndex {
        try refuseKnown(definition.key, hierarchy.definitions.index(of: definition.key) != nil)
        return try hierarchy.defineTrait(definition)
    }

    /// - Throws: what `defineEnvironmentKey` throws, and `duplicateIdentifier`.
    package func define(_ key: EnvironmentKey) throws(OperationError) {
        try refuseKnown(key.key, hierarchy.definitions.environmentKey(named: key.key) != nil)
        try hierarchy.defineEnvironmentKey(key)
    }

    /// - Throws: what `defineDynamic` throws, and `duplicateIdentifier`.
    package func define(_ value: DynamicValue) throws(OperationError) {
        try refuseKnown(
            value.name, hierarchy.definitions.named[value.kind][value.name] != nil)
        try hierarchy.defineDynamic(value)
    }

    private func refuseKnown(_ name: String, _ isKnown: Bool) throws(OperationError) {
        if isKnown { throw .duplicateIdentifier(name, takenBy: name) }
    }

    // MARK: - Nodes

    /// Adds a node as the last child of its trait parent. Its structural parent is the same until another is
    /// set. O(length) amortised.
    ///
    /// - Throws: `malformedIdentifier`, `nodeExists`, `limit`.
    package mutating func addNode(
        _ identifier: UnsafeRawBufferPointer, kind: NodeKind, label: String? = nil,
        traitParent: NodeIndex? = nil
    ) throws(OperationError) -> NodeIndex {
        let hash = hierarchy.parts.nodes.names.hash(identifier)
        try hierarchy.checkNewNode(identifier, hash)
        if let label { try hierarchy.checkLabel(label) }
        let parent = traitParent?.rawValue ?? 0
        if let traitParent { try check(traitParent) }
        let level = levels[Int(parent)] + 1
        if level > hierarchy.limits.depthMax { throw hierarchy.depthRefusal }
        let node = hierarchy.addNode(identifier, hash, kind, parent: parent, isMarked: false)
        // Nothing is deleted here, so nodes are numbered as they are added.
        levels.append(level)
        deepest = max(deepest, Int(level))
        if hierarchy.layout != nil { shown.append(-1) }
        if let label { hierarchy.setLabel(node, label) }
        return NodeIndex(rawValue: node)
    }

    /// Adds a node named by a string; cost and errors as for the overload with bytes.
    package mutating func addNode(
        _ identifier: String, kind: NodeKind, label: String? = nil, traitParent: NodeIndex? = nil
    ) throws(OperationError) -> NodeIndex {
        try identifier.withBytes { (bytes) throws(OperationError) in
            try addNode(bytes, kind: kind, label: label, traitParent: traitParent)
        }
    }

    /// Gives a node another structural parent than its trait parent, or none. O(1).
    ///
    /// - Throws: `parentKind`, `invalidDefinition` for a node that is not there. Cycles and depth
    ///   are checked at the end.
    package func setStructuralParent(
        _ node: NodeIndex, _ parent: NodeIndex?
    ) throws(OperationError) {
        try check(node)
        let hierarchy = hierarchy
        if let parent {
            try check(parent)
            try hierarchy.checkKind(hierarchy.kind(of: node), parent: parent.rawValue)
        }
        hierarchy.changingFact(of: node.rawValue) {
            hierarchy.parts.nodes.removeBridge(node.rawValue)
            hierarchy.parts.nodes.addBridge(node.rawValue, parent?.rawValue ?? 0)
        }
    }

    /// Gives a view the controller that owns it. O(1).
    ///
    /// - Throws: `controllerKind`, `secondRootView`, `invalidDefinition`.
    package func setController(
        _ view: NodeIndex, _ controller: NodeIndex
    ) throws(OperationError) {
        try check(view)
        try check(controller)
        let hierarchy = hierarchy
        try hierarchy.checkController(controller.rawValue, of: hierarchy.kind(of: view))
        if hierarchy.peer(view.rawValue) >= 0 {
            throw Self.refusal(hierarchy.identifier(of: view), "it has a controller already")
        }
        hierarchy.changingFact(of: view.rawValue) {
            hierarchy.parts.nodes.setPeer(view.rawValue, controller.rawValue)
        }
    }

    // MARK: - The end

    /// The hierarchy with everything that was added, at this revision: nothing to undo, ready for
    /// transactions. O(nodes).
    ///
    /// - Throws: `cycle`, `parentKind`, `limit`, and `invalidDefinition` for facts that contradict
    ///   each other: a trait parent that does not follow from the structure, a node of a layout
    ///   hierarchy that waits for nothing and shows something else than its values, a fact of
    ///   a later revision.
    package consuming func finish(revision: Int64) throws(OperationError) -> sending Hierarchy {
        if revision < newestRevision || revision < 0 {
            throw Self.refusal("revision \(revision)", "a fact is newer than the state")
        }
        try checkPlaces()
        if let layout = hierarchy.layout { try finishLayout(layout) }
        hierarchy.finishRestoring(limits, deepest: deepest, revision: revision)
        return hierarchy
    }

    /// Every trait parent has to follow from the structure.
    private func checkPlaces() throws(OperationError) {
        let hierarchy = hierarchy
        for node in 1..<Int32(hierarchy.parts.nodes.slotCount) {
            let structural = hierarchy.structuralParent(node)
            if structural > 0 {
                try hierarchy.checkKind(hierarchy.parts.nodes[node].kind, parent: structural)
            }
            if hierarchy.parts.nodes.parent(of: node) != impliedParent(node) {
                throw parentRefusal(NodeIndex(rawValue: node))
            }
        }
        if hierarchy.parts.nodes.bridgedCount > 0 { try checkStructure() }
    }

    /// Refuses structural cycles, and structural trees that are too deep. O(nodes).
    private func checkStructure() throws(OperationError) {
        let hierarchy = hierarchy
        let parents = (0..<Int32(hierarchy.parts.nodes.slotCount)).map(hierarchy.structuralParent)
        let deepest = try hierarchy.levels(of: parents).deepest
        if deepest > hierarchy.limits.depthMax { throw hierarchy.depthRefusal }
        hierarchy.parts.nodes.levels.raise(trait: 0, structural: deepest)
    }

    // MARK: - Checks

    func check(_ node: NodeIndex) throws(OperationError) {
        if !hierarchy.contains(node) {
            throw Self.refusal("node #\(node.rawValue)", "it was not added")
        }
    }

    /// The refusal of a trait parent that does not follow from the rest.
    package func parentRefusal(_ node: NodeIndex) -> OperationError {
        Self.refusal(
            hierarchy.identifier(of: node),
            "its trait parent does not follow from its structural parent and controller")
    }

    func keptRefusal(_ node: NodeIndex) -> OperationError {
        Self.refusal(
            hierarchy.identifier(of: node), "only the root of a detached tree keeps values")
    }

    mutating func checkRevision(_ revision: Int64) throws(OperationError) {
        if revision < 0 { throw Self.refusal("revision \(revision)", "it is below 0") }
        newestRevision = max(newestRevision, revision)
    }

    static func refusal(_ name: String, _ reason: String) -> OperationError {
        .invalidDefinition(key: name, reason: reason)
    }
}

extension HierarchyLimits {
    /// The widest limits that the engine's number formats allow.
    static var widest: HierarchyLimits {
        var limits = HierarchyLimits()
        for limit in all { limit.set(&limits, .max) }
        limits.identifierBytesMax = 65_535
        return limits
    }
}

extension Hierarchy {
    /// Closes the restorer's transaction as the state of a revision.
    fileprivate func finishRestoring(_ limits: HierarchyLimits, deepest: Int, revision: Int64) {
        parts.nodes.levels.raise(trait: deepest, structural: deepest)
        self.limits = limits
        parts.definitions.setLimits(limits)
        transaction.isUndoing = false
        closeTransaction()
        parts.revision = revision
        transaction.log.seal(revision, parts.digest.sums)
        acknowledge(through: revision)
    }
}
