// The turns of nodes and registrations in a stepwise update, and the steps that they make.

extension TraitUpdate {
    func appendTurns(of node: Int32) {
        let serial = layout.nodes[node].serial
        var last: UInt64?
        hierarchy.forEachRegistration(of: node) { index in
            let registration = hierarchy.parts.registrations[index]
            if registration.isHidden { return }
            last = max(last ?? 0, registration.order)
            level.turns.append(
                UpdateTurn(node, serial, registration: index, order: registration.order))
        }
        level.turns.append(
            last.map { UpdateTurn(node, serial, after: $0) } ?? UpdateTurn(node, serial))
    }

    /// Takes turns until one makes a step; nil at the end of the level.
    func takeTurn() -> TraitUpdateStep? {
        while level.next < level.turns.count {
            let turn = level.turns[level.next]
            if level.updated[turn.node] == nil, let updated = update(turn) {
                return step(
                    .environment, turn.node, updated, hasRegistrations: turn.registration >= 0,
                    invalidations: hierarchy.invalidate(turn.node, updated.traits))
            }
            level.next += 1
            guard case let updated?? = level.updated[turn.node] else { continue }
            if turn.isEnd {
                if hierarchy.isThere(LayoutNodeKey(node: turn.node, serial: turn.serial), layout) {
                    return step(.notified, turn.node, updated)
                }
            } else if let step = step(turn, updated) {
                return step
            }
        }
        return nil
    }

    /// Updates a node in its first turn. Nil when none of its values changed.
    private func update(_ turn: UpdateTurn) -> UpdatedNode? {
        let node = turn.node
        level.updated[node] = .some(nil)
        guard hierarchy.isInUse(node), layout.nodes[node].serial == turn.serial else { return nil }
        if !isInPlace(node) {
            level.reached.remove(node)
            hierarchy.mark(node)
            return nil
        }
        visited(node)
        guard let before = refresh(node) else { return nil }
        let after = layout.nodes[node].shown
        let key = UInt64(UInt32(bitPattern: before)) << 32 | UInt64(UInt32(bitPattern: after))
        let traits = level.differences[key] ?? hierarchy.changedTraits(before, after)
        level.differences[key] = traits
        if traits.isEmpty {
            hierarchy.releaseFrame(before, layout)
            return nil
        }
        hierarchy.retainFrame(after)
        let updated = UpdatedNode(before: before, after: after, traits: traits)
        level.updated[node] = .some(updated)
        changes.append((NodeIndex(rawValue: node), traits))
        return updated
    }

    /// A node that was moved to another level since the level was begun, or below one that waits
    /// for another pass, has no turn; it stays marked for when a pass comes to it.
    private func isInPlace(_ node: Int32) -> Bool {
        if !isMoved || !hierarchy.isDue(node, layout) { return true }
        return hierarchy.level(of: node) == levelNumber && !mustWait(node)
    }

    /// The step of a registration; nil when it did not ask for what changed.
    private func step(_ turn: UpdateTurn, _ updated: UpdatedNode) -> TraitUpdateStep? {
        if turn.registration < 0 || !mayCall(turn.order) { return nil }
        let registration = hierarchy.parts.registrations[turn.registration]
        guard registration.state == .alive, registration.order == turn.order else { return nil }
        let dynamics =
            !hierarchy.mayChange(registration.dynamics, updated.traits)
            ? []
            : hierarchy.dynamicChanges(
                registration.dynamics, turn.node, from: updated.before, to: updated.after, layout)
        let hears = hierarchy.parts.registrations.traits(of: turn.registration).intersects(
            updated.traits)
        if !hears, dynamics.isEmpty { return nil }
        let reason = TraitUpdateStep.Reason.registration(
            RegistrationIndex(rawValue: turn.registration))
        return step(reason, turn.node, updated, dynamics: dynamics)
    }

    private func step(
        _ reason: TraitUpdateStep.Reason, _ node: Int32, _ updated: UpdatedNode,
        dynamics: [DynamicChange] = [], hasRegistrations: Bool = false,
        invalidations: [Invalidation] = []
    ) -> TraitUpdateStep {
        TraitUpdateStep(
            reason: reason, node: NodeIndex(rawValue: node),
            previous: hierarchy.collection(ofFrame: updated.before, layout),
            current: hierarchy.collection(ofFrame: updated.after, layout),
            // A handler may have deleted a trait.
            changed: updated.traits.intersection(hierarchy.definitions.settable),
            dynamicChanges: dynamics, hasRegistrations: hasRegistrations,
            invalidations: invalidations)
    }
}
