// Transactions: all operations or none, one revision, one comparison of before and after.

extension Hierarchy {
    /// Opens a transaction. Operations follow, then `commit()` or `rollback()`. O(1), and one slice
    /// of reclaiming when deleted nodes wait for it.
    public func begin() {
        precondition(!isInTransaction, "a transaction is open already")
        precondition(!isFrozen, "a frozen hierarchy is for reading")
        if !snapshots.isEmpty { forgetClosedSnapshots() }
        isInTransaction = true
        log.begin()
        levels.measuredBefore = levels.measuredNodes
        sumsBefore = sums
        if !graveyard.isEmpty { reclaimSlice() }
    }

    /// Closes the transaction and tells what it changed. When that is nothing (the order of siblings
    /// aside, unless `orderNode` was to change it) everything is rolled back, and the commit says so; the first commit counts always.
    ///
    /// O(operations), and what is told: watched nodes that the changes reach, and their watched
    /// children.
    public func commit() -> Commit {
        precondition(isInTransaction, "no transaction is open")
        isCutShort = false
        if revision > 0, !hasChanged() {
            rollback()
            return Commit(
                revision: revision, isUnchanged: true, notifications: [], endedRegistrations: [],
                definitions: definitions, invalidations: [], frames: [], wideSelections: [],
                dynamics: [:])
        }
        if layout == nil { settleKeptValues() }
        if !journal.touched.isEmpty { settleRevisions() }
        if layout == nil, !contentLimits.isEmpty || !journal.limits.isEmpty { settleLimits() }
        let told = layout.map { tellShown($0) } ?? tell()
        let ended = endedInOrder()
        closeTransaction()
        storedRevision += 1
        log.seal(revision, sumsBefore)
        return Commit(
            revision: revision, isUnchanged: false, notifications: told.notifications,
            endedRegistrations: ended, definitions: definitions,
            invalidations: told.invalidations, frames: told.frames,
            wideSelections: told.wideSelections, dynamics: told.dynamics)
    }

    /// Has the open transaction be a commit even if it changes nothing of the hierarchy: something that
    /// is kept beside it changes.
    package func noteChangeOutside() { journal.changesOutside = true }

    /// Takes back the transaction's operations. O(operations).
    public func rollback() {
        precondition(isInTransaction, "no transaction is open")
        _ = takeBack()
        sums = sumsBefore
        closeTransaction()
    }

    /// Takes back the newest unacknowledged commit with its revision. Watches survive, unless
    /// their node or one of their traits goes: those that went are the answer. O(operations of the commit).
    @discardableResult
    public func undo() -> [RegistrationIndex] {
        precondition(!isInTransaction, "inside of a transaction")
        guard let sums = log.reopen() else {
            preconditionFailure("no commit is unacknowledged")
        }
        let gone = takeBack()
        journal.orderDelta = 0
        self.sums = sums
        storedRevision -= 1
        recycleIfSettled()
        return gone
    }

    /// Commits that can still be taken back.
    public var unacknowledgedCount: Int { log.unacknowledgedCount }

    /// Commits up to this revision can no longer be taken back: what they replaced is freed,
    /// deleted nodes in slices. O(operations) where values, nodes or registrations went.
    public func acknowledge(through revision: Int64) {
        while let part = log.acknowledgeOldest(through: revision) {
            if part.holdsResources {
                for position in part.entries { release(log[position]) }
            }
        }
        log.dropAcknowledged()
        if !graveyard.isEmpty { reclaimSlice() }
        recycleIfSettled()
    }

    private func endedInOrder() -> [EndedRegistration] {
        if journal.ended.count < 2 { return journal.ended }
        return journal.ended.sorted {
            registrations[$0.registration.rawValue].order
                < registrations[$1.registration.rawValue].order
        }
    }

    // MARK: - Closing

    func closeTransaction() {
        isInTransaction = false
        dropTours()
        for touched in journal.touched.view {
            links[touched.node].flags.remove(.touched)
        }
        if journal.createdAny {
            for position in log.transactionStart..<log.end {
                if case .created(let node) = log[position] { links[node].flags.remove(.created) }
            }
        }
        forgetNoted()
        journal.removeAll()
    }

    private func hasChanged() -> Bool {
        if journal.createdAlive > 0 || journal.registeredAlive > 0 || !journal.defined.isEmpty
            || journal.endsExisting || journal.scopesAlive > 0
            || !journal.named.isEmpty || !journal.scopesBefore.isEmpty && hasChangedScopes
            || !journal.limits.isEmpty && hasOtherLimits
            || journal.ordersSiblings && hasOtherOrder || journal.changesOutside
        {
            return true
        }
        return journal.touched.view.contains { isChanged($0) }
            || journal.updatesLayout && showsOtherwise
    }

    /// Whether siblings stand otherwise, when nothing else has changed.
    private var hasOtherOrder: Bool {
        layout == nil || journal.createdAny
            ? sums.content != sumsBefore.content : journal.orderDelta != 0
    }

    private func isChanged(_ before: TouchedNode) -> Bool {
        // A value is changed only to another one.
        if before.firstValue >= 0, !journal.changesAgain { return true }
        let node = before.node
        if structuralParent(node) != before.structuralParent { return true }
        if links[node].kind == .view, peer(node) != before.peer { return true }
        let label = links[node].extra < 0 ? -1 : extras[links[node].extra].label
        if label != before.label {
            let (old, new) = (labels[before.label], labels[label])
            if old.map({ Array($0.utf8) }) != new.map({ Array($0.utf8) }) { return true }
        }
        var isChanged = false
        forEachValue(of: before) { entry, current in
            if entry.old?.word != current?.word { isChanged = true }
        }
        return isChanged
    }

    /// The value entries of a touched node, each with what the node has now.
    func forEachValue(
        of touched: TouchedNode, _ body: (ReplacedValue, _ current: StoredValue?) -> Void
    ) {
        var relative = touched.firstValue
        while relative >= 0 {
            let entry = log.value(at: relative)
            body(entry, storedValue(entry.node, entry.trait, entry.layer))
            relative = entry.next
        }
    }

    /// A value that is what it was keeps the revision that set it.
    func settleRevisions() {
        if !journal.changesAgain { return }
        for touched in journal.touched.view where touched.firstValue >= 0 {
            // The values of a deleted node are no part of the state.
            if links[touched.node].flags.contains(.dead) { continue }
            forEachValue(of: touched) { entry, current in
                guard let old = entry.old, let current, old.word == current.word,
                    old.revision != current.revision
                else { return }
                countChange(entry.node, entry.trait, entry.layer, from: current, to: old)
                store(entry.node, entry.trait, entry.layer, old)
            }
        }
    }
}
