// What an object takes itself to inherit before it is in a hierarchy.

extension Hierarchy {
    /// The first collection of a detached object: what it takes to be inherited until it has a
    /// trait parent. UIKit predicts where a new view will go; when that was right nobody hears of
    /// anything as it is attached. In a layout hierarchy it shows at once and nobody is told.
    /// nil clears. O(traits), and O(nodes below) in a layout hierarchy.
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
            transaction.journal.predicted.append(index)
        }
        return true
    }
}
