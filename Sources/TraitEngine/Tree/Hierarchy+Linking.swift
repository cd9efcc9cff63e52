// The only code that changes the parents of nodes: it keeps both trees, shortcuts and watches in
// step.

extension Hierarchy {
    /// Adds a node that is in no list to a trait parent's children, behind `previous`, or first
    /// for -1, or last for nil.
    func link(_ node: Int32, to parent: Int32, behind previous: Int32?) {
        parts.nodes.raiseHeights(from: parent, to: parts.nodes.height(of: node) &+ 1)
        parts.nodes.insert(node, into: parent, behind: previous)
    }

    /// The first trait child; -1 for none. Its siblings follow by `next` until that is below 0.
    @inline(__always)
    func firstChild(of node: Int32) -> Int32 { parts.nodes.firstChild(of: node) }

    /// Removes a node from its trait parent's children; its own parent field stays. Answers the
    /// sibling before it, -1 for none.
    @discardableResult
    func unlink(_ node: Int32) -> Int32 {
        return parts.nodes.remove(node)
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
        let watch = parts.nodes[node].watch
        let parent = parts.nodes.parent(of: node)
        let next = parts.nodes[node].next
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
            previous.map { $0 < 0 ? firstChild(of: parent) : parts.nodes[$0].next } ?? -1
        if next >= 0 { removeOrderFact(next) }
        link(node, to: parent, behind: previous)
        if next >= 0 { addOrderFact(next) }
        addOrderFact(node)
        invalidateShortcuts(through: node)
        linkMarks(of: node)
        let watch = parts.nodes[node].watch
        if watch >= 0 { linkWatchNode(watch, to: parent) }
        joinScopes(node)
    }

    /// Gives a node its parents. A node whose trait parent changes becomes the last child.
    func place(_ node: Int32, structural: Int32, trait: Int32) {
        let oldTrait = parts.nodes.parent(of: node)
        let oldStructural = structuralParent(node)
        if oldTrait == trait, oldStructural == structural { return }
        touch(node)
        var previous: Int32 = -1
        changingFact(of: node) {
            parts.nodes.removeBridge(node)
            if oldTrait != trait { previous = relink(node, to: trait, behind: nil) }
            parts.nodes.addBridge(node, structural)
        }
        if oldTrait == trait {
            transaction.log.append(.restructured(node: node, structuralParent: oldStructural))
        } else {
            transaction.log.append(
                .moved(
                    node: node, parent: oldTrait, previous: previous,
                    structuralParent: oldStructural))
            layoutMoved(node, from: oldTrait, to: trait)
        }
    }

    /// Gives a view a controller that has no view, or none (-1).
    func pair(_ view: Int32, _ controller: Int32) {
        let old = peer(view)
        if old == controller { return }
        touch(view)
        changingFact(of: view) { parts.nodes.setPeer(view, controller) }
        transaction.log.append(.paired(view: view, controller: old))
    }
}
