// Reclaiming: what deleted nodes held is given back in slices, by whoever passes. Each node has its
// own places in memory, here and in the index of names, so several are gone through at once: first
// all are asked for, then they are changed.

extension Hierarchy {
    /// Frees about four hundred nodes of deleted subtrees, in at most 100 µs. True when some are
    /// left. Every transaction, acknowledgement and creation does some of it too.
    @discardableResult
    public func reclaimSlice() -> Bool {
        reclaim(400)
        return parts.nodes.hasReclaimable
    }

    /// Frees deleted nodes from the top down. A node counts as one, and so does each of its values.
    func reclaim(_ workMax: Int) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { batch in
            var remaining = workMax
            while remaining > 0, parts.nodes.hasReclaimable {
                let most = min(remaining, batch.count)
                var count = 0
                while count < most, let node = parts.nodes.nextReclaimable() {
                    batch.initializeElement(at: count, to: node)
                    count &+= 1
                }
                remaining &-= free(UnsafeMutableBufferPointer(rebasing: batch[..<count]))
            }
        }
    }

    /// Frees nodes and leaves what hangs at them for later: the last child, and the sibling before.
    /// Answers what that was worth.
    private func free(_ nodes: UnsafeMutableBufferPointer<Int32>) -> Int {
        approachLinks(of: nodes)
        parts.nodes.prefetchNames(nodes)
        rememberNames(of: nodes)
        parts.nodes.removeNames(nodes)
        var work = nodes.count
        for node in nodes {
            let hasRecord = parts.nodes.hot(of: node).hasRecord
            parts.nodes.makeReclaimable(below: node)
            giveBack(node)
            if hasRecord { work &+= transaction.entries.count }
        }
        return work
    }

    /// Fetches what is linked to several nodes into the caches, side by side. Nothing here may
    /// branch by what it reads, or each would wait for the one before.
    func approachLinks(of nodes: UnsafeMutableBufferPointer<Int32>) {
        let (links, hot) = (parts.nodes.links, parts.nodes.hot)
        var bits: Int32 = 0
        for node in nodes {
            bits ^= links.pointer(node).pointee.last
            bits ^= Int32(bitPattern: hot.pointer(node).pointee.word)
        }
        parts.nodes.keep(bits)
    }
}
