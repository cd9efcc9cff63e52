// The walk along watch nodes. They lie in memory in the order in which somebody began to listen,
// so that each step of a walk would wait for memory. Steps that do not depend on each other are
// therefore taken together: the lists of children of several nodes are gone through side by side.

extension Hierarchy {
    /// Visits a touched watch node and all those below that its changes reach.
    func walk(from watch: Int32, level: Int32) {
        visit(
            Visit(watch: watch, parent: -1, frame: 0, level: level, live: 0, fold: 0, unasked: 0))
        while !telling.stack.isEmpty {
            if telling.visitedWatchNodes &+ telling.notes.count > telling.stepsMax
                || telling.isCutShort
            {
                telling.isCutShort = true
                telling.stack.removeAll()
                return
            }
            let visits = telling.nextVisits()
            approach(visits)
            for visit in visits { look(visit) }
        }
    }

    /// Reads from each watch node, and from registrations that it does not speak for, so that all
    /// come from memory at once.
    private func approach(_ visits: UnsafeMutableBufferPointer<Visit>) {
        if visits.count < 2 { return }
        let nodes = parts.watches.reader
        let registrations = parts.registrations.reader
        var bits: Int32 = 0
        for visit in visits {
            let node = nodes.pointer(visit.watch)
            // Of the first registration for those that need none.
            let first = node.pointee.onlyOrder != 0 ? 0 : max(node.pointee.firstRegistration, 0)
            bits ^= registrations.pointer(first).pointee.next
        }
        parts.nodes.keep(bits)
    }

    /// Looks at a watch node, and at those behind it as far as they lie next to each other.
    @inline(__always)
    private func look(_ arrival: Visit) {
        let nodes = parts.watches.reader
        var arrival = arrival
        if arrival.parent < 0 { return visit(arrival) }
        while true {
            let node = nodes.pointer(arrival.watch)
            let below = node.pointee.below
            let next = node.pointee.next
            arrival.unasked &= ~below
            let isNear = next >= 0 && abs(next &- arrival.watch) <= 2
            if next >= 0, !isNear {
                var rest = arrival
                rest.watch = next
                telling.stack.append(rest)
            }
            if below & arrival.fold != 0 { visit(arrival) }
            if next < 0, arrival.unasked != 0 { forget(arrival.unasked, at: arrival.parent) }
            if !isNear { return }
            arrival.watch = next
        }
    }

    /// The walk has seen all children, so bits of those that went can be cleared.
    private func forget(_ traits: UInt64, at watch: Int32) {
        parts.watches.clearBelow(watch, traits, ownTraits(of:))
    }

    private func visit(_ arrival: Visit) {
        telling.visitedWatchNodes &+= 1
        var visit = arrival
        var watch = parts.watches[visit.watch]
        if watch.flags.contains(.pending) {
            parts.watches.setPending(visit.watch, false, ownTraits(of:))
            compare(watch, &visit)
        } else if watch.overrides & visit.fold != 0 {
            hide(watch, &visit)
        }
        if visit.fold == 0 { return }
        if watch.own & visit.fold != 0 {
            if watch.onlyOrder != 0, transaction.journal.registeredAlive == 0 {
                tellOnly(watch, visit)
            } else {
                let own = tellOwn(watch, visit)
                if own != watch.own { parts.watches.setOwn(visit.watch, own) }
                watch.own = own
            }
        }
        enterChildren(of: watch, visit)
    }

    /// Has the children looked at whom the changes may concern.
    private func enterChildren(of watch: WatchNode, _ visit: Visit) {
        let unasked = watch.below & ~watch.own
        var children = visit
        children.level = min(visit.level &+ 1, 65_535)
        if watch.first < 0 {
            if unasked != 0 { forget(unasked, at: visit.watch) }
        } else if watch.flags.contains(.grouped) {
            enterGroups(of: watch, children)
            // Hidden children are in no group's mask, but they watch nevertheless.
            let rest = unasked & ~parts.watches.knownBelow(watch)
            if rest != 0 { forget(rest, at: visit.watch) }
        } else {
            children.parent = visit.watch
            children.watch = watch.first
            children.unasked = unasked
            telling.stack.append(children)
        }
    }

    private func enterGroups(of watch: WatchNode, _ visit: Visit) {
        var visit = visit
        visit.parent = -1
        let children = parts.watches.search(watch, for: visit.fold, &telling.found)
        telling.visitedWatchGroups &+= children.lowerBound
        for position in children {
            visit.watch = telling.found[position]
            telling.stack.append(visit)
        }
    }
}
