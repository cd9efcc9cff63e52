// Writes in a layout hierarchy. UIKit's scenes, windows and view controllers show a write at once, and
// their registrations are notified; what inherits from them follows in the next update. All other
// nodes only wait for an update.

/// What a node's own collection follows from.
struct NodeInputs: Equatable {
    struct Value: Equatable {
        let trait: UInt16
        let layer: Layer
        let value: TraitValue
    }

    var values: ContiguousArray<Value> = []
    var limits: [Int32] = []
}

extension Hierarchy {
    /// An input of the node is about to change. O(its values), once for all writes that show together.
    func noteInputs(_ node: Int32) {
        guard let layout, parts.nodes[node].kind.showsWrites,
            !layout.nodes[node].flags.contains(.written)
        else { return }
        layout.changes.inputs[node] = inputs(of: node)
    }

    private func inputs(of node: Int32) -> NodeInputs {
        var inputs = NodeInputs()
        let record = recordIndex(of: node)
        if record >= 0, parts.records[record].mask != 0 {
            var entries: ContiguousArray<RecordEntry> = []
            recordReader.entries(record, into: &entries)
            inputs.values = ContiguousArray(
                entries.map {
                    let trait = TraitIndex(rawValue: $0.trait)
                    return NodeInputs.Value(
                        trait: $0.trait, layer: $0.layer, value: value(from: $0.word, of: trait))
                })
        }
        let limits = parts.contentLimits[node] ?? ContentSizeLimits()
        inputs.limits = [limits.minimum, limits.maximum]
        return inputs
    }

    /// An input of the node changed: an override, a supplied value, a legacy input or a limit.
    func noteWrite(_ node: Int32) {
        guard let layout else { return }
        if !parts.nodes[node].kind.showsWrites { return mark(node) }
        if layout.nodes[node].flags.contains(.written) { return }
        layout.nodes.setWritten(node, true)
        layout.changes.written.append(node)
    }

    /// Makes scenes, windows and controllers show the writes to them. Called by the commit, and before an
    /// operation that reads what nodes show: the writes in between count as one, and those that leave the inputs of a
    /// node as they were are none.
    /// O(1) without such nodes; else O(their values), and O(nodes above them) for more than one.
    func showWrites() {
        guard let layout, !layout.changes.written.isEmpty else { return }
        let written = topDown(layout.changes.written)
        let before = layout.changes.inputs
        forgetWritten(layout)
        for node in written where isInUse(node) {
            restoreRevisions(of: node)
            // What waits above would come down with a fresh collection.
            if before[node] == inputs(of: node) { continue }
            if show(node, layout) { transaction.summary.updatesLayout = true }
        }
    }

    func forgetWritten(_ layout: LayoutState) {
        for node in layout.changes.written { layout.nodes.setWritten(node, false) }
        layout.changes.written.removeAll(keepingCapacity: layout.changes.written.count < 65_536)
        layout.changes.inputs = [:]
    }

    /// Gives a node the collection that follows from its inputs and from what its trait parent
    /// shows. Answers whether it is another one. A node that waits for an update goes on waiting: its
    /// trait parent may, too.
    private func show(_ node: Int32, _ layout: LayoutState) -> Bool {
        let frame = freshFrame(node, layout)
        let old = layout.nodes[node].shown
        if frame == old {
            releaseFrame(frame, layout)
            return false
        }
        logLayout(node, layout, replacesFrame: true)
        changingShown(node, layout) {
            // The frame stands on the parent's, so a later look could take it for an updated one.
            if isDue(node, layout) { layout.nodes.mark(node) }
            layout.clock.updates += 1
            take(frame, node, layout)
        }
        note(node, before: old, layout)
        for update in layout.updates { update.showed(node) }
        return true
    }

    /// The nodes without those that are gone, parents before children. O(nodes above them).
    private func topDown(_ nodes: ContiguousArray<Int32>) -> ContiguousArray<Int32> {
        if nodes.count < 2 { return nodes }
        var levels: [Int32: Int] = [0: 0]
        var path: ContiguousArray<Int32> = []
        for node in nodes where isInUse(node) {
            var index = node
            while levels[index] == nil {
                path.append(index)
                index = parts.nodes.parent(of: index)
            }
            var level = levels[index] ?? 0
            while let next = path.popLast() {
                level += 1
                levels[next] = level
            }
        }
        let ordered = nodes.enumerated().compactMap { position, node in
            levels[node].map { (level: $0, position: position, node: node) }
        }.sorted { ($0.level, $0.position) < ($1.level, $1.position) }
        return ContiguousArray(ordered.map(\.node))
    }
}

extension NodeKind {
    /// Whether nodes of the kind show a write at once in a layout hierarchy.
    package var showsWrites: Bool {
        self == .windowScene || self == .window || self == .viewController
    }
}
