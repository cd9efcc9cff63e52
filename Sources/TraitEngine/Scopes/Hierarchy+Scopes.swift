// Tracked scopes: part of the state, made, armed again and ended by transactions.

extension Hierarchy {
    /// Stores which traits a method read in its last run, and arms the scope: the next commit (or
    /// update pass) that changes one of them reports the scope once and makes it stale, until it
    /// is set again. The commit that sets a scope does not, except by updates of a layout
    /// hierarchy that follow in the same transaction. Setting an armed scope to the same traits
    /// changes nothing. The scope of a controller covers its own collection and that of its
    /// present root view; one of a presentation controller its own and those of the views in it
    /// that no controller owns.
    ///
    /// O(traits), for presentation controllers O(views inside).
    ///
    /// - Throws: `malformedIdentifier`, `scopeKind` when nodes of this kind have no such method,
    ///   `privateTrait` when only private members of the system sets are named, `limit`.
    public func setScope(
        _ node: NodeIndex, _ name: String, reads: TraitSet
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        showWrites()
        let kind = parts.nodes[node.rawValue].kind
        if !IdentifierRules.isWellFormed(name, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(name)
        }
        if ScopeMethod.invalidation(of: name, on: kind) == nil { throw .scopeKind(name, kind) }
        if let first = reads.first,
            reads.isDisjoint(with: definitions.settable.union(definitions.hidden))
        {
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
        findScope(node.rawValue, name).flatMap { parts.scopes[$0] }.map(info)
    }

    /// The node's scopes in the order in which they were first set. O(n log n) of them.
    public func scopes(of node: NodeIndex) -> [ScopeInfo] {
        scopes(on: node.rawValue).compactMap { parts.scopes[$0] }
            .sorted { $0.order < $1.order }.map(info)
    }

    /// Whether the node has at most so many scopes and registrations. O(count).
    public func hasScopes(atMost count: Int, _ node: NodeIndex) -> Bool {
        if scopeCount <= count { return true }
        let watch = parts.nodes[node.rawValue].watch
        if watch < 0 { return true }
        var index = parts.watches[watch].firstRegistration
        for _ in 0..<count {
            if index < 0 { return true }
            index = parts.registrations[index].next
        }
        return index < 0
    }

    func info(_ scope: Scope) -> ScopeInfo {
        ScopeInfo(
            node: NodeIndex(rawValue: scope.node), name: scope.name,
            invalidation: invalidation(of: scope), reads: scope.reads, isStale: scope.isStale,
            revision: scope.revision)
    }

    func invalidation(of scope: Scope) -> String {
        ScopeMethod.invalidation(of: scope.name, on: parts.nodes[scope.node].kind) ?? ""
    }

    /// The scopes on a node itself, in no order.
    func scopes(on node: Int32) -> [Int32] {
        if scopeCount == 0 { return [] }
        var list: [Int32] = []
        forEachRegistration(of: node) { index in
            guard let scope = parts.registrations[index].scope else { return }
            if parts.scopes[scope]?.node == node { list.append(scope) }
        }
        return list
    }

    /// A frozen hierarchy has no index: it would be made for few questions.
    private func findScope(_ node: Int32, _ name: String) -> Int32? {
        if isFrozen {
            return scopes(on: node).first { parts.scopes.hasName($0, node, name) }
        }
        return parts.scopes.find(node, name)
    }

    // MARK: - Changing

    private func makeScope(_ node: Int32, _ name: String, _ reads: TraitSet) {
        let scope = parts.scopes.make(
            node, name, coversViews: parts.nodes[node].kind.scopesCoverViews, reads: reads,
            revision: revision + 1)
        enlistScope(scope, behind: parts.scopes.last)
        listen(scope)
        transaction.summary.scopesAlive += 1
        transaction.lists.scopesSet.insert(scope)
        transaction.log.append(.scopeMade(scope), holdsResources: true)
    }

    private func change(scope index: Int32, _ reads: TraitSet) {
        guard var scope = parts.scopes[index] else { return }
        transaction.lists.scopesSet.insert(index)
        noteBaselines(of: scope)
        if !scope.isStale, scope.reads == reads { return }
        let before = transaction.lists.scopesBefore[index] ?? scope
        let isNew = transaction.lists.scopesBefore[index] == nil && scope.revision > revision
        if !isNew { transaction.lists.scopesBefore[index] = before }
        transaction.log.append(
            .scopeChanged(index, copy: parts.scopes.storeCopy(scope)), holdsResources: true)
        if scope.reads != reads {
            silence(scope: index)
            scope.first = -1
        }
        let isAsBefore = !isNew && before.reads == reads && !before.isStale
        let listens = scope.reads == reads
        scope.reads = reads
        scope.isStale = false
        scope.revision = isAsBefore ? before.revision : revision + 1
        parts.digest.remove(scopeFact(index))
        parts.scopes.replace(index, scope)
        parts.digest.add(scopeFact(index))
        if !listens { listen(index) }
    }

    /// Ends a scope within a transaction; its slot stays until acknowledged.
    func endScope(_ index: Int32) {
        guard var scope = parts.scopes[index] else { return }
        silence(scope: index)
        scope.first = -1
        parts.scopes.replace(index, scope)
        let earlier = delistScope(index)
        if transaction.lists.scopesBefore[index] == nil, scope.revision > revision {
            transaction.summary.scopesAlive -= 1
        } else {
            transaction.summary.endsExisting = true
        }
        transaction.log.append(.scopeEnded(index, earlier: earlier), holdsResources: true)
    }

    // MARK: - Undoing

    /// Undoes the making of a scope.
    func discardScope(_ index: Int32) {
        silence(scope: index)
        delistScope(index)
        parts.scopes.remove(index)
    }

    /// Undoes `endScope`.
    func reviveScope(_ index: Int32, behind earlier: Int32) {
        enlistScope(index, behind: earlier)
        listen(index)
    }

    /// Undoes a change of reads or of state.
    func restoreScope(_ index: Int32, _ copy: Int32) {
        guard let now = parts.scopes[index], var before = parts.scopes.takeCopy(copy)
        else { return }
        if now.reads == before.reads {
            before.first = now.first
            parts.scopes.replace(index, before)
        } else {
            silence(scope: index)
            before.first = -1
            parts.scopes.replace(index, before)
            listen(index)
        }
    }

    /// A scope went stale.
    func setStale(_ index: Int32, _ isStale: Bool) {
        guard var scope = parts.scopes[index] else { return }
        scope.isStale = isStale
        parts.digest.remove(scopeFact(index))
        parts.scopes.replace(index, scope)
        parts.digest.add(scopeFact(index))
    }

    /// Whether the transaction left a scope that was there otherwise than it was.
    var hasChangedScopes: Bool {
        transaction.lists.scopesBefore.contains { index, before in
            guard let now = parts.scopes[index] else { return true }
            return now.reads != before.reads || now.isStale != before.isStale
        }
    }

    // MARK: - Order, as the digest has it

    /// Makes a scope alive behind an earlier one, -1 for none.
    private func enlistScope(_ index: Int32, behind earlier: Int32) {
        let later = parts.scopes.later(than: earlier)
        if later >= 0 { parts.digest.remove(scopeOrderFact(later, behind: earlier)) }
        parts.scopes.enlist(index, behind: earlier)
        if later >= 0 { parts.digest.add(scopeOrderFact(later, behind: index)) }
        parts.digest.add(scopeOrderFact(index, behind: earlier))
        parts.digest.add(scopeFact(index))
    }

    /// Ends a scope. Returns the one before it.
    @discardableResult
    private func delistScope(_ index: Int32) -> Int32 {
        let (earlier, later) = parts.scopes.neighbours(of: index)
        parts.digest.remove(scopeFact(index))
        parts.digest.remove(scopeOrderFact(index, behind: earlier))
        if later >= 0 { parts.digest.remove(scopeOrderFact(later, behind: index)) }
        parts.scopes.delist(index)
        if later >= 0 { parts.digest.add(scopeOrderFact(later, behind: earlier)) }
        return earlier
    }
}
