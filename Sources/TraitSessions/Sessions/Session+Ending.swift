// The end of a session is a commit like any other: a tombstone in its log, if there is one, acknowledged before
// the answer, and seen by followers and streams.

import JSONCodec
import SessionLog
import TraitEngine

extension Session {
    /// Ends the session.
    ///
    /// - Parameter body: gets the answer, which says what ends with the session, unless the result is `pending`.
    /// - Throws: `revisionMismatch`, `unknownSession`.
    package func delete(
        _ options: CommitOptions, text: TextBuffer, body: inout JSONWriter, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        // Checked and decided in one section of the lock, as a long write may own the session after
        // it.
        let decided = try withStateIfFree { state throws(SessionError) -> WriteResult in
            if gate.writes.isServed || state.endTakesLong { return .takesLong }
            do throws(SessionError) {
                return try state.decideEnd(options, nil, text, &body, &wakes)
            } catch {
                throw error.seen(at: state.head)
            }
        }
        switch decided {
        case .held: writer?.submit(self)
        case .done: if !options.dryRun { finishEnd(wakes: &wakes) }
        default: break
        }
        return decided ?? .mustWait
    }

    /// Ends the session for the queue of writes, on a thread that may take long.
    ///
    /// - Returns: whether the session has ended; false when the response waits for the log.
    /// - Throws: `revisionMismatch`, `unknownSession`.
    func delete(
        _ options: CommitOptions, _ response: PendingResponse, text: TextBuffer,
        wakes: inout WakeList
    ) throws(SessionError) -> Bool {
        try own(showsBefore: false, wakes: &wakes) { state, wakes throws(SessionError) in
            environment.hasBegunLongWrite?(name)
            var body = JSONWriter()
            let decided = try state.decideEnd(options, response, text, &body, &wakes)
            guard case .done(let outcome, let head) = decided else { return false }
            response.record(outcome, head: head, body: body.array())
            if !options.dryRun { finishEnd(wakes: &wakes) }
            return true
        }
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
    fileprivate var endTakesLong: Bool {
        streams.feeds.count + streams.feeds.listenerCount > ShortWrite.audienceMax
            || hierarchy.nodeCount > ShortWrite.sessionMax
    }

    /// Without a log the session has ended after this.
    ///
    /// - Parameter queued: the response of an end that waited in the queue of writes.
    fileprivate func decideEnd(
        _ options: CommitOptions, _ queued: PendingResponse?, _ text: TextBuffer,
        _ body: inout JSONWriter, _ wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        if let end = responseAfterEnd(queued) { return .pending(end) }
        let (outcome, tombstone) = try decideEnd(options, text, &body)
        guard let tombstone else { return .done(outcome, head: head) }
        let revision = tombstone.revision
        guard log != nil else {
            show(tombstone, wakes: &wakes)
            return .done(outcome, head: revision)
        }
        let response = queued ?? PendingResponse(revision: revision)
        response.revision = revision
        response.hasCommit = true
        response.record(outcome, head: revision, body: queued == nil ? nil : body.array())
        queue.append(tombstone, notesDigestBefore: registrationNotes.digest)
        queue.add(response)
        return .held(outcome, head: revision, response)
    }

    /// The outcome, whose answer is written into `body`, and the tombstone, which is nil in a dry run.
    private func decideEnd(
        _ options: CommitOptions, _ text: TextBuffer, _ body: inout JSONWriter
    ) throws(SessionError) -> (outcome: CommitOutcome, tombstone: RetainedCommit?) {
        if isDeleted { throw .deleted(name) }
        guard options.condition.isMet(by: self) else { throw movedOn(options.condition) }
        let outcome = CommitOutcome(
            revision: head + 1, isUnchanged: false, isNew: false, notified: 0, notes: [],
            ended: everything())
        write(outcome, isDryRun: options.dryRun, showsChanges: options.changes, into: &body)
        if options.dryRun { return (outcome, nil) }
        let opening = options.cause.withUnsafeBytes {
            EntryPayload.begin(
                text, header: nil, cause: $0, writer: surroundings.writerName)
        }
        let payload = EntryPayload.end(text, opening, digest: digest.full, isWhole: true)
        let entry = LogEntry(
            revision: head + 1, time: max(environment.now(), queue.headTime), kind: .tombstone,
            payload: text.json.array(), after: queue.chain)
        let tombstone = RetainedCommit(
            entry: entry, payload: payload, isWhole: true, counts: OperationCounts(), notes: [],
            endings: [])
        return (outcome, tombstone)
    }

    /// A response that waits for a pending end of the session. The request is handled again after
    /// that, and finds no session. Nil when no end is pending.
    ///
    /// - Parameter queued: the response of a write that waited in the queue of writes.
    package func responseAfterEnd(_ queued: PendingResponse? = nil) -> PendingResponse? {
        guard queue.isEnding else { return nil }
        let response = queued ?? PendingResponse(revision: .max)
        queue.add(response)
        return response
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
