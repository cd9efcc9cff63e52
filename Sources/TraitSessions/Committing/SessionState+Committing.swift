// The one mutator. A write is decided under the session's lock: its operations are applied to the
// head and become a log entry.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

extension SessionState {
    /// A write that was applied to the head: its outcome, its commit, which is nil when nothing is to be logged, and
    /// the digest of the registrations' notes before it. A tuple, so that its caller takes the outcome out uncopied.
    package typealias DecidedCommit = (
        outcome: CommitOutcome, commit: RetainedCommit?, notesDigestBefore: StateDigest
    )

    /// Applies a proposal to the head.
    ///
    /// - Throws: why it is refused; `takesLong` and `interrupted` by the budget.
    func decide(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter, _ budget: WorkBudget,
        wakes: inout WakeList
    ) throws(SessionError) -> DecidedCommit {
        if isDeleted { throw .deleted(name) }
        if let request = proposal.options.idempotency,
            let known = try outcomes.outcome(of: request, now: keyClock)
        {
            known.answer.withUnsafeBytes { body.verbatim($0) }
            return (known.repeated, nil, registrationNotes.digest)
        }
        guard proposal.options.condition.isMet(by: self) else {
            throw movedOn(proposal.options.condition)
        }
        if proposal.isApart {
            return try decideApart(proposal, text, &body, budget, wakes: &wakes)
        }
        let shortage = shortage(forRequestOf: proposal.options.requestBytes)
        let mark = body.count
        let time = max(environment.now(), queue.headTime)
        var opened = open(
            text, time: time, wantsNew: proposal.options.wantsNew,
            cause: proposal.options.cause, manager: proposal.manager, budget: budget)
        opened.transaction.budget.admit(
            requestBytes: proposal.options.requestBytes, text: text.json.count)
        do throws(SessionError) {
            try proposal.apply(to: &opened.transaction, shortage: shortage)
            if opened.transaction.neededFormat > SessionHeader.writtenFormat {
                try checkReaders(of: opened.transaction)
            }
        } catch {
            abandon(opened.transaction)
            throw error
        }
        return try complete(
            opened, isDryRun: proposal.options.dryRun,
            notificationBytesMax: limits.notificationBytesMax,
            wakes: &wakes
        ) { opened, outcome in
            if case .planned(let answer) = proposal.answer {
                answer.write(opened, outcome, proposal.options, of: self, into: &body)
            } else {
                self.write(outcome, of: proposal, into: &body)
            }
            guard let request = proposal.options.idempotency else { return nil }
            return RecordedOutcome(
                request, outcome, time: time, id: proposal.answer.id,
                answer: UnsafeRawBufferPointer(rebasing: body.bytes[mark...]))
        }
    }

    /// Decides what is no write.
    @inline(never)
    private func decideApart(
        _ proposal: Proposal, _ text: TextBuffer, _ body: inout JSONWriter, _ budget: WorkBudget,
        wakes: inout WakeList
    ) throws(SessionError) -> DecidedCommit {
        guard case .assume(let assumption, let read) = proposal.operations else {
            return try decideEnd(proposal.options, text, &body, budget)
        }
        return try decide(assumption, read, proposal.options, text, &body, budget, wakes: &wakes)
    }

    /// An open transaction, and where its operations begin in the text of the entry.
    package struct OpenCommit {
        package var transaction: Transaction
        let payload: EntryPayload.Opening
    }

    /// Begins a commit; `complete` or `abandon` ends it.
    package func open(
        _ text: TextBuffer, time: Int64, wantsNew: Bool = false, cause: [UInt8] = [],
        manager: String? = nil, budget: WorkBudget = .unbounded
    ) -> OpenCommit {
        if queue.pending.isEmpty { queue.acknowledgedNodes = Int32(hierarchy.nodeCount) }
        hierarchy.begin()
        let payload = cause.withUnsafeBytes {
            EntryPayload.begin(
                text, cause: $0, manager: manager, writer: surroundings.writerName
            ) {
                if head == 0 { header.write(into: &$0) }
            }
        }
        return OpenCommit(
            transaction: Transaction(
                self, time: time, wantsNew: wantsNew, text: text, manager: manager,
                budget: budget),
            payload: payload)
    }

    package func abandon(_ transaction: Transaction) {
        hierarchy.rollback()
        encodings.forgetFormer()
        streams.leases.ends = nil
        if !streams.renames.isEmpty { streams.renames = [] }
        forget(transaction)
    }

    /// - Parameters:
    ///   - notificationBytesMax: bytes of changes that the commit may deliver; nil when the entry is in
    ///     the log already.
    ///   - notifies: whether it matters who is notified.
    ///   - describe: called with the commit and its outcome while the commit is applied, also in a
    ///     dry run. Returns the outcome to record for a request with a key.
    /// - Throws: `transactionTooLarge` when the commit would deliver more, `memoryFull` when it
    ///   takes more memory than there is, and `takesLong` where the write must be short. The
    ///   session is unchanged then.
    package func complete(
        _ opened: OpenCommit, isDryRun: Bool = false, notificationBytesMax: Int? = nil,
        notifies: Bool = true, wakes: inout WakeList,
        describe: (OpenCommit, CommitOutcome) -> RecordedOutcome?
    ) throws(SessionError) -> DecidedCommit {
        let before = registrationNotes.digest
        let ends = streams.leases.ends
        if ends != nil { streams.leases.ends = nil }
        let renames = streams.renames.isEmpty ? [] : takeRenames()
        hierarchy.notify(
            atMost: notifies ? opened.transaction.budget.notifyingStepsMax : 0)
        if annotations.hasOpenChanges { hierarchy.noteChangeOutside() }
        let commit = hierarchy.commit()
        var made = CommitNotes()
        if !commit.isUnchanged, notifies {
            do throws(SessionError) {
                if hierarchy.isNotifyingCutShort { throw .takesLong }
                let bytes =
                    commit.notifications.count * Self.noteBytes
                    + commit.endedRegistrations.count * Self.endingBytes
                // A full process still takes what deletes, with the few notes of that.
                if bytes >= Self.growthBytesMin {
                    try opened.transaction.budget.take(bytes, self)
                }
                if !commit.notifications.isEmpty || !commit.invalidations.isEmpty
                    || !renames.isEmpty
                {
                    made = try self.notes(
                        of: commit, renames, bytesMax: notificationBytesMax,
                        isShort: opened.transaction.budget.isShort)
                }
                if notificationBytesMax != nil {
                    try checkGrowth(of: opened.transaction, notified: made.bytes)
                }
                if opened.transaction.budget.isShort { try checkAudience(made) }
            } catch {
                undoEngine(wakes: &wakes)
                encodings.forgetFormer()
                forget(opened.transaction)
                throw error
            }
        }
        encodings.forgetFormer()
        let notes = made.notes
        let outcome = CommitOutcome(
            revision: head, isUnchanged: commit.isUnchanged, isNew: opened.transaction.isNew,
            notified: notes.count { $0.isRegistered }, notes: notes,
            ended: ended(with: commit, opened.transaction))
        let recorded = describe(opened, outcome)
        if !isDryRun, !opened.transaction.renewed.isEmpty {
            for key in opened.transaction.renewed {
                renewLease(key)
                // Other processes find a renewal that is part of a commit in its entry.
                if commit.isUnchanged { tellLease(key) }
            }
        }
        if commit.isUnchanged || isDryRun {
            if !commit.isUnchanged { undoEngine(wakes: &wakes) }
            forget(opened.transaction)
            return (outcome, nil, before)
        }
        var endings = endings(of: commit)
        for watch in made.lostWatches {
            endings.append(.init(registration: watch, key: nil, reason: .limit))
        }
        let registers = !opened.transaction.registered.isEmpty
        if registers || !endings.isEmpty { updateNotesDigest(opened.transaction, endings) }
        if renames.contains(where: { !$0.isNode }) { refreshAsked(counts: true) }
        // Leases begin with the commit, so that dry runs and refused writes leave none.
        if registers { for key in opened.transaction.registered { renewLease(key) } }
        if annotations.seal(commit.revision) { noteExpiries() }
        let payload = EntryPayload.end(
            opened.transaction.text, opened.payload, digest: digest.full,
            isWhole: !opened.transaction.isTextDropped, managers: opened.transaction.givenBack,
            outcome: recorded)
        if let recorded { record(recorded) }
        let entry = LogEntry(
            revision: commit.revision, time: opened.transaction.time,
            payload: opened.transaction.text.json.array(), after: queue.chain)
        let retained = RetainedCommit(
            entry: entry, payload: payload, isWhole: !opened.transaction.isTextDropped,
            counts: opened.transaction.counts, notes: notes, places: made.places,
            noteBytes: made.bytes,
            endings: endings, registers: registers,
            endedSubtrees: endedSubtrees(opened.transaction), subtrees: made.subtrees,
            leases: ends,
            decidedAt: streams.feeds.listenerCount > 0 ? environment.ticks() : 0)
        return (outcome, retained, before)
    }

    /// Bytes of a registration's note and of its end, beside the changes.
    private static let (noteBytes, endingBytes) = (256, 128)

    func enqueue(_ commit: RetainedCommit, notesDigestBefore: StateDigest) {
        queue.append(
            commit, notesDigestBefore: notesDigestBefore, nodes: Int32(hierarchy.nodeCount))
    }

    /// Makes a commit of a session without a log visible.
    func show(_ commit: RetainedCommit, wakes: inout WakeList) {
        queue.chain = commit.entry.checksum
        acknowledge(commit, wakes: &wakes)
        if upkeep.past.isDue(commit, streams.retained) { noteForPast(commit) }
    }

    package func movedOn(_ condition: CommitCondition) -> SessionError {
        .movedOn(condition, uid: uid, revision: head)
    }

    // MARK: - Notes

    /// Drops the traces of a rolled-back transaction outside of the engine.
    func forget(_ transaction: Transaction) {
        if transaction.changesDefinitions { encodings.reset() }
        annotations.rollback()
        for key in transaction.registered { registrationNotes[key] = nil }
    }

    private func updateNotesDigest(
        _ transaction: Transaction, _ endings: [RetainedCommit.Ending]
    ) {
        for ending in endings {
            guard let key = ending.key, let note = registrationNotes[key] else { continue }
            registrationNotes.digest.remove(note.digest(of: key))
        }
        for key in Set(transaction.registered) {
            // The transaction may have ended the registration again: then it is no part of the
            // state.
            guard let note = registrationNotes[key], hierarchy.registration(named: key.id) != nil
            else {
                registrationNotes[key] = nil
                continue
            }
            registrationNotes.digest.add(note.digest(of: key))
        }
    }
}
