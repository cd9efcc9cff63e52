// Hidden registrations notify scopes, and registrations that name colours or images, of changes.
// They are derived from these: undo makes them again, and no log stores them.

extension Hierarchy {
    func addHidden(_ node: Int32, _ traits: TraitSet, _ role: Registration.Role) -> Int32 {
        // A registration that undo or a restore makes existed before: revision 0, so that commits notify it.
        return addRegistration(node, traits, transaction.isUndoing ? 0 : revision + 1, role)
    }

    /// A hidden registration's node is deleted: its owner ends, or is a scope that no longer covers the node.
    func endHidden(_ index: Int32, _ reason: EndedRegistration.Reason) {
        let hidden = parts.registrations[index]
        switch hidden.role {
        case .dynamics(let registration): end(registration, reason)
        case .scope(let scope) where parts.scopes[scope]?.node == hidden.node: endScope(scope)
        default: dropFromScope(index)
        }
    }

    // MARK: - Scopes

    /// Makes a scope's registrations.
    func listen(_ index: Int32) {
        guard let scope = parts.scopes[index] else { return }
        cover(scope.node, index)
        if !parts.nodes[scope.node].kind.scopesCoverViews { return }
        var child = firstChild(of: scope.node)
        while child >= 0 {
            if parts.nodes[child].kind == .view { cover(child, index) }
            child = parts.nodes[child].next
        }
    }

    /// The traits whose changes make a scope stale. A view draws again when a trait changes that affects colours, as
    /// its dynamic colours may be others then, whatever its method read.
    func listened(by scope: Scope) -> TraitSet {
        draws(scope) ? scope.reads.union(definitions.affectingColorAppearance) : scope.reads
    }

    private func draws(_ scope: Scope) -> Bool { invalidation(of: scope) == "setNeedsDisplay" }

    /// Has the scopes that draw listen to the traits that affect colours now. O(scopes).
    ///
    /// - Parameter left: a trait that is about to go.
    func refreshDrawing(without left: TraitIndex? = nil) {
        if scopeCount == 0 { return }
        for index in parts.scopes.inOrder {
            guard let scope = parts.scopes[index], draws(scope) else { continue }
            var hidden = scope.first
            while hidden >= 0 {
                var traits =
                    left == nil ? listened(by: scope) : parts.registrations.traits(of: hidden)
                if let left, !scope.reads.contains(left) { traits.remove(left) }
                retrait(hidden, traits)
                hidden = parts.registrations[hidden].nextOfScope
            }
        }
    }

    private func cover(_ node: Int32, _ index: Int32) {
        guard var scope = parts.scopes[index] else { return }
        noteVisits(1)
        let hidden = addHidden(node, listened(by: scope), .scope(index))
        parts.registrations.setNextOfScope(hidden, scope.first)
        scope.first = hidden
        parts.scopes.replace(index, scope)
    }

    /// Takes a scope's registrations away; the cell still names the first.
    func silence(scope index: Int32) {
        var hidden = parts.scopes[index]?.first ?? -1
        while hidden >= 0 {
            let next = parts.registrations[hidden].nextOfScope
            noteVisits(1)
            discard(hidden)
            hidden = next
        }
    }

    /// Takes one of a scope's registrations away. O(registrations of the scope).
    func dropFromScope(_ hidden: Int32) {
        guard let owner = parts.registrations[hidden].scope,
            var scope = parts.scopes[owner]
        else {
            return
        }
        let next = parts.registrations[hidden].nextOfScope
        if scope.first == hidden {
            scope.first = next
            parts.scopes.replace(owner, scope)
        } else {
            var index = scope.first
            while parts.registrations[index].nextOfScope != hidden {
                index = parts.registrations[index].nextOfScope
                noteMeasured(1)
            }
            parts.registrations.setNextOfScope(index, next)
        }
        discard(hidden)
    }

    /// A view inherits from this controller now: the controller's scopes cover it.
    @inline(__always)
    func joinScopes(_ view: Int32) {
        if parts.scopes.coveringCount > 0 { joinCoveringScopes(view) }
    }

    private func joinCoveringScopes(_ view: Int32) {
        let parent = parts.nodes.parent(of: view)
        guard parent > 0, parts.nodes[view].kind == .view,
            parts.nodes[parent].kind.scopesCoverViews
        else {
            return
        }
        let scopes = scopes(on: parent)
        for scope in scopes { cover(view, scope) }
        // A view that was there before is compared like all; a new one has nothing from before.
        if layout == nil, !scopes.isEmpty, isInTransaction, !transaction.isUndoing,
            parts.nodes[view].flags.contains(.created)
        {
            transaction.lists.joined.append(view)
        }
    }

    /// A view made in this transaction is covered by existing scopes: they see its values change
    /// from the defaults.
    func noteJoined(_ view: Int32) {
        let level = UInt64(min(level(of: view), 65_535)) << 48
        forEachRegistration(of: view) { index in
            guard let owner = parts.registrations[index].scope,
                let scope = parts.scopes[owner],
                scope.node != view
            else { return }
            let start = notifying.changes.count
            for trait in scope.reads.subtracting(TraitDefinitions.privateTraits) {
                let old = parts.traits[trait.rawValue].defaultWord
                let (new, source) = resolvedValue(trait.rawValue, view)
                if new == old { continue }
                notifying.changes.append(
                    FrameChange(
                        trait: trait.rawValue, layer: source.kind,
                        node: source.node?.rawValue ?? 0, revision: source.revision ?? 0,
                        old: old, new: new))
            }
            let frame = newFrame(from: start)
            if frame > 0 {
                noteHidden(index, view, frame, notifying.frames[Int(frame)].allLive, level)
            }
        }
    }

    /// A view is about to inherit from elsewhere.
    @inline(__always)
    func leaveScopes(_ view: Int32) {
        if parts.scopes.coveringCount > 0 { leaveCoveringScopes(view) }
    }

    private func leaveCoveringScopes(_ view: Int32) {
        guard parts.nodes[view].kind == .view else { return }
        var gone: [Int32] = []
        forEachRegistration(of: view) { index in
            guard let owner = parts.registrations[index].scope else { return }
            if parts.scopes[owner]?.node != view { gone.append(index) }
        }
        for hidden in gone { dropFromScope(hidden) }
    }
}
