// The end of a session is a commit like any other: a tombstone in its log, if there is one, acknowledged before
// the answer, and seen by followers and streams.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

extension Session {
    /// Ends the session.
    ///
    /// - Parameter body: gets the answer, which says what ends with the session, unless the result is `pending`.
    /// - Throws: `revisionMismatch`, `unknownSession`.
    package func delete(
        _ options: CommitOptions, text: TextBuffer, body: inout JSONWriter, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        try commit(Proposal(ending: options), text: text, body: &body, wakes: &wakes)
    }

    /// Removes the session from the store, and then from the log. Its name is free before a response says so.
    /// Runs without the lock.
    func finishEnd(wakes: inout WakeList) {
        hasEnded()
        // Without a log no response waits, and an event loop that ends a session must not wait for the lock.
        guard let log else { return }
        withState { state in
            state.queue.release(through: state.acknowledged + 1, wakes: &wakes)
            state.queue.decide(wakes: &wakes) { _ in .readAgain }
        }
        // A log that cannot forget the session now does so when it is opened again; one that others write to when all
        // have applied the tombstone.
        if writer != nil, !log.properties.isShared { try? log.forget(logSession) }
    }
}

extension SessionState {
    /// Whether the end wakes more streams than an event loop has time for, or counts too many nodes.
    private var endTakesLong: Bool {
        streams.feeds.count + streams.feeds.listenerCount > WorkBudget.Short.audienceMax
            || hierarchy.nodeCount > WorkBudget.Short.sessionMax
    }

    /// Decides the end of the session, whose commit is a tombstone.
    ///
    /// - Throws: `takesLong`.
    func decideEnd(
        _ options: CommitOptions, _ text: TextBuffer, _ body: inout JSONWriter, _ budget: WorkBudget
    ) throws(SessionError) -> DecidedCommit {
        try budget.allow(!endTakesLong)
        let outcome = CommitOutcome(
            revision: head + 1, isUnchanged: false, isNew: false, notified: 0, notes: [],
            ended: everything())
        write(outcome, isDryRun: options.dryRun, showsChanges: options.changes, into: &body)
        if options.dryRun { return (outcome, nil, registrationNotes.digest) }
        let opening = options.cause.withUnsafeBytes {
            EntryPayload.begin(text, cause: $0, writer: surroundings.writerName)
        }
        let payload = EntryPayload.end(text, opening, digest: digest.full, isWhole: true)
        let entry = LogEntry(
            revision: head + 1, time: max(environment.now(), queue.headTime), kind: .tombstone,
            payload: text.json.array(), after: queue.chain)
        let commit = RetainedCommit(
            entry: entry, payload: payload, isWhole: true, counts: OperationCounts(), notes: [],
            endings: [])
        return (outcome, commit, registrationNotes.digest)
    }

    /// The session has ended: its tombstone is in the log. `Session.finishEnd` follows without the lock.
    func end(_ reason: StreamReason = .sessionDeleted, wakes: inout WakeList) {
        queue.isDeleted = true
        upkeep.holding.end()
        upkeep.reported.end()
        streams.feeds.endAll(reason, at: acknowledged, wakes: &wakes)
    }
}

extension SessionError {
    package static func deleted(_ name: String) -> SessionError {
        SessionError(.unknownSession, "The session '\(name)' was deleted just now.")
    }
}
