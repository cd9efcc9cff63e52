// Marks: which nodes of a layout hierarchy wait for an update.

extension Hierarchy {
    /// A node was made.
    func layoutCreated(_ node: Int32, isMarked: Bool) {
        guard let layout else { return }
        layout.nodes.add(node)
        parts.digest.add(shownFact(node, layout))
        if isMarked { mark(node) }
    }

    /// The node's inputs or its place changed.
    func mark(_ node: Int32, isMoved: Bool = false) {
        guard let layout else { return }
        if !layout.nodes[node].flags.contains(.marked) || isMoved {
            logLayout(node, layout)
            changingShown(node, layout) { layout.nodes.mark(node) }
            // Where it is now, no pass has been.
            if isMoved { layout.nodes.setSeen(node, 0) }
            linkMarked(node, layout)
        }
        for update in layout.updates { update.marked(node) }
    }

    /// The node inherits from elsewhere. A tree that is detached by this keeps what it inherited
    /// last; one that is attached to another keeps nothing.
    func layoutMoved(_ node: Int32, from old: Int32, to new: Int32) {
        guard let layout else { return }
        layout.clock.moves += 1
        if !isRootKind(node) {
            if new == 0 {
                keepShown(node, layout)
            } else if old == 0 {
                dropKeptValues(at: node)
            }
        }
        mark(node, isMoved: true)
    }

    /// Logs a node before its marks or its frame change. The log takes over the frame's reference
    /// when `replacesFrame`.
    func logLayout(_ node: Int32, _ layout: LayoutState, replacesFrame: Bool = false) {
        guard isInTransaction else { return }
        let cell = layout.nodes[node]
        let before = ReplacedLayout(
            changed: cell.changed, seen: cell.seen, node: node,
            frame: replacesFrame ? cell.shown : -1, flags: cell.flags.intersection(.state))
        transaction.log.append(.layout(before), holdsResources: replacesFrame)
    }

    /// Restores what `logLayout` stored.
    func restoreLayout(_ before: ReplacedLayout) {
        guard let layout else { return }
        let node = before.node
        if before.frame >= 0 { releaseFrame(layout.nodes[node].shown, layout) }
        layout.nodes.restore(before)
        updateMarks(node, layout)
    }

    /// Frees what the layout holds of a node that is in no list.
    func forgetLayout(_ node: Int32) {
        guard let layout else { return }
        releaseFrame(layout.nodes[node].shown, layout)
        if !layout.caches.seenChildren.isEmpty { layout.caches.seenChildren[node] = nil }
        layout.nodes.remove(node)
    }

    // MARK: - The tree of marks

    /// Puts a node and those above it into their parents' lists. O(levels that were not there).
    func linkMarked(_ node: Int32, _ layout: LayoutState) {
        var child = node
        while child > 0, !layout.nodes[child].flags.contains(.linked) {
            let parent = parts.nodes.parent(of: child)
            // Attached roots come before detached ones, so that an update of all attached nodes
            // does not visit the others.
            layout.nodes.link(child, below: parent, isFirst: parent == 0 && isRootKind(child))
            child = parent
        }
    }

    /// Removes nodes without marks at or below them from the lists, from this one up.
    func pruneMarked(_ node: Int32, _ layout: LayoutState) {
        var child = node
        while child > 0 {
            let cell = layout.nodes[child]
            if !cell.flags.contains(.linked) || cell.first >= 0
                || !cell.flags.isDisjoint(with: .state)
            {
                return
            }
            let parent = parts.nodes.parent(of: child)
            layout.nodes.unlink(child, from: parent)
            child = parent
        }
    }

    func updateMarks(_ node: Int32, _ layout: LayoutState) {
        if layout.nodes[node].flags.isDisjoint(with: .state) {
            pruneMarked(node, layout)
        } else {
            linkMarked(node, layout)
        }
    }

    /// A node is about to leave its trait parent.
    func unlinkMarks(of node: Int32) {
        guard let layout, layout.nodes[node].flags.contains(.linked) else { return }
        let parent = parts.nodes.parent(of: node)
        layout.nodes.unlink(node, from: parent)
        pruneMarked(parent, layout)
    }

    /// A node got a trait parent.
    func linkMarks(of node: Int32) {
        guard let layout else { return }
        let cell = layout.nodes[node]
        if cell.first >= 0 || !cell.flags.isDisjoint(with: .state) { linkMarked(node, layout) }
    }

    // MARK: - Waiting nodes

    /// Whether the node itself has to be updated, once everything above it is up to date.
    func isDue(_ node: Int32, _ layout: LayoutState) -> Bool {
        let cell = layout.nodes[node]
        if cell.flags.contains(.marked) { return true }
        let parent = layout.nodes[parts.nodes.parent(of: node)]
        return parent.flags.contains(.outdated) && cell.seen < parent.changed
    }

    /// Whether the node or one that it inherits from waits for an update. O(depth).
    func isPending(_ node: Int32, _ layout: LayoutState) -> Bool {
        var index = node
        while index > 0 {
            if isDue(index, layout) { return true }
            index = parts.nodes.parent(of: index)
        }
        return false
    }

    /// Whether the node or a node below it waits. Marks that have gone stale are followed:
    /// O(these nodes and their children).
    func hasWaiting(_ node: Int32, _ layout: LayoutState) -> Bool {
        if isDue(node, layout) { return true }
        var marked: ContiguousArray<Int32> = []
        if layout.nodes[node].flags.contains(.linked) { marked.append(node) }
        while let index = marked.popLast() {
            let cell = layout.nodes[index]
            if cell.flags.contains(.marked) { return true }
            if cell.flags.contains(.outdated), hasWaitingChild(index, layout) { return true }
            var child = cell.first
            while child >= 0 {
                marked.append(child)
                child = layout.nodes[child].next
            }
        }
        return false
    }
}
