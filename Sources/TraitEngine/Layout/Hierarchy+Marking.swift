// Marks: which nodes of a layout hierarchy wait for an update.

extension Hierarchy {
    /// A node was made.
    func layoutCreated(_ node: Int32, isMarked: Bool) {
        guard let layout else { return }
        layout.add(node)
        parts.digest.sums.add(shownFact(node, layout))
        if isMarked { mark(node) }
    }

    /// The node's inputs or its place changed.
    func mark(_ node: Int32, isMoved: Bool = false) {
        guard let layout else { return }
        if !layout.nodes[node].flags.contains(.marked) || isMoved {
            logLayout(node, layout)
            changingShown(node, layout) { layout.nodes[node].flags.insert(.marked) }
            // Where it is now, no pass has been.
            if isMoved { layout.nodes[node].seen = 0 }
            linkMarked(node, layout)
        }
        for update in layout.updates { update.marked(node) }
    }

    /// The node inherits from elsewhere. A tree that is detached by this keeps what it inherited
    /// last; one that is attached to another keeps nothing.
    func layoutMoved(_ node: Int32, from old: Int32, to new: Int32) {
        guard let layout else { return }
        layout.structureTick += 1
        if !isRootKind(node) {
            if new == 0 {
                keepShown(node, layout)
            } else if old == 0 {
                dropKeptValues(at: node)
            }
        }
        mark(node, isMoved: true)
    }

    /// Remembers how a node was, before its marks or its frame change. The frame's reference goes
    /// to the log when `replacesFrame`.
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
        if before.frame >= 0 {
            releaseFrame(layout.nodes[node].shown, layout)
            layout.nodes[node].shown = before.frame
        }
        layout.nodes[node].flags.subtract(.state)
        layout.nodes[node].flags.formUnion(before.flags)
        layout.nodes[node].changed = before.changed
        layout.nodes[node].seen = before.seen
        settleMarks(node, layout)
    }

    /// Gives back what the layout holds of a node in no list.
    func forgetLayout(_ node: Int32) {
        guard let layout else { return }
        releaseFrame(layout.nodes[node].shown, layout)
        if !layout.seenChildren.isEmpty { layout.seenChildren[node] = nil }
        layout.nodes[node] = LayoutNode()
    }

    // MARK: - The tree of marks

    /// Puts a node and those above it into their parents' lists. O(levels that were not there).
    func linkMarked(_ node: Int32, _ layout: LayoutState) {
        var child = node
        while child > 0, !layout.nodes[child].flags.contains(.linked) {
            let parent = parts.nodes.parent(of: child)
            layout.nodes[child].flags.insert(.linked)
            insertMarked(child, below: parent, layout)
            child = parent
        }
    }

    /// Attached roots stand before detached ones, so that an update of everything attached
    /// does not go through the others.
    private func insertMarked(_ child: Int32, below parent: Int32, _ layout: LayoutState) {
        let first = layout.nodes[parent].first
        guard first >= 0 else {
            layout.nodes[parent].first = child
            layout.nodes[child].previous = child
            layout.nodes[child].next = -1
            return
        }
        let last = layout.nodes[first].previous
        if parent == 0, isRootKind(child) {
            layout.nodes[child].previous = last
            layout.nodes[child].next = first
            layout.nodes[first].previous = child
            layout.nodes[parent].first = child
        } else {
            layout.nodes[child].previous = last
            layout.nodes[child].next = -1
            layout.nodes[last].next = child
            layout.nodes[first].previous = child
        }
    }

    private func removeMarked(_ child: Int32, below parent: Int32, _ layout: LayoutState) {
        let first = layout.nodes[parent].first
        let (next, previous) = (layout.nodes[child].next, layout.nodes[child].previous)
        layout.nodes[child].flags.remove(.linked)
        layout.nodes[child].next = -1
        layout.nodes[child].previous = -1
        if child == first {
            layout.nodes[parent].first = next
            if next >= 0 { layout.nodes[next].previous = previous }
        } else {
            layout.nodes[previous].next = next
            layout.nodes[next < 0 ? first : next].previous = previous
        }
    }

    /// Takes nodes that wait for nothing any more out of the lists, from this one up.
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
            removeMarked(child, below: parent, layout)
            child = parent
        }
    }

    func settleMarks(_ node: Int32, _ layout: LayoutState) {
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
        removeMarked(node, below: parent, layout)
        pruneMarked(parent, layout)
    }

    /// A node got a trait parent.
    func linkMarks(of node: Int32) {
        guard let layout else { return }
        let cell = layout.nodes[node]
        if cell.first >= 0 || !cell.flags.isDisjoint(with: .state) { linkMarked(node, layout) }
    }

    // MARK: - Asking

    /// Whether the node itself has to be brought up to date, once everything above it is.
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

    /// Whether the node or something below it waits. What merely may have somebody who waits
    /// below it is looked into: O(those of them that have nobody, and their children).
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
