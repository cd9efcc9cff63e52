// Registrations that nobody made: those through which scopes, and registrations that name colours
// or images, hear of changes. They follow from what they work for, so no log remembers them.

extension Registration {
    /// Works for a scope, or for a registration that names colours or images.
    var isHidden: Bool { references == Self.forScope || references == Self.forDynamics }
    var isForScope: Bool { references == Self.forScope }
    var isForDynamics: Bool { references == Self.forDynamics }
    /// Of a hidden one: the scope or registration that it works for. It stands in no list of all.
    var owner: Int32 { laterRegistration }

    static let forScope: Int32 = -1
    static let forDynamics: Int32 = -2

    /// The slot of the colours and images that a registration names; -1 for none.
    var dynamics: Int32 { references <= -3 ? -3 - references : -1 }

    static func references(dynamics slot: Int32) -> Int32 { -3 - slot }

    /// Of a hidden one: the revision of the commit that made it. `createdRevision` lies so far in
    /// the future that no telling takes it for one that somebody made.
    var madeRevision: Int64 { .max - createdRevision }
}

extension Hierarchy {
    func addHidden(
        _ node: Int32, _ traits: TraitSet, _ role: Int32, owner: Int32, isBack: Bool = false
    ) -> Int32 {
        // What comes back was there before.
        let made = isTakingBack || isBack ? 0 : revision + 1
        let index = addRegistration(node, traits, .max - made, references: role)
        registrations[index].laterRegistration = owner
        hiddenCount += 1
        return index
    }

    /// A hidden registration is on a node that goes: what it works for ends, or loses it.
    func endHidden(_ index: Int32, _ reason: EndedRegistration.Reason) {
        let hidden = registrations[index]
        if hidden.isForDynamics { return end(hidden.owner, reason) }
        if scopeCells[hidden.owner]?.node == hidden.node { return endScope(hidden.owner) }
        dropFromScope(index)
    }

    // MARK: - Scopes

    /// Makes a scope's registrations.
    func listen(_ index: Int32) {
        guard let scope = scopeCells[index] else { return }
        cover(scope.node, index)
        if !links[scope.node].kind.scopesCoverViews { return }
        var child = firstChild(of: scope.node)
        while child >= 0 {
            if links[child].kind == .view { cover(child, index) }
            child = links[child].next
        }
    }

    private func cover(_ node: Int32, _ index: Int32) {
        guard var scope = scopeCells[index] else { return }
        let isBack = !journal.leftScopes.isEmpty && journal.leftScopes.contains(pair(index, node))
        let hidden = addHidden(
            node, scope.reads, Registration.forScope, owner: index, isBack: isBack)
        registrations[hidden].earlierRegistration = scope.first
        scope.first = hidden
        scopeCells.replace(index, scope)
    }

    /// Takes a scope's registrations away; the cell still names the first.
    func silence(scope index: Int32) {
        var hidden = scopeCells[index]?.first ?? -1
        while hidden >= 0 {
            let next = registrations[hidden].earlierRegistration
            discard(hidden)
            hidden = next
        }
    }

    /// Takes one of a scope's registrations away. O(registrations of the scope).
    func dropFromScope(_ hidden: Int32) {
        let owner = registrations[hidden].owner
        guard var scope = scopeCells[owner] else { return }
        let next = registrations[hidden].earlierRegistration
        if scope.first == hidden {
            scope.first = next
            scopeCells.replace(owner, scope)
        } else {
            var index = scope.first
            while registrations[index].earlierRegistration != hidden {
                index = registrations[index].earlierRegistration
            }
            registrations[index].earlierRegistration = next
        }
        discard(hidden)
    }

    /// A view inherits from this controller now: the controller's scopes cover it.
    @inline(__always)
    func joinScopes(_ view: Int32) {
        if coveringScopeCount > 0 { joinCoveringScopes(view) }
    }

    private func joinCoveringScopes(_ view: Int32) {
        let parent = hot[view].parent
        guard parent > 0, links[view].kind == .view, links[parent].kind.scopesCoverViews else {
            return
        }
        for scope in scopes(on: parent) { cover(view, scope) }
    }

    /// A view is about to inherit from elsewhere.
    @inline(__always)
    func leaveScopes(_ view: Int32) {
        if coveringScopeCount > 0 { leaveCoveringScopes(view) }
    }

    private func leaveCoveringScopes(_ view: Int32) {
        guard links[view].kind == .view else { return }
        var gone: [Int32] = []
        forEachListener(of: view) { index in
            let hidden = registrations[index]
            if hidden.isForScope, scopeCells[hidden.owner]?.node != view { gone.append(index) }
        }
        for hidden in gone {
            if registrations[hidden].madeRevision <= revision, isInTransaction {
                journal.leftScopes.insert(pair(registrations[hidden].owner, view))
            }
            dropFromScope(hidden)
        }
    }

    private func pair(_ scope: Int32, _ view: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: scope)) << 32 | UInt64(UInt32(bitPattern: view))
    }
}
