// Reading names, kinds and places of nodes.

extension Hierarchy {
    // MARK: - Names

    /// The node of that name. O(length of the name) expected.
    @inline(__always)
    public func node(_ identifier: UnsafeRawBufferPointer) -> NodeIndex? {
        findNode(identifier, parts.nodes.names.hash(identifier)).map(NodeIndex.init)
    }

    /// The node of that name. O(length of the name) expected.
    public func node(_ identifier: String) -> NodeIndex? {
        var identifier = identifier
        return identifier.withUTF8 { node(UnsafeRawBufferPointer($0)) }
    }

    /// Deleted nodes keep their names until they are reclaimed, so they are skipped.
    @inline(__always)
    func findNode(_ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash) -> Int32? {
        if !isIndexed { makeIndices() }
        if parts.nodes.deadCount == 0 {
            return parts.nodes.names.find(identifier, hash) { _ in true }
        }
        let links = parts.nodes.links
        return parts.nodes.names.find(identifier, hash) { !links[$0].flags.contains(.dead) }
    }

    /// The node's name. O(length).
    public func identifier(of node: NodeIndex) -> String {
        parts.nodes.names.string(of: node.rawValue)
    }

    /// The identifier's bytes, valid inside `body` only. O(1).
    public func withIdentifier<R, E: Error>(
        of node: NodeIndex, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try parts.nodes.names.withBytes(of: node.rawValue, body)
    }

    /// The identifier's bytes, valid until the hierarchy is changed. O(1).
    package func identifierBytes(of node: NodeIndex) -> UnsafeRawBufferPointer {
        parts.nodes.names.withBytes(of: node.rawValue) { $0 }
    }

    /// The node's label, if it has one. O(1).
    public func label(of node: NodeIndex) -> String? {
        parts.nodes.label(at: parts.nodes.labelSlot(of: node.rawValue))
    }

    /// The kind of environment that the node is. O(1).
    public func kind(of node: NodeIndex) -> NodeKind { parts.nodes[node.rawValue].kind }

    /// Whether the index stands for a node that is not deleted. O(1).
    public func contains(_ node: NodeIndex) -> Bool {
        let index = node.rawValue
        return index > 0 && Int(index) < parts.nodes.slotCount
            && parts.nodes[index].flags.isDisjoint(with: [.dead, .free])
    }

    // MARK: - Places

    /// The structural parent. O(1).
    public func parent(of node: NodeIndex) -> NodeIndex? {
        Self.handle(structuralParent(node.rawValue))
    }

    /// The controller that owns a view. O(1).
    public func controller(of view: NodeIndex) -> NodeIndex? {
        kind(of: view) == .view ? Self.handle(peer(view.rawValue)) : nil
    }

    /// The view that a controller owns. O(1).
    public func rootView(of controller: NodeIndex) -> NodeIndex? {
        kind(of: controller) == .viewController ? Self.handle(peer(controller.rawValue)) : nil
    }

    /// The node from which this one inherits. O(1).
    public func traitParent(of node: NodeIndex) -> NodeIndex? {
        Self.handle(parts.nodes.parent(of: node.rawValue))
    }

    static func handle(_ index: Int32) -> NodeIndex? {
        index > 0 ? NodeIndex(rawValue: index) : nil
    }

    /// Levels of the trait tree above the node: 0 for a root. O(depth).
    public func depth(of node: NodeIndex) -> Int { level(of: node.rawValue) - 1 }

    /// The node at the upper end of the node's chain of trait parents. O(depth).
    public func traitRoot(of node: NodeIndex) -> NodeIndex {
        let hot = parts.nodes.hot
        var index = node.rawValue
        while hot[index].parent > 0 { index = hot[index].parent }
        return NodeIndex(rawValue: index)
    }

    /// Detached when the chain of trait parents ends neither at a window scene, a window nor a plain
    /// environment; pending while the node or one that it inherits from waits for an update.
    /// O(depth).
    public func state(of node: NodeIndex) -> NodeState {
        if !isAttached(node) { return .detached }
        if let layout, isPending(node.rawValue, layout) { return .pending }
        return .current
    }

    /// Whether the chain of trait parents ends at a window scene, a window or a plain environment.
    /// O(depth).
    public func isAttached(_ node: NodeIndex) -> Bool { isRootKind(traitRoot(of: node).rawValue) }

    /// Whether a node is another one or inherits from it. O(depth).
    public func inherits(_ node: NodeIndex, from other: NodeIndex) -> Bool {
        let hot = parts.nodes.hot
        var index = node.rawValue
        while index > 0, index != other.rawValue { index = hot[index].parent }
        return index > 0
    }

    /// Whether the node itself waits for an update; what inherits from it is pending then too.
    /// O(1).
    public func waitsForUpdate(_ node: NodeIndex) -> Bool {
        layout.map { isDue(node.rawValue, $0) } ?? false
    }

    /// Whether the node, without a trait parent, is the root of an attached tree.
    func isRootKind(_ node: Int32) -> Bool {
        let kind = parts.nodes[node].kind
        return kind == .windowScene || kind == .window || kind == .environment
    }

    /// 0 for none.
    @inline(__always)
    func structuralParent(_ node: Int32) -> Int32 {
        let link = parts.nodes[node]
        return link.flags.contains(.bridged)
            ? parts.nodes.extra(at: link.extra).structuralParent : parts.nodes.parent(of: node)
    }

    /// -1 for none.
    @inline(__always)
    func peer(_ node: Int32) -> Int32 {
        let extra = parts.nodes[node].extra
        return extra < 0 ? -1 : parts.nodes.extra(at: extra).peer
    }

    /// The level in the trait tree, 1 for a root. O(depth).
    func level(of node: Int32) -> Int {
        let hot = parts.nodes.hot
        var index = node
        var level = 0
        while index > 0 {
            level &+= 1
            index = hot[index].parent
        }
        parts.nodes.levels.countWalked(level)
        return level
    }

    /// The level in the structural tree, 1 for a root. O(depth).
    func structuralLevel(of node: Int32) -> Int {
        if parts.nodes.bridgedCount == 0 { return level(of: node) }
        var index = node
        var level = 0
        while index > 0 {
            level += 1
            index = structuralParent(index)
        }
        return level
    }
}
