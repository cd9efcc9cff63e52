// Taking operations back, newest first, and letting go of what is needed only for that.

extension Hierarchy {
    /// Takes back everything behind the log's transaction start. Answers the watches that went.
    func takeBack() -> [RegistrationIndex] {
        var gone: [RegistrationIndex] = []
        isTakingBack = true
        dropTours()
        layout?.seenChildren = [:]
        defer { isTakingBack = false }
        while let entry = log.popLast() { takeBack(entry, &gone) }
        levels.restoreFormer()
        return gone
    }

    private func takeBack(_ entry: UndoEntry, _ gone: inout [RegistrationIndex]) {
        switch entry {
        case .created(let node):
            removeWatches(of: node, &gone)
            destroy(node)
        case .moved(let node, let parent, let previous, let structural):
            removeBridge(node)
            _ = relink(node, to: parent, behind: previous)
            addBridge(node, structural)
        case .restructured(let node, let structural):
            removeBridge(node)
            addBridge(node, structural)
        case .reordered(let node, let previous): _ = reorder(node, behind: previous)
        case .paired(let view, let controller): setPeer(view, controller)
        case .labelled(let node, let label):
            let extra = links[node].extra
            labels.remove(extras[extra].label)
            extras[extra].label = label
        case .value(let value): putBack(value)
        case .marked(let node): unmarkDead(node)
        case .buried(let node, let parent, let previous):
            attach(node, to: parent, behind: previous)
        case .registered(let registration): discard(registration)
        case .ended(let registration, let earlier): revive(registration, behind: earlier)
        case .defined(let trait, let definitions):
            removeWatches(of: trait, &gone)
            releaseTraitSlot(trait)
            restoreDefinitions(definitions)
        case .undefined(_, let definitions), .renamed(let definitions):
            restoreDefinitions(definitions)
        case .scopeMade(let scope): discardScope(scope)
        case .scopeChanged(let scope, let copy): restoreScope(scope, copy)
        case .scopeStale(let scope): setStale(scope, false)
        case .scopeEnded(let scope, let earlier): reviveScope(scope, behind: earlier)
        case .layout(let before): restoreLayout(before)
        case .limited(let node, let limits): put(limits, node)
        }
    }

    private func putBack(_ entry: ReplacedValue) {
        let current = storedValue(entry.node, entry.trait, entry.layer)
        store(entry.node, entry.trait, entry.layer, entry.old)
        if let current, traits[Int32(entry.trait)].coding == .pooled {
            pool.release(current.word)
        }
    }

    /// Watches on a node whose creation is taken back. Registrations there went before.
    private func removeWatches(of node: Int32, _ gone: inout [RegistrationIndex]) {
        while links[node].watch >= 0 {
            let index = watchNodes[links[node].watch].firstRegistration
            if registrations[index].isHidden {
                dropFromScope(index)
                continue
            }
            gone.append(RegistrationIndex(rawValue: index))
            discard(index)
        }
    }

    /// Watches on a trait whose definition is taken back. Registrations went before.
    private func removeWatches(of trait: TraitIndex, _ gone: inout [RegistrationIndex]) {
        for index in watches(of: trait) {
            gone.append(RegistrationIndex(rawValue: index))
            discard(index)
        }
    }

    private func restoreDefinitions(_ copy: Int32) {
        layout?.collections = [:]
        definitionSums = nil
        guard let old = definitionCopies.remove(copy) else { return }
        let back = old.settable.union(old.hidden).subtracting(definitions.settable)
            .subtracting(definitions.hidden)
        storedDefinitions = old
        if back.contains(where: { traits[Int32($0.rawValue)].shown > 0 }) {
            changeFrameDigests(countsNodes: false)
        }
    }

    // MARK: - Letting go

    /// An entry that will not be taken back any more.
    func release(_ entry: UndoEntry) {
        switch entry {
        case .value(let value):
            if let old = value.old, traits[Int32(value.trait)].coding == .pooled {
                pool.release(old.word)
            }
        case .labelled(_, let label): labels.remove(label)
        case .buried(let node, _, _): condemn(node)
        case .ended(let registration, _): freeRegistration(registration)
        case .defined(_, let definitions), .renamed(let definitions):
            definitionCopies.remove(definitions)
        case .scopeChanged(_, let copy): scopeCopies.remove(copy)
        case .scopeEnded(let scope, _): scopeCells.remove(scope)
        case .undefined(let trait, let definitions):
            definitionCopies.remove(definitions)
            releaseTraitSlot(trait)
            hasRetiredTraits = true
        case .layout(let before):
            if before.frame > 0, let layout { releaseFrame(before.frame, layout) }
        case .created, .moved, .restructured, .reordered, .paired, .marked, .registered, .scopeMade,
            .scopeStale, .limited:
            break
        }
    }

    /// When nothing can be taken back and nobody remembers values of deleted traits, their
    /// indices may be used again.
    func recycleIfSettled() {
        guard log.isEmpty else { return }
        levels.forgetFormer()
        guard hasRetiredTraits, graveyard.isEmpty else { return }
        let shown = TraitSet(
            (0..<traits.count).lazy.filter { self.traits[Int32($0)].shown > 0 }
                .map { TraitIndex(rawValue: UInt16(truncatingIfNeeded: $0)) })
        hasRetiredTraits = storedDefinitions.recycleRemoved(except: shown)
    }
}
