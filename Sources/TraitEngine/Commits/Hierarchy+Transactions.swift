// Transactions: all operations or none, one revision, one comparison of before and after.

extension Hierarchy {
    /// Opens a transaction. Operations follow, then `commit()` or `rollback()`. O(1), and one slice
    /// of reclaiming when deleted nodes wait for it.
    public func begin() {
        precondition(!isInTransaction, "a transaction is open already")
        precondition(!isFrozen, "a frozen hierarchy is for reading")
        if !snapshots.isEmpty { forgetClosedSnapshots() }
        transaction.isOpen = true
        transaction.log.begin()
        transaction.sumsBefore = parts.digest.sums
        if parts.nodes.hasReclaimable { reclaimSlice() }
    }

    /// Closes the transaction and answers what it changed. If that is nothing, everything is rolled
    /// back and the commit says so; the order of siblings counts only if `orderNode` was to change
    /// it. The first commit always gets a revision.
    ///
    /// O(operations, watched nodes that the changes reach, and their watched children).
    public func commit() -> Commit {
        precondition(isInTransaction, "no transaction is open")
        notifying.isCutShort = false
        showWrites()
        if transaction.summary.recountsDigest { recountDigest() }
        if revision > 0, !hasChanged() {
            rollback()
            return Commit(
                revision: revision, isUnchanged: true, notifications: [], endedRegistrations: [],
                definitions: definitions, invalidations: [], frames: [], wideSelections: [],
                dynamics: [:])
        }
        if layout == nil { updateKeptValues() }
        if !transaction.journal.touched.isEmpty { restoreRevisions() }
        if layout == nil, !parts.contentLimits.isEmpty || !transaction.lists.limits.isEmpty {
            recomputeLimits()
        }
        let report = layout.map { notifyShown($0) } ?? notify()
        let ended = endedInOrder()
        closeTransaction()
        parts.revision += 1
        transaction.log.seal(revision, transaction.sumsBefore)
        return Commit(
            revision: revision, isUnchanged: false, notifications: report.notifications,
            endedRegistrations: ended, definitions: definitions,
            invalidations: report.invalidations, frames: report.frames,
            wideSelections: report.wideSelections, dynamics: report.dynamics)
    }

    /// Makes the open transaction a commit even if it does not change the hierarchy: state beside
    /// the hierarchy changes.
    package func noteChangeOutside() { transaction.summary.changesOutside = true }

    /// Undoes the transaction's operations. O(operations).
    public func rollback() {
        precondition(isInTransaction, "no transaction is open")
        _ = undoEntries()
        parts.digest.restore(transaction.sumsBefore)
        closeTransaction()
    }

    /// Undoes the newest unacknowledged commit and its revision. Watches survive unless their node
    /// or one of their traits goes; the answer are those that went. O(operations of the commit).
    @discardableResult
    public func undo() -> [RegistrationIndex] {
        precondition(!isInTransaction, "inside of a transaction")
        guard let sums = transaction.log.reopen() else {
            preconditionFailure("no commit is unacknowledged")
        }
        let gone = undoEntries()
        transaction.summary.orderDelta = 0
        parts.digest.restore(sums)
        parts.revision -= 1
        recycleRetiredTraits()
        return gone
    }

    /// Commits that can still be undone.
    public var unacknowledgedCount: Int { transaction.log.unacknowledgedCount }

    /// Commits up to this revision can no longer be undone: what they replaced is freed, deleted
    /// nodes in slices. O(operations) where values, nodes or registrations went.
    public func acknowledge(through revision: Int64) {
        while let part = transaction.log.acknowledgeOldest(through: revision) {
            if part.holdsResources {
                for position in part.entries { release(transaction.log[position], at: position) }
            }
        }
        transaction.log.dropAcknowledged()
        if parts.nodes.hasReclaimable { reclaimSlice() }
        recycleRetiredTraits()
    }

    private func endedInOrder() -> [EndedRegistration] {
        if transaction.lists.ended.count < 2 { return transaction.lists.ended }
        return transaction.lists.ended.sorted {
            parts.registrations[$0.registration.rawValue].order
                < parts.registrations[$1.registration.rawValue].order
        }
    }

    // MARK: - Closing

    func closeTransaction() {
        transaction.isOpen = false
        for touched in transaction.journal.touched.view {
            parts.nodes.setTouched(touched.node, false)
        }
        if transaction.summary.createdAny {
            for position in transaction.log.transactionStart..<transaction.log.end {
                if case .created(let node) = transaction.log[position] {
                    parts.nodes.clearCreated(node)
                }
            }
        }
        forgetNoted()
        if !transaction.heldWords.isEmpty { releaseHeldWords() }
        transaction.startAnew()
    }

    private func hasChanged() -> Bool {
        if transaction.summary.createdAlive > 0 || transaction.summary.registeredAlive > 0
            || !transaction.lists.defined.isEmpty
            || !transaction.lists.redefined.isEmpty && hasRedefined
            || transaction.summary.endsExisting || transaction.summary.scopesAlive > 0
            || !transaction.lists.named.isEmpty
            || !transaction.lists.scopesBefore.isEmpty && hasChangedScopes
            || !transaction.lists.limits.isEmpty && hasOtherLimits
            || transaction.summary.ordersSiblings && hasOtherOrder
            || transaction.summary.changesOutside || transaction.summary.renames && hasOtherNames
        {
            return true
        }
        return transaction.journal.touched.view.contains { isChanged($0) }
            || transaction.summary.updatesLayout && (showsOtherwise || makesScopesStale)
    }

    /// Whether siblings stand otherwise, when nothing else has changed.
    private var hasOtherOrder: Bool {
        layout == nil || transaction.summary.createdAny
            ? parts.digest.sums.content != transaction.sumsBefore.content
            : transaction.summary.orderDelta != 0
    }

    private func isChanged(_ before: TouchedNode) -> Bool {
        // A value is changed only to another one.
        if before.firstValue >= 0, !transaction.summary.changesAgain { return true }
        let node = before.node
        if structuralParent(node) != before.structuralParent { return true }
        if parts.nodes[node].kind == .view, peer(node) != before.peer { return true }
        let label =
            parts.nodes.labelSlot(of: node)
        if label != before.label {
            let (old, new) = (parts.nodes.label(at: before.label), parts.nodes.label(at: label))
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
            let entry = transaction.log.value(at: relative)
            body(entry, storedValue(entry.node, entry.trait, entry.layer))
            relative = entry.next
        }
    }

    /// A value that is the same as before the transaction keeps its revision.
    func restoreRevisions() {
        if !transaction.summary.changesAgain { return }
        for touched in transaction.journal.touched.view where touched.firstValue >= 0 {
            // The values of a deleted node are no part of the state.
            if parts.nodes[touched.node].flags.contains(.dead) { continue }
            restoreRevisions(of: touched)
        }
    }

    /// Restores the revisions of one node's values that are the same as before the transaction.
    func restoreRevisions(of node: Int32) {
        guard transaction.summary.changesAgain,
            let position = transaction.journal.position(of: node)
        else { return }
        restoreRevisions(of: transaction.journal.touched[position])
    }

    private func restoreRevisions(of touched: TouchedNode) {
        forEachValue(of: touched) { entry, current in
            guard let old = entry.old, let current, old.word == current.word,
                old.revision != current.revision
            else { return }
            countChange(entry.node, entry.trait, entry.layer, from: current, to: old)
            store(entry.node, entry.trait, entry.layer, old)
        }
    }
}
