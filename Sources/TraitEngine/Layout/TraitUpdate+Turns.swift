// The turns of nodes and registrations in a stepwise update, and the steps that they make.

extension TraitUpdate {
    func appendTurns(of node: Int32) {
        let key = layout.nodes.key(of: node)
        let position = Int32(truncatingIfNeeded: level.nodes.count)
        level.nodes.append(DueNode())
        if !hierarchy.hasRegistrations(node) {
            level.turns.append(UpdateTurn(key, at: position))
            return
        }
        var last: UInt64?
        hierarchy.forEachRegistration(of: node) { index in
            let registration = hierarchy.parts.registrations[index]
            if registration.isHidden { return }
            last = max(last ?? 0, registration.order)
            level.turns.append(
                UpdateTurn(key, at: position, registration: index, order: registration.order))
        }
        level.turns.append(
            last.map { UpdateTurn(key, at: position, after: $0) } ?? UpdateTurn(key, at: position))
    }

    /// Takes turns until one makes a step; nil at the end of the level.
    func takeTurn() -> TraitUpdateStep? {
        while level.next < level.turns.count {
            let turn = level.turns[level.next]
            let node = turn.node.node
            if !level.nodes[Int(turn.position)].hadTurn, let difference = update(turn) {
                let changed = level.differences[difference].traits
                return step(
                    .environment, node, difference, hasRegistrations: turn.registration >= 0,
                    invalidations: hierarchy.invalidate(node, changed))
            }
            level.next += 1
            let difference = Int(level.nodes[Int(turn.position)].difference)
            if difference < 0 { continue }
            if turn.isEnd {
                if hierarchy.isThere(turn.node, layout) { return step(.notified, node, difference) }
            } else if let step = step(turn, difference) {
                return step
            }
        }
        return nil
    }

    /// Updates a node in its first turn. Answers the position of the difference; nil when none of its
    /// values changed.
    private func update(_ turn: UpdateTurn) -> Int? {
        let node = turn.node.node
        level.nodes[Int(turn.position)].hadTurn = true
        if !hierarchy.isThere(turn.node, layout) { return nil }
        if !isInPlace(node) {
            level.reached.remove(node)
            hierarchy.mark(node)
            return nil
        }
        visited(node)
        guard let before = refresh(node) else { return nil }
        let after = layout.nodes[node].shown
        let difference = level.difference(before, after) {
            hierarchy.retainFrame(before)
            hierarchy.retainFrame(after)
            return hierarchy.changedTraits(before, after)
        }
        hierarchy.releaseFrame(before, layout)
        let traits = level.differences[difference].traits
        if traits.isEmpty { return nil }
        level.nodes[Int(turn.position)].difference = Int32(truncatingIfNeeded: difference)
        changes.append((NodeIndex(rawValue: node), traits))
        return difference
    }

    /// A node that was moved to another level since the level was begun, or below one that waits
    /// for another pass, has no turn; it stays marked for when a pass comes to it.
    private func isInPlace(_ node: Int32) -> Bool {
        if !isMoved || !hierarchy.isDue(node, layout) { return true }
        return hierarchy.level(of: node) == levelNumber && !mustWait(node)
    }

    /// The step of a registration; nil when it did not ask for what changed.
    private func step(_ turn: UpdateTurn, _ difference: Int) -> TraitUpdateStep? {
        if turn.registration < 0 || !mayCall(turn.order) { return nil }
        let registration = hierarchy.parts.registrations[turn.registration]
        guard registration.state == .alive, registration.order == turn.order else { return nil }
        let updated = level.differences[difference]
        let dynamics =
            !hierarchy.mayChange(registration.dynamics, updated.traits)
            ? []
            : hierarchy.dynamicChanges(
                registration.dynamics, turn.node.node, from: updated.before, to: updated.after,
                layout)
        let hears = hierarchy.parts.registrations.traits(of: turn.registration).intersects(
            updated.traits)
        if !hears, dynamics.isEmpty { return nil }
        let reason = TraitUpdateStep.Reason.registration(
            RegistrationIndex(rawValue: turn.registration))
        return step(reason, turn.node.node, difference, dynamics: dynamics)
    }

    private func step(
        _ reason: TraitUpdateStep.Reason, _ node: Int32, _ difference: Int,
        dynamics: [DynamicChange] = [], hasRegistrations: Bool = false,
        invalidations: [Invalidation] = []
    ) -> TraitUpdateStep {
        TraitUpdateStep(
            reason: reason, node: NodeIndex(rawValue: node), change: change(difference),
            dynamicChanges: dynamics, hasRegistrations: hasRegistrations,
            invalidations: invalidations)
    }

    /// The change of the nodes that have the difference. A handler may have changed definitions since
    /// it was made: then it is made again.
    private func change(_ position: Int) -> CollectionChange {
        let difference = level.differences[position]
        let tick = layout.caches.definitionTick
        if let known = difference.change, difference.definitionTick == tick { return known }
        let change = CollectionChange(
            previous: hierarchy.collection(ofFrame: difference.before, layout),
            current: hierarchy.collection(ofFrame: difference.after, layout),
            // A handler may have deleted a trait.
            changed: difference.traits.intersection(hierarchy.definitions.settable))
        level.differences[position].change = change
        level.differences[position].definitionTick = tick
        return change
    }
}
