// The only code that changes who is whose child: both trees, shortcuts and watches follow.

extension Hierarchy {
    // MARK: - The trait tree

    /// Adds a node that is in no list to a trait parent's children, behind `previous`, or first
    /// for -1, or last for nil.
    func link(_ node: Int32, to parent: Int32, behind previous: Int32?) {
        raiseHeights(from: parent, to: heights[node] &+ 1)
        insert(node, into: parent, behind: previous)
    }

    private func insert(_ node: Int32, into parent: Int32, behind previous: Int32?) {
        hot[node].parent = parent
        traitTour?.insert(node, below: parent)
        let last = links[parent].last
        if last < 0 {
            links[parent].last = node
            links[node].previous = -1
            links[node].next = ~node
            return
        }
        let before = previous ?? last
        links[node].previous = before
        if before < 0 {
            let first = ~links[last].next
            links[node].next = first
            links[first].previous = node
            links[last].next = ~node
            return
        }
        let next = links[before].next
        links[before].next = node
        links[node].next = next
        if next < 0 {
            links[parent].last = node
        } else {
            links[next].previous = node
        }
    }

    /// The first trait child; -1 for none. Its siblings follow by `next` until that is below 0.
    @inline(__always)
    func firstChild(of node: Int32) -> Int32 {
        let last = links[node].last
        return last < 0 ? -1 : ~links[last].next
    }

    /// Raises the heights of a node and those above it where they are too small; answers whether
    /// one of them was high enough, and its height says something. O(`NodeHeight.max`).
    @discardableResult
    func raiseHeights(from node: Int32, to least: UInt8) -> Bool {
        var height = min(least, NodeHeight.max)
        var index = node
        while index > 0, heights[index] < height {
            heights[index] = height
            levels.walkedLevels &+= 1
            height = min(height &+ 1, NodeHeight.max)
            index = hot[index].up
        }
        return index > 0 && heights[index] < NodeHeight.max
    }

    /// Takes a node out of its trait parent's children; its own parent field stays as it was.
    /// Answers the sibling before it, -1 for none.
    @discardableResult
    func unlink(_ node: Int32) -> Int32 {
        let parent = hot[node].parent
        traitTour?.cut(node)
        let next = links[node].next
        let previous = links[node].previous
        if next < 0 {
            // For an only child there is nobody before.
            links[parent].last = previous
        } else {
            links[next].previous = previous
        }
        if previous >= 0 {
            links[previous].next = next
        } else if next >= 0 {
            links[links[parent].last].next = ~next
        }
        return previous
    }

    /// Moves a node below another trait parent, with shortcuts and watches.
    func relink(_ node: Int32, to parent: Int32, behind previous: Int32?) -> Int32 {
        let before = detach(node)
        attach(node, to: parent, behind: previous)
        return before
    }

    /// Takes a node and what is below it out of the trait tree.
    func detach(_ node: Int32) -> Int32 {
        leaveScopes(node)
        invalidateShortcuts(through: node)
        unlinkMarks(of: node)
        let watch = links[node].watch
        let parent = hot[node].parent
        let next = links[node].next
        removeOrderFact(node)
        if next >= 0 { removeOrderFact(next) }
        let previous = unlink(node)
        if next >= 0 { addOrderFact(next) }
        if watch >= 0 { unlinkWatchNode(watch, from: parent) }
        return previous
    }

    /// Puts a detached node back into the trait tree.
    func attach(_ node: Int32, to parent: Int32, behind previous: Int32?) {
        let next =
            previous.map { $0 < 0 ? firstChild(of: parent) : links[$0].next } ?? -1
        if next >= 0 { removeOrderFact(next) }
        link(node, to: parent, behind: previous)
        if next >= 0 { addOrderFact(next) }
        addOrderFact(node)
        invalidateShortcuts(through: node)
        linkMarks(of: node)
        let watch = links[node].watch
        if watch >= 0 { linkWatchNode(watch, to: parent) }
        joinScopes(node)
    }

    // MARK: - Both trees

    /// Gives a node its parents. A node whose trait parent changes becomes the last child.
    func place(_ node: Int32, structural: Int32, trait: Int32) {
        let oldTrait = hot[node].parent
        let oldStructural = structuralParent(node)
        if oldTrait == trait, oldStructural == structural { return }
        touch(node)
        var previous: Int32 = -1
        changingFact(of: node) {
            removeBridge(node)
            if oldTrait != trait { previous = relink(node, to: trait, behind: nil) }
            addBridge(node, structural)
        }
        if oldStructural != structural { structuralTour?.move(node, below: structural) }
        if oldTrait == trait {
            log.append(.restructured(node: node, structuralParent: oldStructural))
        } else {
            log.append(
                .moved(
                    node: node, parent: oldTrait, previous: previous,
                    structuralParent: oldStructural))
            layoutMoved(node, from: oldTrait, to: trait)
        }
    }

    /// Marks the node as bridged if its structural parent is not its trait parent.
    func addBridge(_ node: Int32, _ structural: Int32) {
        if structural == hot[node].parent { return }
        let extra = ensureExtra(node)
        links[node].flags.insert(.bridged)
        bridgedCount += 1
        extras[extra].structuralParent = structural
        enlist(node)
    }

    func removeBridge(_ node: Int32) {
        guard links[node].flags.contains(.bridged) else { return }
        delist(node)
        links[node].flags.remove(.bridged)
        bridgedCount -= 1
        extras[links[node].extra].structuralParent = 0
    }

    /// Puts a bridged node into the list of its structural parent.
    func enlist(_ node: Int32) {
        let extra = links[node].extra
        let parent = extras[extra].structuralParent
        extras[extra].structuralPrevious = -1
        extras[extra].structuralNext = -1
        if parent == 0 { return }
        let parentExtra = ensureExtra(parent)
        let first = extras[parentExtra].structuralFirst
        extras[extra].structuralNext = first
        if first >= 0 { extras[links[first].extra].structuralPrevious = node }
        extras[parentExtra].structuralFirst = node
    }

    func delist(_ node: Int32) {
        let extra = extras[links[node].extra]
        if extra.structuralParent == 0 { return }
        if extra.structuralNext >= 0 {
            extras[links[extra.structuralNext].extra].structuralPrevious =
                extra.structuralPrevious
        }
        if extra.structuralPrevious >= 0 {
            extras[links[extra.structuralPrevious].extra].structuralNext = extra.structuralNext
        } else {
            extras[links[extra.structuralParent].extra].structuralFirst = extra.structuralNext
        }
    }

    // MARK: - Controllers and their views

    /// Gives a view a controller that has no view, or none (-1).
    func pair(_ view: Int32, _ controller: Int32) {
        let old = peer(view)
        if old == controller { return }
        touch(view)
        changingFact(of: view) { setPeer(view, controller) }
        log.append(.paired(view: view, controller: old))
    }

    func setPeer(_ view: Int32, _ controller: Int32) {
        let old = peer(view)
        if old >= 0 { extras[links[old].extra].peer = -1 }
        let extra = ensureExtra(view)
        extras[extra].peer = controller
        if controller >= 0 {
            let other = ensureExtra(controller)
            extras[other].peer = view
        }
    }

    /// The node's extra, made if it has none.
    func ensureExtra(_ node: Int32) -> Int32 {
        let known = links[node].extra
        if known >= 0 { return known }
        let extra: Int32
        if freeExtra >= 0 {
            extra = freeExtra
            freeExtra = extras[extra].structuralNext
            extras[extra] = NodeExtra()
        } else {
            extra = extras.append(NodeExtra())
        }
        links[node].extra = extra
        return extra
    }
}
