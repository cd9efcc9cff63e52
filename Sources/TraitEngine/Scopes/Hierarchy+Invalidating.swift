// Which scopes a change makes stale.

extension Hierarchy {
    /// Notes a hidden registration with a live change of its traits.
    @inline(never)
    func noteHidden(
        _ index: Int32, _ node: Int32, _ frame: Int32, _ live: UInt64, _ level: UInt64
    ) {
        let registration = parts.registrations[index]
        // A scope counts whenever it was made. In a layout hierarchy every registration is compared
        // with what its node showed when it was made.
        let isThere =
            registration.scope != nil || layout != nil || registration.createdRevision <= revision
        guard isThere,
            let selection = select(registration, notifying.frames[Int(frame)], live)
        else { return }
        notifying.hidden.append(
            Note(
                key: level | registration.order, registration: index, node: node,
                selection: selection, frame: frame))
    }

    /// The changes of a note.
    func selected(_ note: Note) -> [FrameChange] {
        let frame = notifying.frames[Int(note.frame)]
        let start = Int(frame.start)
        if !frame.isSmall {
            let first = Int(note.selection)
            let count = Int(notifying.wideSelections[first])
            return notifying.wideSelections[first + 1..<first + 1 + count].map {
                notifying.changes[start + Int($0)]
            }
        }
        var bits = note.selection
        var changes: [FrameChange] = []
        while bits != 0 {
            changes.append(notifying.changes[start + bits.trailingZeroBitCount])
            bits &= bits &- 1
        }
        return changes
    }

    /// Makes the noted scopes stale, in an immediate hierarchy but for those that the transaction
    /// set. By depth of their nodes, then in the order in which they were first set.
    func invalidateNoted() -> [Invalidation] {
        var changed: [Int32: TraitSet] = [:]
        for note in notifying.hidden {
            guard let scope = parts.registrations[note.registration].scope else { continue }
            if parts.scopes[scope]?.isStale != false { continue }
            if layout == nil, transaction.lists.scopesSet.contains(scope) { continue }
            for change in selected(note) {
                changed[scope, default: []].insert(TraitIndex(rawValue: change.trait))
            }
        }
        var stale: [(level: Int, scope: Scope, changed: TraitSet)] = []
        for (index, traits) in changed {
            guard let scope = parts.scopes[index] else { continue }
            stale.append((level(of: scope.node), scope, traits))
            setStale(index, true)
            transaction.log.append(.scopeStale(index))
        }
        stale.sort { ($0.level, $0.scope.order) < ($1.level, $1.scope.order) }
        return stale.map { invalidation($0.scope, $0.changed) }
    }

    /// Makes scopes stale that cover a node which took a new collection in a stepwise update.
    func invalidate(_ node: Int32, _ changed: TraitSet) -> [Invalidation] {
        if scopeCount == 0 { return [] }
        var stale: [Scope] = []
        forEachRegistration(of: node) { index in
            guard let owner = parts.registrations[index].scope,
                let scope = parts.scopes[owner],
                !scope.isStale, listened(by: scope).intersects(changed)
            else { return }
            setStale(owner, true)
            stale.append(scope)
        }
        stale.sort { $0.order < $1.order }
        return stale.map { invalidation($0, changed) }
    }

    private func invalidation(_ scope: Scope, _ changed: TraitSet) -> Invalidation {
        Invalidation(
            node: NodeIndex(rawValue: scope.node), scope: scope.name,
            invalidation: invalidation(of: scope),
            changed: changed.intersection(listened(by: scope)))
    }
}
