// The one mutator. A commit is applied to the head, handed to the log, and becomes visible
// (to streams, and by releasing the answers that saw it) when the log has acknowledged it.

import JSONCodec
import SessionLog
import TraitEngine

/// What a write asks for beside its operations.
struct CommitOptions {
    var dryRun = false
    /// Whether the answer lists the changes.
    var changes = false
    /// The condition of a transaction's `ifRevision`.
    var ifRevision: Int64?
    /// `cause` of the stream records, ready to copy; empty when there is none.
    var cause: [UInt8] = []
}

/// What came of a write.
struct CommitOutcome {
    let revision: Int64
    let isUnchanged: Bool
    let notified: Int
    /// The notes of the commit, for answers with `changes`.
    let notes: [RetainedCommit.Note]
}

extension Session {
    /// Applies `operations` as one commit: all of them or, when one throws, none.
    ///
    /// Runs while the lock is held.
    /// - Parameters:
    ///   - describe: called with the outcome while the commit is applied, also in a dry run.
    ///   - wakes: filled with who has to be woken once the lock is free.
    func commit(
        _ options: CommitOptions, text: TextBuffer, wakes: inout WakeList,
        describe: (CommitOutcome) -> Void = { _ in },
        _ operations: (inout Transaction) throws(Problem) -> Void
    ) throws(Problem) -> CommitOutcome {
        if let expected = options.ifRevision, expected != head { throw movedOn() }
        var transaction = open(text)
        do throws(Problem) {
            try operations(&transaction)
        } catch {
            abandon(transaction)
            throw error
        }
        return try complete(transaction, options, wakes: &wakes, describe: describe)
    }

    /// Begins a commit; `complete` or `abandon` ends it.
    /// - Parameter text: where the operations are written down; what it held is gone.
    func open(_ text: TextBuffer) -> Transaction {
        hierarchy.begin()
        return Transaction(self, text: text)
    }

    func abandon(_ transaction: Transaction) {
        hierarchy.rollback()
        forget(transaction)
    }

    /// - Parameter admit: called when everything is applied and the log comes next; may refuse
    ///   it still.
    func complete(
        _ transaction: Transaction, _ options: CommitOptions, wakes: inout WakeList,
        describe: (CommitOutcome) -> Void,
        admit: () throws(Problem) -> Void = { () throws(Problem) in }
    ) throws(Problem) -> CommitOutcome {
        let text = transaction.text
        let commit = hierarchy.commit()
        if commit.isUnchanged {
            forget(transaction)
            let outcome = CommitOutcome(
                revision: head, isUnchanged: true, notified: 0, notes: [])
            describe(outcome)
            return outcome
        }
        let notes = notes(of: commit)
        let outcome = CommitOutcome(
            revision: commit.revision, isUnchanged: false,
            notified: notes.count { $0.isRegistered }, notes: notes)
        if options.dryRun {
            describe(outcome)
            undo(wakes: &wakes)
            forget(transaction)
            return outcome
        }
        do throws(Problem) {
            try admit()
        } catch {
            undo(wakes: &wakes)
            forget(transaction)
            throw error
        }
        describe(outcome)
        text.json.endArray()
        let retained = RetainedCommit(
            entry: LogEntry(
                revision: commit.revision, time: environment.now(), payload: text.json.array()),
            isWhole: !transaction.isTextDropped, cause: options.cause,
            counts: transaction.counts, notes: notes, endings: endings(of: commit))
        try append(retained, wakes: &wakes)
        return outcome
    }

    /// What a transaction that came to nothing may have left behind beside the engine.
    private func forget(_ transaction: Transaction) {
        if transaction.changesDefinitions { encodings.reset() }
        for id in transaction.registered { forgetRegistrationNote(id) }
    }

    /// Drops a note that belongs to no registration any more.
    private func forgetRegistrationNote(_ id: String) {
        guard let note = registrationNotes[id] else { return }
        let present = hierarchy.registration(named: id).map { hierarchy.registrationInfo($0) }
        if present?.createdRevision != note.revision { registrationNotes[id] = nil }
    }

    private func forgetLostRegistrationNotes() {
        for id in Array(registrationNotes.keys) { forgetRegistrationNote(id) }
    }

    func movedOn() -> Problem {
        Problem(
            .revisionMismatch,
            "The session is at revision \(head). Read again, then repeat with this revision."
        ).with("currentRevision", head)
    }

    // MARK: - The log

    private func append(_ commit: RetainedCommit, wakes: inout WakeList) throws(Problem) {
        let result = log.append(
            [commit.entry], to: logSession, expecting: commit.revision - 1, observer: self)
        guard let result else {
            pending.append(PendingCommit(commit: commit))
            return
        }
        guard isKept(result, commit.revision) else {
            undo(wakes: &wakes)
            encodings.reset()
            forgetLostRegistrationNotes()
            throw notKept(result)
        }
        // Appends finish in order, so one that is answered at once has none before it.
        precondition(pending.isEmpty, "the log answered an append before an earlier one")
        acknowledge(commit, wakes: &wakes)
    }

    /// The oldest append that was under way has ended. Runs while the lock is held.
    func finish(_ result: AppendResult, wakes: inout WakeList) {
        guard let first = pending.first else { return }
        pending.removeFirst()
        if first.isWithdrawn { return }
        if isKept(result, first.commit.revision) {
            acknowledge(first.commit, wakes: &wakes)
        } else {
            withdraw(from: first.commit.revision, result, wakes: &wakes)
        }
    }

    /// An append whose fate is unknown is settled by what the log says its head is.
    private func isKept(_ result: AppendResult, _ revision: Int64) -> Bool {
        switch result {
        case .appended: true
        case .conflict, .refused: false
        case .unknown: (log.bounds(of: logSession)?.head ?? 0) >= revision
        }
    }

    private func acknowledge(_ commit: RetainedCommit, wakes: inout WakeList) {
        acknowledged = commit.revision
        hierarchy.acknowledge(through: commit.revision)
        if let dropped = retained.append(commit), !log.survivesRestart {
            log.truncate(logSession, through: dropped)
        }
        for case let id? in commit.endings.map(\.id) { forgetRegistrationNote(id) }
        feeds.publish(commit, wakes: &wakes)
        release(through: commit.revision, wakes: &wakes)
    }

    /// Takes back every commit from `revision` on, newest first.
    private func withdraw(
        from revision: Int64, _ result: AppendResult, wakes: inout WakeList
    ) {
        for position in pending.indices { pending[position].isWithdrawn = true }
        withdrawals += 1
        while head >= revision { undo(wakes: &wakes) }
        encodings.reset()
        forgetLostRegistrationNotes()
        if head == 0 {
            isDeleted = true
            onLost?(self)
        }
        fail(from: revision, with: notKept(result), wakes: &wakes)
    }

    /// Undoes the newest commit; streams on nodes that were never there end.
    private func undo(wakes: inout WakeList) {
        for watch in hierarchy.undo() { feeds.fail(watch, at: head, wakes: &wakes) }
    }

    private func notKept(_ result: AppendResult) -> Problem {
        switch result {
        case .refused(let reason):
            return Problem(
                .storageFull, "The log refused the commit: \(reason). Nothing changed.")
        case .conflict(let head):
            return Problem(
                .logUnavailable,
                "Another writer was first: the log is at revision \(head). Nothing changed; try again."
            )
        case .unknown(let reason):
            return Problem(
                .logUnavailable,
                "The log did not keep the commit: \(reason). Nothing changed; try again.")
        case .appended:
            return Problem(.internalError, "The log kept the commit.")
        }
    }
}

extension Session: AppendObserver {
    /// From the log's thread: an append that was under way has ended.
    func append(through revision: Int64, finished result: AppendResult) {
        var wakes = WakeList()
        locked { finish(result, wakes: &wakes) }
        wakes.wake()
    }
}
