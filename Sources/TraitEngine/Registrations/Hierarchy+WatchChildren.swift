// Who is whose child among watch nodes: a list while they are few, groups by trait beyond.

extension Hierarchy {
    /// Adds a watch node that has no parent. O(1), and O(levels of groups) among many.
    func insertWatchChild(_ child: Int32, of parent: Int32) {
        watchNodes[child].parent = parent
        if watchNodes[parent].flags.contains(.grouped) {
            appendToGroups(child, of: parent)
        } else {
            insertIntoList(child, of: parent)
            if watchNodes[parent].childCount > sizes.listedChildrenMax { groupChildren(of: parent) }
        }
    }

    func removeWatchChild(_ child: Int32) {
        let parent = watchNodes[child].parent
        watchNodes[child].parent = -1
        if watchNodes[parent].flags.contains(.grouped) {
            removeFromGroups(child, of: parent)
            // Not at once: one child that comes and goes must not cost this each time.
            if watchNodes[parent].childCount <= sizes.listedChildrenMax / 2 {
                listChildren(of: parent)
            }
        } else {
            removeFromList(child, of: parent)
        }
    }

    // MARK: - Lists

    private func insertIntoList(_ child: Int32, of parent: Int32) {
        let first = watchNodes[parent].first
        watchNodes[child].previous = -1
        watchNodes[child].next = first
        if first >= 0 { watchNodes[first].previous = child }
        watchNodes[parent].first = child
        watchNodes[parent].childCount &+= 1
    }

    private func removeFromList(_ child: Int32, of parent: Int32) {
        let node = watchNodes[child]
        if node.next >= 0 { watchNodes[node.next].previous = node.previous }
        if node.previous >= 0 {
            watchNodes[node.previous].next = node.next
        } else {
            watchNodes[parent].first = node.next
        }
        watchNodes[parent].childCount &-= 1
    }

    // MARK: - Groups

    private func appendToGroups(_ child: Int32, of parent: Int32) {
        let (top, count) = (watchNodes[parent].first, watchNodes[parent].childCount)
        let asked = askedOfParent(child)
        let place = watchGroups.append(child, asked.mask, to: top, count: count)
        watchGroups.noteHidden(asked.hidden, in: place.top)
        watchNodes[child].next = place.slot
        watchNodes[child].previous = -1
        watchNodes[parent].first = place.top
        watchNodes[parent].childCount = count &+ 1
    }

    private func removeFromGroups(_ child: Int32, of parent: Int32) {
        let (top, count) = (watchNodes[parent].first, watchNodes[parent].childCount)
        let slot = watchNodes[child].next
        let outcome = watchGroups.remove(slot, from: top, count: count)
        if outcome.moved >= 0 { watchNodes[outcome.moved].next = slot }
        watchNodes[parent].first = outcome.top
        watchNodes[parent].childCount = count &- 1
    }

    private func groupChildren(of parent: Int32) {
        var child = watchNodes[parent].first
        watchNodes[parent].first = watchGroups.makeTree()
        watchNodes[parent].childCount = 0
        watchNodes[parent].flags.insert(.grouped)
        while child >= 0 {
            let next = watchNodes[child].next
            appendToGroups(child, of: parent)
            child = next
        }
    }

    private func listChildren(of parent: Int32) {
        let (top, count) = (watchNodes[parent].first, watchNodes[parent].childCount)
        let children = watchGroups.children(of: top, count: count)
        watchGroups.release(tree: top, count: count)
        watchNodes[parent].first = -1
        watchNodes[parent].childCount = 0
        watchNodes[parent].flags.remove(.grouped)
        for child in children { insertIntoList(child, of: parent) }
    }

    /// What a child's slot says: the traits watched at or below it that its own values do not
    /// hide. A pending child has to be visited whatever hides there by now.
    func askedOfParent(_ child: Int32) -> (mask: UInt64, hidden: UInt64) {
        let watch = watchNodes[child]
        if watch.overrides & watch.below == 0 || !watch.flags.isDisjoint(with: [.folded, .pending])
        {
            return (watch.below, 0)
        }
        let record = recordIndex(of: watch.node)
        let own = record < 0 ? 0 : recordReader.exactWord(record, 0)
        return (watch.below & ~own, watch.below & own)
    }

    /// What a watch node asks for has changed: tells the groups it is in, if any.
    func refreshGroup(of watch: Int32) {
        let parent = watchNodes[watch].parent
        guard parent >= 0, watchNodes[parent].flags.contains(.grouped) else { return }
        let asked = askedOfParent(watch)
        watchGroups.setMask(watchNodes[watch].next, asked.mask)
        watchGroups.noteHidden(asked.hidden, in: watchNodes[parent].first)
    }
}
