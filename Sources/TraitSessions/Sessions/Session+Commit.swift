// The one mutator. A write is decided under the session's lock: its operations are applied to the
// head and become a log entry. Without a log the commit is visible at once. Else the entry is passed
// to the log without any lock. When the log has acknowledged the entry, the commit becomes visible:
// streams read it, and the pending responses that show it are released.

import JSONCodec
import SessionLog
import TraitEngine

extension Session {
    /// Decides a write: all of its operations as one commit or, when one is refused, none.
    ///
    /// - Parameters:
    ///   - text: where the log entry is written; its content is replaced.
    ///   - body: gets the answer in the proposal's form.
    ///   - wakes: filled with the wakers that the caller has to wake after the call.
    /// - Throws: why the operations or the conditions refuse the write.
    package func commit(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let result = try commitOrEnqueue(
            proposal, nil, text: text, body: &body, .onEventLoop, wakes: &wakes)
        if case .held = result { writer?.submit(self) }
        return result
    }

    /// The same for a write from the queue. `response` waits for the log when the result is
    /// `pending`.
    func commit(
        _ write: RetainedWrite, _ response: PendingResponse, text: TextBuffer,
        body: inout JSONWriter, _ pace: WritePace, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let result = try commitOrEnqueue(
            write.proposal, (write, response), text: text, body: &body, pace, wakes: &wakes)
        // A thread that owned the session has submitted it.
        if pace != .atLength, case .pending = result { writer?.submit(self) }
        return result
    }

    /// Decides a write in one section of the lock. At the end of the section the commit is visible or, with a log,
    /// pending.
    ///
    /// - Parameter queued: a write from the queue with its response; nil for a write of an event
    ///   loop.
    private func commitOrEnqueue(
        _ proposal: Proposal, _ queued: (write: RetainedWrite, response: PendingResponse)?,
        text: TextBuffer, body: inout JSONWriter, _ pace: WritePace, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let mark = body.count
        switch pace {
        case .onEventLoop:
            guard tryEnter() else { return .mustWait }
            if writes.isServed {
                lock.unlock()
                return .mustWait
            }
        case .inTurn: lock.lock()
        case .atLength:
            own(showsBefore: true)
            environment.hasBegunAtLength?(name)
        }
        defer {
            if pace == .atLength {
                // With a log the commit may still be undone.
                if log == nil { hierarchy.reclaimEverything() }
                disown(wakes: &wakes)
            } else {
                lock.unlock()
            }
        }
        if let end = responseAfterEnd(queued?.response) { return .pending(end) }
        let decided: DecidedCommit
        do throws(SessionError) {
            decided = try decide(
                proposal, text: text, body: &body, isAtLength: pace == .atLength, wakes: &wakes)
        } catch {
            if error.takesLong { return .takesLong }
            throw error
        }
        guard let log else {
            if let commit = decided.commit {
                chain = commit.entry.checksum
                acknowledge(commit, wakes: &wakes)
            }
            return .done(decided.outcome, head: head)
        }
        guard decided.commit != nil || !pending.isEmpty else {
            return .done(decided.outcome, head: head)
        }
        let response =
            queued?.response
            ?? PendingResponse(
                revision: head,
                write: log.properties.hasOtherWriters ? RetainedWrite(proposal) : nil)
        response.revision = head
        response.hasCommit = decided.commit != nil
        if let commit = decided.commit { enqueue(commit, decided) }
        responses.append(response)
        if queued == nil {
            response.record(decided.outcome, head: head, body: nil)
            return .held(decided.outcome, head: head, response)
        }
        response.record(decided.outcome, head: head, body: Array(body.bytes[mark...]))
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

        /// The outcome of an earlier, identical request.
        init(_ known: RecordedOutcome, chainBefore: UInt64, notesDigestBefore: StateDigest) {
            self.init(
                outcome: known.repeated, commit: nil, chainBefore: chainBefore,
                notesDigestBefore: notesDigestBefore)
        }
    }

    /// Applies a proposal to the head. Runs while the lock is held.
    ///
    /// - Parameter isAtLength: whether the write may take long; otherwise a long one throws
    ///   `takesLong`.
    func decide(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter, isAtLength: Bool,
        wakes: inout WakeList
    ) throws(SessionError) -> DecidedCommit {
        if isDeleted { throw .deleted(name) }
        if let request = proposal.options.idempotency,
            let known = try outcomes.outcome(of: request, now: environment.now())
        {
            known.answer.withUnsafeBytes { body.verbatim($0) }
            return DecidedCommit(known, chainBefore: chain, notesDigestBefore: notesDigest)
        }
        guard proposal.options.condition.isMet(by: self) else {
            throw movedOn(proposal.options.condition)
        }
        let shortage = shortage(forRequestOf: proposal.options.requestBytes)
        let mark = body.count
        let time = environment.now()
        var opened = open(
            text, time: time, wantsNew: proposal.options.wantsNew,
            cause: proposal.options.cause, manager: proposal.manager, isAtLength: isAtLength)
        do throws(SessionError) {
            try proposal.apply(to: &opened.transaction, shortage: shortage)
        } catch {
            abandon(opened.transaction)
            throw error
        }
        return try complete(
            opened, isDryRun: proposal.options.dryRun, heardBytesMax: limits.heardBytesMax,
            wakes: &wakes
        ) { opened, outcome in
            if case .plan(let digest) = proposal.answer {
                self.writePlan(opened, digest, outcome, into: &body)
            } else {
                self.write(outcome, of: proposal, into: &body)
            }
            guard let request = proposal.options.idempotency else { return nil }
            return RecordedOutcome(
                request, outcome, time: time, id: proposal.answer.id,
                answer: UnsafeRawBufferPointer(rebasing: body.bytes[mark...]))
        }
    }

    /// An open transaction, and where its operations begin in the text of the entry.
    struct OpenCommit {
        var transaction: Transaction
        let payload: EntryPayload.Opening
    }

    /// Begins a commit; `complete` or `abandon` ends it.
    func open(
        _ text: TextBuffer, time: Int64, wantsNew: Bool = false, cause: [UInt8] = [],
        manager: String? = nil, isAtLength: Bool = true
    ) -> OpenCommit {
        hierarchy.begin()
        let payload = cause.withUnsafeBytes {
            EntryPayload.begin(
                text, header: head == 0 ? header : nil, cause: $0, manager: manager)
        }
        return OpenCommit(
            transaction: Transaction(
                self, time: time, wantsNew: wantsNew, text: text, manager: manager,
                isAtLength: isAtLength),
            payload: payload)
    }

    func abandon(_ transaction: Transaction) {
        hierarchy.rollback()
        forget(transaction)
    }

    /// - Parameters:
    ///   - heardBytesMax: bytes of changes that the commit may deliver; nil when the entry is in
    ///     the log already.
    ///   - describe: called with the commit and its outcome while the commit is applied, also in a
    ///     dry run. Returns the outcome to record for a request with a key.
    /// - Throws: `transactionTooLarge` when the commit would deliver more, `memoryFull` when it
    ///   takes more memory than there is, and `takesLong` where the write must be short. The
    ///   session is unchanged then.
    func complete(
        _ opened: OpenCommit, isDryRun: Bool = false, heardBytesMax: Int? = nil,
        wakes: inout WakeList, describe: (OpenCommit, CommitOutcome) -> RecordedOutcome?
    ) throws(SessionError) -> DecidedCommit {
        let before = notesDigest
        hierarchy.notify(atMost: opened.transaction.isAtLength ? .max : ShortWrite.tellingStepsMax)
        if managers.hasOpenChanges { hierarchy.noteChangeOutside() }
        let commit = hierarchy.commit()
        var heard = CommitNotes()
        if !commit.isUnchanged {
            do throws(SessionError) {
                if hierarchy.isNotifyingCutShort { throw .takesLong }
                heard = try self.notes(
                    of: commit, bytesMax: heardBytesMax, isAtLength: opened.transaction.isAtLength)
                if heardBytesMax != nil {
                    try checkGrowth(of: opened.transaction, heard: heard.bytes)
                }
                if !opened.transaction.isAtLength { try checkAudience(heard) }
            } catch {
                undoEngine(wakes: &wakes)
                forget(opened.transaction)
                throw error
            }
        }
        let notes = heard.notes
        let outcome = CommitOutcome(
            revision: head, isUnchanged: commit.isUnchanged, isNew: opened.transaction.isNew,
            notified: notes.count { $0.isRegistered }, notes: notes,
            ended: ended(with: commit, opened.transaction))
        let recorded = describe(opened, outcome)
        if !isDryRun { for key in opened.transaction.renewed { renewLease(key) } }
        if commit.isUnchanged || isDryRun {
            if !commit.isUnchanged { undoEngine(wakes: &wakes) }
            forget(opened.transaction)
            return DecidedCommit(
                outcome: outcome, commit: nil, chainBefore: chain, notesDigestBefore: before)
        }
        var endings = endings(of: commit)
        for watch in heard.lostWatches {
            endings.append(.init(registration: watch, key: nil, reason: .limit))
        }
        updateNotesDigest(opened.transaction, endings)
        // Leases begin with the commit, so that dry runs and refused writes leave none.
        for key in opened.transaction.registered { renewLease(key) }
        managers.seal(commit.revision)
        let payload = EntryPayload.end(
            opened.transaction.text, opened.payload, digest: digest.full,
            isWhole: !opened.transaction.isTextDropped, outcome: recorded)
        if let recorded { outcomes.add(recorded) }
        let entry = LogEntry(
            revision: commit.revision, time: opened.transaction.time,
            payload: opened.transaction.text.json.array(), after: chain)
        return DecidedCommit(
            outcome: outcome,
            commit: RetainedCommit(
                entry: entry, payload: payload, isWhole: !opened.transaction.isTextDropped,
                counts: opened.transaction.counts, notes: notes, noteBytes: heard.bytes,
                endings: endings, registers: !opened.transaction.registered.isEmpty,
                endedSubtrees: endedSubtrees(opened.transaction), subtrees: heard.subtrees,
                decidedAt: feeds.listenerCount > 0 ? environment.ticks() : 0),
            chainBefore: chain, notesDigestBefore: before)
    }

    func enqueue(_ commit: RetainedCommit, _ decided: DecidedCommit) {
        chain = commit.entry.checksum
        pending.append(
            PendingCommit(
                commit: commit, chainBefore: decided.chainBefore,
                notesDigestBefore: decided.notesDigestBefore))
    }

    package func movedOn(_ condition: CommitCondition) -> SessionError {
        .movedOn(condition, uid: uid, revision: head)
    }

    // MARK: - Notes

    /// Drops the traces of a rolled-back transaction outside of the engine.
    func forget(_ transaction: Transaction) {
        if transaction.changesDefinitions { encodings.reset() }
        managers.rollback()
        for key in transaction.registered { registrationNotes[key] = nil }
    }

    /// Drops the notes of registrations that undone commits made.
    func forgetLaterNotes() {
        let head = head
        if registrationNotes.isEmpty { return }
        registrationNotes = registrationNotes.filter { $0.key.revision <= head }
    }

    private func updateNotesDigest(
        _ transaction: Transaction, _ endings: [RetainedCommit.Ending]
    ) {
        if endings.isEmpty, transaction.registered.isEmpty { return }
        for ending in endings {
            guard let key = ending.key, let note = registrationNotes[key] else { continue }
            notesDigest.remove(note.digest(of: key))
        }
        for key in Set(transaction.registered) {
            // The transaction may have ended the registration again: then it is no part of the
            // state.
            guard let note = registrationNotes[key], hierarchy.registration(named: key.id) != nil
            else {
                registrationNotes[key] = nil
                continue
            }
            notesDigest.add(note.digest(of: key))
        }
    }
}
