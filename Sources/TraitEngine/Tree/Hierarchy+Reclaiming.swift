// Reclaiming: what deleted nodes held is given back in slices, by whatever changes the hierarchy
// next.

extension Hierarchy {
    /// Frees about two hundred nodes of deleted subtrees, in at most 100 µs. True when some are
    /// left. Every transaction, acknowledgement and creation does some of it too.
    @discardableResult
    public func reclaimSlice() -> Bool {
        reclaim(200)
        return parts.nodes.hasReclaimable
    }

    /// Frees deleted nodes from the top down. A node counts as one, and so does each of its values.
    func reclaim(_ workMax: Int) {
        var remaining = workMax
        while remaining > 0, let node = parts.nodes.nextReclaimable() {
            rememberName(of: node)
            parts.nodes.removeName(node)
            let hasRecord = parts.nodes.hot(of: node).hasRecord
            parts.nodes.makeReclaimable(below: node)
            giveBack(node)
            remaining &-= 1 &+ (hasRecord ? transaction.entries.count : 0)
        }
    }
}
