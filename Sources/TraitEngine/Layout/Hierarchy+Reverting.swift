// Whether the update passes of a transaction changed anything: a value that is set and reverted
// around passes has no net effect.

extension Hierarchy {
    /// Whether a node shows something else than before the open transaction, waits for an update
    /// where it did not, or no longer waits. Asked when nothing else has changed. O(1) for a plain
    /// update; O(nodes that were marked or updated, and their children) where it reverted
    /// something.
    var showsOtherwise: Bool {
        guard let layout else { return false }
        var before: [Int32: LayoutNode] = [:]
        for position in transaction.log.transactionStart..<transaction.log.end {
            guard case .layout(let entry) = transaction.log[position] else { continue }
            // Mostly the very first entry decides: its node was marked and is up to date.
            if before.isEmpty, entry.flags.contains(.marked), isInUse(entry.node),
                !isDue(entry.node, layout)
            {
                return true
            }
            var cell = before[entry.node]
            if cell == nil {
                cell = LayoutNode(
                    shown: -1, changed: entry.changed, seen: entry.seen, flags: entry.flags)
            }
            if entry.frame >= 0, cell?.shown == -1 { cell?.shown = entry.frame }
            before[entry.node] = cell
        }
        var known: Set<UInt64> = []
        return before.contains { node, cell in
            if !isInUse(node) { return false }
            return showsOtherwise(node, cell, &known, layout)
                || waitsOtherwise(node, before, layout)
        }
    }

    private func showsOtherwise(
        _ node: Int32, _ before: LayoutNode, _ known: inout Set<UInt64>, _ layout: LayoutState
    ) -> Bool {
        before.shown >= 0 && !holdSame(before.shown, layout.nodes[node].shown, &known)
    }

    /// Whether the node or one of its children is due that was not, or the reverse.
    private func waitsOtherwise(
        _ node: Int32, _ before: [Int32: LayoutNode], _ layout: LayoutState
    ) -> Bool {
        func wasDue(_ node: Int32) -> Bool {
            let cell = before[node] ?? layout.nodes[node]
            if cell.flags.contains(.marked) { return true }
            let parent =
                before[parts.nodes.parent(of: node)] ?? layout.nodes[parts.nodes.parent(of: node)]
            return parent.flags.contains(.outdated) && cell.seen < parent.changed
        }
        if wasDue(node) != isDue(node, layout) { return true }
        var child = firstChild(of: node)
        while child >= 0 {
            if wasDue(child) != isDue(child, layout) { return true }
            child = parts.nodes[child].next
        }
        return false
    }

    /// Whether two frames and those above them hold the same values of the same nodes. `known` are
    /// pairs that were compared before, all of them equal.
    private func holdSame(_ one: Int32, _ other: Int32, _ known: inout Set<UInt64>) -> Bool {
        var (left, right) = (one, other)
        while left != right {
            if left <= 0 || right <= 0 { return false }
            let pair = UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
            if !known.insert(pair).inserted { return true }
            if !holdSame(left, right) { return false }
            (left, right) = (parts.records[left].above, parts.records[right].above)
        }
        return true
    }
}
