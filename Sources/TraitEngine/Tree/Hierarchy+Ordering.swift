// The order of siblings, which no resolved value depends on: changing it notifies no registration.

extension Hierarchy {
    /// Puts a node behind a sibling, or before all of them. O(1) beside the hash of some names.
    ///
    /// - Parameter sibling: a node with the same trait parent, or none either; nil for the first
    /// place.
    /// - Throws: `notSiblings`.
    public func orderNode(
        _ node: NodeIndex, behind sibling: NodeIndex?
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let index = node.rawValue
        if let sibling {
            guard sibling != node,
                parts.nodes.parent(of: sibling.rawValue) == parts.nodes.parent(of: index)
            else {
                throw .notSiblings(identifier(of: node), identifier(of: sibling))
            }
        }
        let previous = sibling?.rawValue ?? -1
        if parts.nodes[index].previous == previous { return }
        transaction.summary.ordersSiblings = true
        let before = reorder(index, behind: previous)
        transaction.log.append(.reordered(node: index, previous: before))
    }

    /// Puts a node before a sibling. O(1) beside the hash of some names.
    ///
    /// - Throws: `notSiblings`.
    public func orderNode(
        _ node: NodeIndex, before sibling: NodeIndex
    ) throws(OperationError) {
        guard sibling != node,
            parts.nodes.parent(of: sibling.rawValue) == parts.nodes.parent(of: node.rawValue)
        else {
            throw .notSiblings(identifier(of: node), identifier(of: sibling))
        }
        let previous = parts.nodes[sibling.rawValue].previous
        if previous == node.rawValue { return }
        try orderNode(node, behind: previous < 0 ? nil : NodeIndex(rawValue: previous))
    }

    /// The sibling that stands before a node in tree order. O(1).
    public func siblingBefore(_ node: NodeIndex) -> NodeIndex? {
        let previous = parts.nodes[node.rawValue].previous
        return previous < 0 ? nil : NodeIndex(rawValue: previous)
    }

    /// The sibling that stands behind a node in tree order. O(1).
    public func siblingBehind(_ node: NodeIndex) -> NodeIndex? {
        let next = parts.nodes[node.rawValue].next
        return next < 0 ? nil : NodeIndex(rawValue: next)
    }

    /// Puts a node behind another child of its trait parent, -1 for the first place. Answers the
    /// sibling that it stood behind.
    func reorder(_ node: Int32, behind previous: Int32) -> Int32 {
        let parent = parts.nodes.parent(of: node)
        let next = parts.nodes[node].next
        removeOrderFact(node)
        if next >= 0 { removeOrderFact(next) }
        let before = unlink(node)
        if next >= 0 { addOrderFact(next) }
        let behind = previous < 0 ? firstChild(of: parent) : parts.nodes[previous].next
        if behind >= 0 { removeOrderFact(behind) }
        link(node, to: parent, behind: previous)
        // An update that looks for children to visit goes on where the last one stopped.
        layout?.caches.seenChildren[parent] = nil
        if behind >= 0 { addOrderFact(behind) }
        addOrderFact(node)
        return before
    }

    func removeOrderFact(_ node: Int32) {
        let fact = orderFact(node)
        parts.digest.remove(fact)
        transaction.summary.orderDelta &-= fact.content
    }

    func addOrderFact(_ node: Int32) {
        let fact = orderFact(node)
        parts.digest.add(fact)
        transaction.summary.orderDelta &+= fact.content
    }
}
