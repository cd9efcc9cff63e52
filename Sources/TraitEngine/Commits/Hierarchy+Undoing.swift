// Undoing operations, newest first, and freeing what is kept only for that.

extension Hierarchy {
    /// Undoes all entries since the log's transaction start. Answers the watches that were removed.
    func undoEntries() -> [RegistrationIndex] {
        var gone: [RegistrationIndex] = []
        transaction.isUndoing = true
        layout?.caches.seenChildren = [:]
        defer { transaction.isUndoing = false }
        while let entry = transaction.log.popLast() { undoEntries(entry, &gone) }
        parts.nodes.levels.loosen()
        if transaction.undoesNames {
            transaction.undoesNames = false
            if layout != nil { refreshFrameDigests() }
        }
        return gone
    }

    private func undoEntries(_ entry: UndoEntry, _ gone: inout [RegistrationIndex]) {
        switch entry {
        case .created(let node):
            removeWatches(of: node, &gone)
            destroy(node)
        case .moved(let node, let parent, let previous, let structural):
            parts.nodes.removeBridge(node)
            _ = relink(node, to: parent, behind: previous)
            parts.nodes.addBridge(node, structural)
        case .restructured(let node, let structural):
            parts.nodes.removeBridge(node)
            parts.nodes.addBridge(node, structural)
        case .reordered(let node, let previous): _ = reorder(node, behind: previous)
        case .paired(let view, let controller): parts.nodes.setPeer(view, controller)
        case .labelled(let node, let label):
            parts.nodes.restoreLabel(node, label)
        case .value(let value): putBack(value)
        case .marked(let node): unmarkDead(node)
        case .buried(let node, let parent, let previous):
            attach(node, to: parent, behind: previous)
        case .registered(let registration): discard(registration)
        case .ended(let registration, let earlier): revive(registration, behind: earlier)
        case .defined(let trait, let definitions):
            removeWatches(of: trait, &gone)
            // A definition that was undone before this entry may have taken the trait along.
            if self.definitions.definition(at: trait)?.affectsColorAppearance == true {
                refreshDrawing(without: trait)
            }
            releaseTraitSlot(trait)
            restoreDefinitions(definitions)
        case .redefined(let trait, let definitions, let redefinition):
            undoRedefinition(trait, redefinition)
            restoreDefinitions(definitions)
            if parts.traits[trait.rawValue].shown > 0 { changeFrameDigests(countsNodes: false) }
        case .undefined(_, let definitions), .renamed(let definitions):
            restoreDefinitions(definitions)
        case .nodeRenamed: restoreName(entry)
        case .traitRenamed(_, _, let definitions):
            restoreDefinitions(definitions)
            restoreName(entry)
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
        if let current, parts.traits.isPooled(entry.trait) {
            parts.pool.release(current.word)
        }
    }

    /// Removes watches on a node whose creation is undone. Its registrations are undone already.
    private func removeWatches(of node: Int32, _ gone: inout [RegistrationIndex]) {
        while parts.nodes[node].watch >= 0 {
            let index = parts.watches[parts.nodes[node].watch].firstRegistration
            if parts.registrations[index].isHidden {
                dropFromScope(index)
                continue
            }
            gone.append(RegistrationIndex(rawValue: index))
            discard(index)
        }
    }

    /// Removes watches on a trait whose definition is undone. Its registrations are undone already.
    private func removeWatches(of trait: TraitIndex, _ gone: inout [RegistrationIndex]) {
        for index in watches(of: trait) {
            gone.append(RegistrationIndex(rawValue: index))
            discard(index)
        }
    }

    private func restoreDefinitions(_ copy: Int32) {
        layout?.caches.forgetDefinitions()
        parts.digest.forgetDefinitions()
        guard let old = transaction.definitionCopies.remove(copy) else { return }
        let back = old.settable.union(old.hidden).subtracting(definitions.settable)
            .subtracting(definitions.hidden)
        parts.definitions = old
        refreshDrawing()
        if back.contains(where: { parts.traits[$0.rawValue].shown > 0 }) {
            changeFrameDigests(countsNodes: false)
        }
    }

    // MARK: - Freeing

    /// Frees what only undoing the entry needed.
    ///
    /// - Parameter position: the entry's position in the log.
    func release(_ entry: UndoEntry, at position: Int) {
        switch entry {
        case .value(let value):
            if let old = value.old, isPooled(value.trait, at: position) {
                parts.pool.release(old.word)
            }
        case .labelled(_, let label): parts.nodes.freeLabel(label)
        case .buried(let node, _, _): parts.nodes.makeReclaimable(node)
        case .ended(let registration, _): freeRegistration(registration)
        case .defined(_, let definitions), .renamed(let definitions):
            transaction.definitionCopies.remove(definitions)
        case .nodeRenamed(_, let name): transaction.formerNames.remove(name)
        case .traitRenamed(_, let name, let definitions):
            transaction.formerNames.remove(name)
            transaction.definitionCopies.remove(definitions)
        case .redefined(_, let definitions, let redefinition):
            transaction.definitionCopies.remove(definitions)
            releaseRedefinition(redefinition, at: position)
        case .scopeChanged(_, let copy): parts.scopes.takeCopy(copy)
        case .scopeEnded(let scope, _): parts.scopes.remove(scope)
        case .undefined(let trait, let definitions):
            transaction.definitionCopies.remove(definitions)
            releaseTraitSlot(trait)
            transaction.hasRetiredTraits = true
        case .layout(let before):
            if before.frame > 0, let layout { releaseFrame(before.frame, layout) }
        case .created, .moved, .restructured, .reordered, .paired, .marked, .registered, .scopeMade,
            .scopeStale, .limited:
            break
        }
    }

    /// When no commit can be undone and no node holds values of deleted traits, the indices of
    /// these traits may be used again.
    func recycleRetiredTraits() {
        guard transaction.log.isEmpty else { return }
        guard transaction.hasRetiredTraits, !parts.nodes.hasReclaimable else { return }
        let shown = TraitSet(
            parts.traits.indices.lazy.filter { self.parts.traits[$0].shown > 0 }.map {
                TraitIndex(rawValue: $0)
            })
        transaction.hasRetiredTraits = parts.definitions.recycleRemoved(except: shown)
    }
}
