// The tree of watch nodes: follows every change of the trait tree, holds a node exactly where
// something is watched at or below.

extension Hierarchy {
    /// The node's watch node, made with all that are missing above. O(missing levels).
    func ensureWatchNode(_ node: Int32) -> Int32 {
        if links[node].watch >= 0 { return links[node].watch }
        let lowest = makeWatchNode(node)
        var child = lowest
        var index = node
        while index != 0 {
            index = hot[index].parent
            var watch = links[index].watch
            let isMissing = watch < 0
            if isMissing { watch = makeWatchNode(index) }
            insertWatchChild(child, of: watch)
            if !isMissing { break }
            child = watch
        }
        return lowest
    }

    private func makeWatchNode(_ node: Int32) -> Int32 {
        var new = WatchNode(node: node)
        let record = recordIndex(of: node)
        if record >= 0 { new.overrides = records[record].mask }
        let watch: Int32
        if freeWatchNode >= 0 {
            watch = freeWatchNode
            freeWatchNode = watchNodes[watch].next
            watchNodes[watch] = new
        } else {
            watch = watchNodes.append(new)
        }
        links[node].watch = watch
        return watch
    }

    /// Traits are watched at or below: tells all watch nodes from here up. O(levels that did not
    /// know).
    func raiseWatched(_ watch: Int32, _ mask: UInt64, isFolded: Bool) {
        let flags: WatchFlags = isFolded ? .folded : []
        var index = watch
        while index >= 0 {
            let node = watchNodes[index]
            if node.below & mask == mask, node.flags.isSuperset(of: flags) { return }
            watchNodes[index].below |= mask
            watchNodes[index].flags.formUnion(flags)
            refreshGroup(of: index)
            index = node.parent
        }
    }

    /// Frees the watch node, and those above, that have nothing to watch any more.
    func pruneWatchNodes(_ start: Int32) {
        var watch = start
        while watch >= 0 {
            let node = watchNodes[watch]
            if node.firstRegistration >= 0 || node.first >= 0 { return }
            let parent = node.parent
            if parent >= 0 { removeWatchChild(watch) }
            links[node.node].watch = -1
            watchNodes[watch] = WatchNode(node: -1)
            watchNodes[watch].next = freeWatchNode
            freeWatchNode = watch
            watch = parent
        }
    }

    /// A node with a watch node leaves its trait parent.
    func unlinkWatchNode(_ watch: Int32, from parent: Int32) {
        removeWatchChild(watch)
        pruneWatchNodes(links[parent].watch)
    }

    /// A node with a watch node got a trait parent.
    func linkWatchNode(_ watch: Int32, to parent: Int32) {
        let above = ensureWatchNode(parent)
        insertWatchChild(watch, of: above)
        let node = watchNodes[watch]
        raiseWatched(above, node.below, isFolded: node.flags.contains(.folded))
    }
}
