// The one mutator. A write is decided under the session's lock: its operations are applied to the
// head and become a log entry. The entry is handed to the log without any lock, and the commit
// becomes visible (to streams, and by releasing the answers that saw it) when the log has
// acknowledged it.

import JSONCodec
import SessionLog
import TraitEngine

/// How a write ended.
package enum WriteResult {
    /// The answer may go out. `head` is the revision that it shows.
    case done(CommitOutcome, head: Int64)
    /// The answer waits for the log.
    case pending(PendingResponse)
}

extension Session {
    /// Decides a write: all of its operations as one commit or, when one is refused, none.
    ///
    /// - Parameters:
    ///   - text: where the log entry is written; what it held is gone.
    ///   - body: gets the answer that the proposal asks for. After `pending` the response has it.
    ///   - wakes: filled with what has to be woken when the call has returned.
    /// - Throws: what the operations, the conditions or the log refuse.
    package func commit(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        guard let writer else {
            return try commitAtOnce(proposal, text: text, body: &body, wakes: &wakes)
        }
        let result = try decideForWriter(proposal, text: text, body: &body, wakes: &wakes)
        if case .pending = result { writer.submit(self) }
        return result
    }

    /// The way through a log that answers at once: the request is still there when the log has
    /// answered, so nothing of it is copied.
    private func commitAtOnce(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        commitLock.lock()
        defer { commitLock.unlock() }
        let mark = body.count
        while true {
            lock.lock()
            let decided: DecidedCommit
            do throws(SessionError) {
                decided = try decide(proposal, text: text, body: &body, wakes: &wakes)
            } catch {
                lock.unlock()
                throw error
            }
            let head = head
            guard let commit = decided.commit else {
                lock.unlock()
                return .done(decided.outcome, head: head)
            }
            enqueue(commit, decided, response: nil)
            lock.unlock()
            let result = log.append(
                commit.entry, to: logSession, expecting: commit.revision - 1)
            reported.meters?.add(.appends, stripe: wakes.stripe)
            reported.meters?.add(.appendedEntries, stripe: wakes.stripe)
            if try settle(result, of: [commit], wakes: &wakes) {
                return .done(decided.outcome, head: commit.revision)
            }
            if locked({ isDeleted }) { finishEnd() }
            body.truncate(to: mark)
        }
    }

    /// The way through a log that answers later.
    private func decideForWriter(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let mark = body.count
        lock.lock()
        defer { lock.unlock() }
        if let end = responseAfterEnd() { return .pending(end) }
        let decided = try decide(proposal, text: text, body: &body, wakes: &wakes)
        guard decided.commit != nil || !pending.isEmpty else {
            return .done(decided.outcome, head: head)
        }
        let write = RetainedWrite(proposal)
        write.record(decided.outcome, body: Array(body.bytes[mark...]))
        let response = PendingResponse(
            revision: head, hasCommit: decided.commit != nil, write: write)
        if let commit = decided.commit { enqueue(commit, decided, response: response) }
        responses.append(response)
        return .pending(response)
    }

    // MARK: - Deciding

    /// A write that was applied to the head.
    struct DecidedCommit {
        let outcome: CommitOutcome
        /// Nil when nothing is to be logged.
        let commit: RetainedCommit?
        let chainBefore: UInt64
        let notesDigestBefore: StateDigest

        init(
            outcome: CommitOutcome, commit: RetainedCommit?, chainBefore: UInt64,
            notesDigestBefore: StateDigest
        ) {
            self.outcome = outcome
            self.commit = commit
            self.chainBefore = chainBefore
            self.notesDigestBefore = notesDigestBefore
        }

        /// What an identical request came to before.
        init(_ known: RecordedOutcome, chainBefore: UInt64, notesDigestBefore: StateDigest) {
            let outcome = CommitOutcome(
                revision: known.revision, isUnchanged: false, isNew: known.isNew,
                notified: known.notified, isRepeated: true, notes: [])
            self.init(
                outcome: outcome, commit: nil, chainBefore: chainBefore,
                notesDigestBefore: notesDigestBefore)
        }
    }

    /// Applies a proposal to the head. Runs while the lock is held.
    func decide(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> DecidedCommit {
        if isDeleted { throw .deleted(name) }
        if let request = proposal.options.idempotency,
            let known = try outcomes.outcome(of: request)
        {
            known.answer.withUnsafeBytes { body.verbatim($0) }
            return DecidedCommit(known, chainBefore: chain, notesDigestBefore: notesDigest)
        }
        guard proposal.options.condition.isMet(by: self) else { throw movedOn() }
        let shortage = shortage(for: proposal.options)
        let mark = body.count
        var opened = open(
            text, time: environment.now(), wantsNew: proposal.options.wantsNew,
            cause: proposal.options.cause)
        do throws(SessionError) {
            try proposal.apply(to: &opened.transaction, shortage: shortage)
        } catch {
            abandon(opened.transaction)
            throw error
        }
        return try complete(
            opened, proposal.options, heardBytesMax: limits.heardBytesMax, wakes: &wakes
        ) { outcome in
            self.write(proposal.answer, outcome, proposal.options, into: &body)
            guard let request = proposal.options.idempotency else { return nil }
            return RecordedOutcome(
                request, outcome, answer: UnsafeRawBufferPointer(rebasing: body.bytes[mark...]))
        }
    }

    /// A transaction whose entry has begun in its text.
    struct OpenCommit {
        var transaction: Transaction
        let payload: EntryPayload.Opening
    }

    /// Begins a commit; `complete` or `abandon` ends it.
    func open(
        _ text: TextBuffer, time: Int64, wantsNew: Bool = false, cause: [UInt8] = []
    ) -> OpenCommit {
        hierarchy.begin()
        let payload = cause.withUnsafeBytes {
            EntryPayload.begin(text, header: head == 0 ? header : nil, cause: $0)
        }
        return OpenCommit(
            transaction: Transaction(self, time: time, wantsNew: wantsNew, text: text),
            payload: payload)
    }

    func abandon(_ transaction: Transaction) {
        hierarchy.rollback()
        forget(transaction)
    }

    /// - Parameters:
    ///   - heardBytesMax: what the commit may have its hearers hear; nil for one that the log has.
    ///   - describe: called with the outcome while the commit is applied, also in a dry run; returns
    ///     what is to be recorded for a request that may be repeated.
    /// - Throws: `transactionTooLarge` when registrations would hear too much, `memoryFull` when the
    ///   commit takes more memory than there is; nothing is changed then.
    func complete(
        _ opened: OpenCommit, _ options: CommitOptions, heardBytesMax: Int? = nil,
        wakes: inout WakeList, describe: (CommitOutcome) -> RecordedOutcome?
    ) throws(SessionError) -> DecidedCommit {
        let transaction = opened.transaction
        let before = notesDigest
        let commit = hierarchy.commit()
        var heard = CommitNotes()
        if !commit.isUnchanged {
            do throws(SessionError) {
                heard = try self.notes(of: commit, bytesMax: heardBytesMax)
                if heardBytesMax != nil { try checkGrowth(of: transaction, heard: heard.bytes) }
            } catch {
                undoEngine(wakes: &wakes)
                forget(transaction)
                throw error
            }
        }
        let notes = heard.notes
        let outcome = CommitOutcome(
            revision: head, isUnchanged: commit.isUnchanged, isNew: transaction.isNew,
            notified: notes.count { $0.isRegistered }, notes: notes)
        let recorded = describe(outcome)
        if commit.isUnchanged || options.dryRun {
            if !commit.isUnchanged { undoEngine(wakes: &wakes) }
            forget(transaction)
            return DecidedCommit(
                outcome: outcome, commit: nil, chainBefore: chain, notesDigestBefore: before)
        }
        let endings =
            endings(of: commit)
            + heard.lostWatches.map { .init(registration: $0, key: nil, reason: .limit) }
        updateNotesDigest(transaction, endings)
        let payload = EntryPayload.end(
            transaction.text, opened.payload, digest: digest.full,
            isWhole: !transaction.isTextDropped, outcome: recorded)
        if let recorded { outcomes.add(recorded) }
        let entry = LogEntry(
            revision: commit.revision, time: transaction.time,
            payload: transaction.text.json.array(), after: chain)
        return DecidedCommit(
            outcome: outcome,
            commit: RetainedCommit(
                entry: entry, payload: payload, isWhole: !transaction.isTextDropped,
                counts: transaction.counts, notes: notes, noteBytes: heard.bytes,
                endings: endings, decidedAt: feeds.listenerCount > 0 ? environment.ticks() : 0),
            chainBefore: chain, notesDigestBefore: before)
    }

    func enqueue(
        _ commit: RetainedCommit, _ decided: DecidedCommit, response: PendingResponse?
    ) {
        chain = commit.entry.checksum
        pending.append(
            PendingCommit(
                commit: commit, chainBefore: decided.chainBefore,
                notesDigestBefore: decided.notesDigestBefore, response: response))
    }

    func movedOn() -> SessionError {
        SessionError(
            .revisionMismatch,
            "The session is at revision \(head). Read again, then repeat with this revision."
        ).with("currentRevision", head)
    }

    // MARK: - Notes

    /// What a transaction that came to nothing may have left beside the engine.
    func forget(_ transaction: Transaction) {
        if transaction.changesDefinitions { encodings.reset() }
        for key in transaction.registered { registrationNotes[key] = nil }
    }

    /// Drops the notes of registrations that commits after the head made.
    func forgetLaterNotes() {
        let head = head
        if registrationNotes.isEmpty { return }
        registrationNotes = registrationNotes.filter { $0.key.revision <= head }
    }

    private func updateNotesDigest(
        _ transaction: Transaction, _ endings: [RetainedCommit.Ending]
    ) {
        for ending in endings {
            guard let key = ending.key, let note = registrationNotes[key] else { continue }
            notesDigest.remove(note.digest(of: key))
        }
        for key in Set(transaction.registered) {
            // One that the same transaction ended again has no part in the state.
            guard let note = registrationNotes[key], hierarchy.registration(named: key.id) != nil
            else {
                registrationNotes[key] = nil
                continue
            }
            notesDigest.add(note.digest(of: key))
        }
    }
}

extension SessionError {
    static func deleted(_ name: String) -> SessionError {
        SessionError(.unknownSession, "The session '\(name)' was deleted just now.")
    }
}
