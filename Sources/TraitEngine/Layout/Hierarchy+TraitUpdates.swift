// Update passes of a layout hierarchy, as UIKit runs them before layout.

extension Hierarchy {
    /// When this hierarchy shows what was written.
    public var updates: UpdateMode { layout == nil ? .immediate : .layout }

    /// Whether an attached node may wait for an update; if false, none does. O(1).
    public var needsUpdate: Bool { layout.map { firstMarkedRoot($0) >= 0 } ?? false }

    /// Runs an update pass of everything attached, within a transaction: from the top down, every
    /// node that was written to or moved, and what inherits from it, takes its new collection.
    /// The commit reports what changed. Does nothing in an immediate hierarchy.
    ///
    /// O(nodes that are marked or inherit from one that changed, and their watched traits).
    public func updateTraits() {
        precondition(isInTransaction, "outside of a transaction")
        update(nil)
    }

    /// `updateTraitsIfNeeded` of one node, within a transaction: the node and its whole subtree,
    /// controllers included; of a root view its controller's. It starts from what the node's trait
    /// parent shows, or in a detached tree from what its root inherited last: nodes above that wait
    /// for an update go on waiting.
    ///
    /// O(depth, and nodes to update below); before iOS 17 O(nodes inside).
    public func updateTraits(of node: NodeIndex) {
        precondition(isInTransaction, "outside of a transaction")
        update(node)
    }

    private func update(_ node: NodeIndex?) {
        if layout == nil { return }
        showWrites()
        restoreRevisions()
        if TraitUpdate(self, of: node, climbs: false).run() {
            transaction.summary.updatesLayout = true
        }
    }

    /// Starts an update whose steps the caller takes one by one, to call handlers in between: of
    /// one node as `updateTraits(of:)` does it, or of everything attached. Outside of transactions,
    /// and only while no commit waits to be acknowledged: its steps cannot be undone. May be
    /// started while another one is under way. O(1).
    ///
    /// - Parameter climbs: whether the nodes that the node inherits from are updated first, as a
    ///   layout does it.
    public func startUpdate(of node: NodeIndex? = nil, climbs: Bool = false) -> TraitUpdate {
        precondition(!isInTransaction, "inside of a transaction")
        precondition(!isFrozen, "a frozen hierarchy is for reading")
        let update = TraitUpdate(self, of: node, climbs: climbs)
        layout?.updates.append(update)
        return update
    }

    // MARK: - One node

    func firstMarkedRoot(_ layout: LayoutState) -> Int32 {
        let first = layout.nodes[0].first
        return first >= 0 && isRootKind(first) ? first : -1
    }

    /// Brings a node up to date if it is due. Answers its former frame if it took another one; the
    /// undo log owns that reference in a transaction, else the caller.
    func refresh(_ node: Int32, _ layout: LayoutState) -> Int32? {
        if !isDue(node, layout) { return nil }
        let frame = freshFrame(node, layout)
        let old = layout.nodes[node].shown
        logLayout(node, layout, replacesFrame: frame != old)
        let name = nameHash(node)
        parts.digest.remove(shownFact(node, name, layout))
        defer { parts.digest.add(shownFact(node, name, layout)) }
        layout.clock.updates += 1
        layout.nodes.setUpdated(node, at: layout.clock.updates)
        if frame == old {
            releaseFrame(frame, layout)
            pruneMarked(node, layout)
            return nil
        }
        take(frame, node, layout)
        note(node, before: old, layout)
        return old
    }

    /// Gives a node another frame; its children have not seen that.
    func take(_ frame: Int32, _ node: Int32, _ layout: LayoutState) {
        layout.nodes.setShown(node, frame)
        layout.nodes.setOutdated(node, at: parts.nodes[node].last >= 0 ? layout.clock.updates : nil)
        updateMarks(node, layout)
    }

    func note(_ node: Int32, before: Int32, _ layout: LayoutState) {
        guard isInTransaction, !layout.changes.isSilent, !layout.nodes[node].flags.contains(.noted),
            hasRegistrations(node)
        else { return }
        layout.nodes.setNoted(node, true)
        layout.changes.noted.append(NotedNode(node: node, before: before))
    }

    /// All children of a node have seen its frame, unless it took another one since.
    func settle(_ node: Int32, seen changed: UInt64, _ layout: LayoutState) {
        let cell = layout.nodes[node]
        if !cell.flags.contains(.outdated) || cell.changed != changed { return }
        logLayout(node, layout)
        changingShown(node, layout) { layout.nodes.setOutdated(node, at: nil) }
        pruneMarked(node, layout)
    }

    /// The children to visit after a node: those that are due, and those with marks below them.
    func appendWaitingChildren(
        of node: Int32, to list: inout ContiguousArray<Int32>, _ layout: LayoutState
    ) {
        let cell = layout.nodes[node]
        if !cell.flags.contains(.outdated) {
            var child = cell.first
            while child >= 0 {
                list.append(child)
                child = layout.nodes[child].next
            }
            return
        }
        var child = firstChild(of: node)
        while child >= 0 {
            let state = layout.nodes[child]
            if state.seen < cell.changed || state.flags.contains(.linked) { list.append(child) }
            child = parts.nodes[child].next
        }
    }

    /// Whether a child has not seen the node's frame. O(children that have seen it since it was
    /// asked last).
    func hasWaitingChild(_ node: Int32, _ layout: LayoutState) -> Bool {
        let changed = layout.nodes[node].changed
        var child = firstUnseen(of: node, changed, layout) ?? firstChild(of: node)
        while child >= 0, layout.nodes[child].seen >= changed {
            layout.caches.lookedAtChildren += 1
            child = parts.nodes[child].next
        }
        if child < 0 {
            if !layout.caches.seenChildren.isEmpty { layout.caches.seenChildren[node] = nil }
            return false
        }
        layout.caches.seenChildren[node] = SeenChildren(
            child: child, serial: layout.nodes[child].serial, changed: changed,
            structureTick: layout.clock.moves)
        return true
    }

    /// Where the last search stopped; nil when children may have changed since.
    private func firstUnseen(
        of node: Int32, _ changed: UInt64, _ layout: LayoutState
    ) -> Int32? {
        guard let known = layout.caches.seenChildren[node], known.changed == changed,
            known.structureTick == layout.clock.moves, isInUse(known.child),
            parts.nodes.parent(of: known.child) == node,
            layout.nodes[known.child].serial == known.serial
        else { return nil }
        return known.child
    }

    // MARK: - Registrations of a node

    /// Whether a registration or a watch is on the node itself.
    func hasRegistrations(_ node: Int32) -> Bool {
        let watch = parts.nodes[node].watch
        return watch >= 0 && parts.watches[watch].firstRegistration >= 0
    }

    /// Calls `body` for each registration and watch on the node, in no order.
    func forEachRegistration(of node: Int32, _ body: (Int32) -> Void) {
        let watch = parts.nodes[node].watch
        if watch < 0 { return }
        var index = parts.watches[watch].firstRegistration
        while index >= 0 {
            notifying.visitedRegistrations &+= 1
            body(index)
            index = parts.registrations[index].next
        }
    }
}
