// The collection of an object before it is in a hierarchy.

extension Hierarchy {
    /// The first collection of a detached object: what it counts as inherited until it has a trait
    /// parent. UIKit predicts where a new view will go; after a right prediction attaching the view
    /// notifies no registration. In a layout hierarchy the node shows the collection at once,
    /// without a notification. nil clears. O(traits), and O(nodes below) in a layout hierarchy.
    ///
    /// - Returns: false, and nothing was done, for a node that has a trait parent or needs none.
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`.
    @discardableResult
    public func predict(
        _ node: NodeIndex, _ collection: TraitCollection?
    ) throws(OperationError) -> Bool {
        precondition(isInTransaction, "outside of a transaction")
        let index = node.rawValue
        if parts.nodes.parent(of: index) != 0 || isRootKind(index) { return false }
        try replace(index, .kept, specified(collection))
        if let layout {
            layout.isSilent = true
            updateTraits(of: node)
            layout.isSilent = false
        } else if parts.nodes[index].flags.contains(.created) {
            transaction.lists.predicted.append(index)
        }
        return true
    }
}
