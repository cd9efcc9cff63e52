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
        switch entry.operation {
        case .created:
            removeWatches(of: entry.node, &gone)
            destroy(entry.node)
        case .placed: unplace(entry)
        case .ordered: _ = reorder(entry.node, behind: entry.a)
        case .paired: setPeer(entry.node, entry.a)
        case .labelled:
            let extra = links[entry.node].extra
            labels.remove(extras[extra].label)
            extras[extra].label = entry.a
        case .value: putBack(entry)
        case .marked: unmarkDead(entry.node)
        case .buried: attach(entry.node, to: entry.a, behind: entry.b)
        case .registered: discard(entry.a)
        case .ended: revive(entry)
        case .defined:
            let trait = TraitIndex(rawValue: entry.trait)
            removeWatches(of: trait, &gone)
            releaseTraitSlot(trait)
            restoreDefinitions(entry)
        case .undefined, .renamed: restoreDefinitions(entry)
        case .scoped: discardScope(entry.a)
        case .rescoped: restoreScope(entry)
        case .staled: setStale(entry.a, false)
        case .unscoped: reviveScope(entry.a, behind: entry.b)
        case .layout: restoreLayout(entry)
        case .limited: restoreLimits(entry)
        }
    }

    private func putBack(_ entry: UndoEntry) {
        let current = storedValue(entry.node, entry.trait, entry.layer)
        store(entry.node, entry.trait, entry.layer, entry.storedValue)
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

    private func restoreDefinitions(_ entry: UndoEntry) {
        layout?.collections = [:]
        definitionSums = nil
        guard let old = definitionCopies.remove(entry.a) else { return }
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
        switch entry.operation {
        case .value:
            if entry.a == 1, traits[Int32(entry.trait)].coding == .pooled {
                pool.release(entry.word)
            }
        case .labelled: labels.remove(entry.a)
        case .buried: condemn(entry.node)
        case .ended: freeRegistration(entry.a)
        case .defined, .renamed: definitionCopies.remove(entry.a)
        case .rescoped: scopeCopies.remove(entry.b)
        case .unscoped: scopeCells.remove(entry.a)
        case .undefined:
            definitionCopies.remove(entry.a)
            releaseTraitSlot(TraitIndex(rawValue: entry.trait))
            hasRetiredTraits = true
        case .layout:
            if entry.a > 0, let layout { releaseFrame(entry.a, layout) }
        case .created, .placed, .ordered, .paired, .marked, .registered, .scoped, .staled, .limited:
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
