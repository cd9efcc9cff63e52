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
        showWrites()
        try replace(index, .kept, specified(collection))
        if let layout {
            layout.changes.isSilent = true
            updateTraits(of: node)
            layout.changes.isSilent = false
        } else if parts.nodes[index].flags.contains(.created) {
            transaction.lists.predicted.append(index)
        }
        return true
    }

    /// Stores the values that a detached node shows as its inherited ones: a value stays when the input
    /// that it comes from is removed, until the node has a trait parent. A view controller of UIKit has
    /// no inherited collection beside the one that it shows. Only in a layout hierarchy; does nothing
    /// for a node that has a trait parent or needs none. O(traits).
    public func keepShown(of node: NodeIndex) {
        precondition(isInTransaction, "outside of a transaction")
        let index = node.rawValue
        guard let layout, parts.nodes.parent(of: index) == 0, !isRootKind(index) else { return }
        showWrites()
        let shown = layout.nodes[index].shown
        for trait in traits(inFrame: shown).map(\.rawValue) {
            let word = frameWord(trait, shown)
            let old = storedValue(index, trait, .kept)
            if old?.word == word { continue }
            if parts.traits.isPooled(trait) { parts.pool.retain(word) }
            let new = StoredValue(word: word, revision: revision + 1)
            change(index, trait, .kept, from: old, to: new)
        }
    }
}
