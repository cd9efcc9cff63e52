// The tree of watch nodes: follows every change of the trait tree, holds a node exactly where
// something is watched at or below.

extension Hierarchy {
    /// The node's watch node, made with all that are missing above. O(missing levels).
    func ensureWatchNode(_ node: Int32) -> Int32 {
        if parts.nodes[node].watch >= 0 { return parts.nodes[node].watch }
        let lowest = makeWatchNode(node)
        var child = lowest
        var index = node
        while index != 0 {
            index = parts.nodes.parent(of: index)
            var watch = parts.nodes[index].watch
            let isMissing = watch < 0
            if isMissing { watch = makeWatchNode(index) }
            insertWatchChild(child, of: watch)
            if !isMissing { break }
            child = watch
        }
        return lowest
    }

    private func makeWatchNode(_ node: Int32) -> Int32 {
        let record = recordIndex(of: node)
        let watch = parts.watches.make(
            node, overrides: record < 0 ? 0 : parts.records[record].mask)
        parts.nodes.setWatch(node, watch)
        return watch
    }

    private func insertWatchChild(_ child: Int32, of parent: Int32) {
        parts.watches.insert(
            child, below: parent, listedMax: sizes.listedChildrenMax, ownTraits(of:))
    }

    /// The traits below 64 that a node sets; see `WatchTree.OwnTraits`.
    func ownTraits(of node: Int32) -> UInt64 {
        let record = recordIndex(of: node)
        return record < 0 ? 0 : recordReader.exactWord(record, 0)
    }

    /// Frees the watch node, and those above, that have nothing to watch any more.
    func pruneWatchNodes(_ start: Int32) {
        var watch = start
        while watch >= 0 {
            let node = parts.watches[watch]
            if node.firstRegistration >= 0 || node.first >= 0 { return }
            let parent = node.parent
            if parent >= 0 {
                parts.watches.remove(watch, listedMax: sizes.listedChildrenMax)
            }
            parts.nodes.setWatch(node.node, -1)
            parts.watches.free(watch)
            watch = parent
        }
    }

    /// A node with a watch node leaves its trait parent.
    func unlinkWatchNode(_ watch: Int32, from parent: Int32) {
        parts.watches.remove(watch, listedMax: sizes.listedChildrenMax)
        pruneWatchNodes(parts.nodes[parent].watch)
    }

    /// A node with a watch node got a trait parent.
    func linkWatchNode(_ watch: Int32, to parent: Int32) {
        let above = ensureWatchNode(parent)
        insertWatchChild(watch, of: above)
        let node = parts.watches[watch]
        parts.watches.raise(
            above, node.below, isFolded: node.flags.contains(.folded), ownTraits(of:))
    }
}
