// Tracked scopes: part of the state, made, armed again and ended by transactions.

extension Hierarchy {
    /// Notes which traits a method read in its last run, and arms the scope: the next commit (or
    /// update pass) that changes one of them tells once, and nothing more until it is set again.
    /// Not the commit that sets it, but for updates of a layout hierarchy that come after it in the
    /// same transaction. The same again, while armed, changes nothing. The scope of a
    /// controller covers its own collection and its root view's, whichever that is at the time;
    /// one of a presentation controller its own and those of views in it that nobody owns.
    ///
    /// O(traits), for presentation controllers O(views inside).
    ///
    /// - Throws: `malformedIdentifier`, `scopeKind` when nodes of this kind have no such method,
    ///   `privateTrait` when only private members of the system sets are named, `limit`.
    public func setScope(
        _ node: NodeIndex, _ name: String, reads: TraitSet
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let kind = links[node.rawValue].kind
        if !IdentifierRules.isWellFormed(name, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(name)
        }
        if ScopeMethod.invalidation(of: name, on: kind) == nil { throw .scopeKind(name, kind) }
        if let first = reads.first, reads.isDisjoint(with: definitions.settable) {
            throw .privateTrait(definitions[first].key)
        }
        if let known = findScope(node.rawValue, name) {
            change(scope: known, reads)
        } else if scopeCount >= limits.scopesMax {
            throw .limit(name: "scopesMax", value: limits.scopesMax)
        } else {
            makeScope(node.rawValue, name, reads)
        }
    }

    /// Ends a scope. Quiet when there is none. O(traits), for presentation controllers O(views
    /// inside).
    public func removeScope(_ node: NodeIndex, _ name: String) {
        precondition(isInTransaction, "outside of a transaction")
        if let scope = findScope(node.rawValue, name) { endScope(scope) }
    }

    /// The scope of that name. O(length of the name); in a frozen hierarchy O(registrations and
    /// scopes on the node).
    public func scope(_ node: NodeIndex, _ name: String) -> ScopeInfo? {
        findScope(node.rawValue, name).flatMap { scopeCells[$0] }.map(info)
    }

    /// The node's scopes in the order in which they were first set. O(n log n) of them.
    public func scopes(of node: NodeIndex) -> [ScopeInfo] {
        scopes(on: node.rawValue).compactMap { scopeCells[$0] }
            .sorted { $0.order < $1.order }.map(info)
    }

    func info(_ scope: Scope) -> ScopeInfo {
        ScopeInfo(
            node: NodeIndex(rawValue: scope.node), name: scope.name,
            invalidation: invalidation(of: scope), reads: scope.reads, isStale: scope.isStale,
            revision: scope.revision)
    }

    func invalidation(of scope: Scope) -> String {
        ScopeMethod.invalidation(of: scope.name, on: links[scope.node].kind) ?? ""
    }

    /// The scopes on a node itself, in no order.
    func scopes(on node: Int32) -> [Int32] {
        if scopeCount == 0 { return [] }
        var list: [Int32] = []
        forEachListener(of: node) { index in
            guard let scope = registrations[index].scope else { return }
            if scopeCells[scope]?.node == node { list.append(scope) }
        }
        return list
    }

    /// A frozen hierarchy has no index: it would be made for few questions.
    private func findScope(_ node: Int32, _ name: String) -> Int32? {
        func isWanted(_ scope: Int32) -> Bool {
            guard let cell = scopeCells[scope] else { return false }
            return cell.node == node && cell.name.utf8.elementsEqual(name.utf8)
        }
        if isFrozen { return scopes(on: node).first(where: isWanted) }
        return scopeIndex.find(Self.scopeHash(node, name), isWanted)
    }

    static func scopeHash(_ node: Int32, _ name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(node)
        hasher.combine(name)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    private func scopeHash(_ index: Int32) -> UInt64 {
        scopeCells[index].map { Self.scopeHash($0.node, $0.name) } ?? 0
    }

    /// Makes a scope that is alive findable by its node and name.
    func indexScope(_ index: Int32) { scopeIndex.insert(scopeHash(index), index) }

    func unindexScope(_ index: Int32) { scopeIndex.remove(scopeHash(index), index) }

    // MARK: - Changing

    private func makeScope(_ node: Int32, _ name: String, _ reads: TraitSet) {
        let scope = scopeCells.insert(
            Scope(
                node: node, order: nextScopeOrder, name: name, reads: reads,
                revision: revision + 1))
        nextScopeOrder += 1
        countScope(node, 1)
        enlistScope(scope, behind: lastScope)
        listen(scope)
        journal.scopesAlive += 1
        journal.scopesSet.insert(scope)
        log.append(.scopeMade(scope))
        log.holdsResources = true
    }

    private func change(scope index: Int32, _ reads: TraitSet) {
        guard var scope = scopeCells[index] else { return }
        journal.scopesSet.insert(index)
        noteBaselines(of: scope)
        if !scope.isStale, scope.reads == reads { return }
        let before = journal.scopesBefore[index] ?? scope
        let isNew = journal.scopesBefore[index] == nil && scope.revision > revision
        if !isNew { journal.scopesBefore[index] = before }
        log.append(.scopeChanged(index, copy: scopeCopies.insert(scope)))
        log.holdsResources = true
        if scope.reads != reads {
            silence(scope: index)
            scope.first = -1
        }
        let isAsBefore = !isNew && before.reads == reads && !before.isStale
        let listens = scope.reads == reads
        scope.reads = reads
        scope.isStale = false
        scope.revision = isAsBefore ? before.revision : revision + 1
        sums.remove(scopeFact(index))
        scopeCells.replace(index, scope)
        sums.add(scopeFact(index))
        if !listens { listen(index) }
    }

    /// Ends a scope within a transaction; its slot stays until acknowledged.
    func endScope(_ index: Int32) {
        guard var scope = scopeCells[index] else { return }
        silence(scope: index)
        scope.first = -1
        scope.isAlive = false
        let earlier = delistScope(index)
        scopeCells.replace(index, scope)
        countScope(scope.node, -1)
        if journal.scopesBefore[index] == nil, scope.revision > revision {
            journal.scopesAlive -= 1
        } else {
            journal.endsExisting = true
        }
        log.append(.scopeEnded(index, earlier: earlier))
        log.holdsResources = true
    }

    private func countScope(_ node: Int32, _ difference: Int) {
        scopeCount += difference
        if links[node].kind.scopesCoverViews { coveringScopeCount += difference }
    }

    // MARK: - Taking back

    /// Takes the making of a scope back.
    func discardScope(_ index: Int32) {
        guard let scope = scopeCells[index] else { return }
        silence(scope: index)
        countScope(scope.node, -1)
        delistScope(index)
        scopeCells.remove(index)
    }

    /// Takes `endScope` back.
    func reviveScope(_ index: Int32, behind earlier: Int32) {
        guard var scope = scopeCells[index] else { return }
        scope.isAlive = true
        scopeCells.replace(index, scope)
        enlistScope(index, behind: earlier)
        countScope(scope.node, 1)
        listen(index)
    }

    /// Takes a change of reads or of state back.
    func restoreScope(_ index: Int32, _ copy: Int32) {
        guard let now = scopeCells[index], var before = scopeCopies.remove(copy) else { return }
        if now.reads == before.reads {
            before.first = now.first
            scopeCells.replace(index, before)
        } else {
            silence(scope: index)
            before.first = -1
            scopeCells.replace(index, before)
            listen(index)
        }
    }

    /// A scope went stale.
    func setStale(_ index: Int32, _ isStale: Bool) {
        guard var scope = scopeCells[index] else { return }
        scope.isStale = isStale
        sums.remove(scopeFact(index))
        scopeCells.replace(index, scope)
        sums.add(scopeFact(index))
    }

    /// Whether the transaction left a scope that was there otherwise than it was.
    var hasChangedScopes: Bool {
        journal.scopesBefore.contains { index, before in
            guard let now = scopeCells[index] else { return true }
            return now.reads != before.reads || now.isStale != before.isStale
        }
    }
}
