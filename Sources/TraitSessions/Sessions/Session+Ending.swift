// The end of a session is a commit like any other: a tombstone in its log, acknowledged before the
// answer, and seen by followers and streams.

import JSONCodec
import SessionLog
import TraitEngine

extension Session {
    /// Ends the session.
    ///
    /// - Returns: nil when the session has ended, else the response that waits for the log.
    /// - Throws: `revisionMismatch`, `unknownSession`, why the log refuses.
    package func delete(
        _ options: CommitOptions, text: TextBuffer, wakes: inout WakeList
    ) throws(SessionError) -> PendingResponse? {
        guard let writer else {
            guard commitLock.tryLock() else { return queueEnd(options) }
            defer { commitLock.unlock() }
            if lockedIfFree({ endTakesLong }) ?? true { return queueEnd(options) }
            try deleteAtOnce(options, text: text, wakes: &wakes)
            return nil
        }
        // Checked and decided in one section of the lock, as a long write may own the session after
        // it.
        let decided = try lockedIfFree {
            () throws(SessionError) -> (isLong: Bool, PendingResponse?) in
            if endTakesLong { return (true, nil) }
            return (false, try decideEndForWriter(options, nil, text))
        }
        guard let decided, !decided.isLong else { return queueEnd(options) }
        if decided.1 != nil { writer.submit(self) }
        return decided.1
    }

    /// Whether the end has to wait behind other writes, or wakes more streams than an event loop
    /// has time for. Runs while the lock is held.
    private var endTakesLong: Bool {
        writes.isServed || feeds.count + feeds.listenerCount > ShortWrite.audienceMax
    }

    /// The same from the queue of writes, on a thread that may take long.
    ///
    /// - Returns: whether the session has ended; false when the response waits for the log.
    func delete(
        _ options: CommitOptions, _ response: PendingResponse, text: TextBuffer,
        wakes: inout WakeList
    ) throws(SessionError) -> Bool {
        if writer == nil { commitLock.own() }
        own(showsBefore: false)
        environment.hasBegunAtLength?(name)
        defer {
            disown(wakes: &wakes)
            if writer == nil { commitLock.disown() }
        }
        guard writer != nil else {
            try deleteAtOnce(options, text: text, wakes: &wakes)
            return true
        }
        let decided = try locked { () throws(SessionError) in
            try decideEndForWriter(options, response, text)
        }
        return decided == nil
    }

    /// The way through a log that answers later. Runs while the lock is held.
    ///
    /// - Parameter queued: the response of an end that waited in the queue of writes.
    private func decideEndForWriter(
        _ options: CommitOptions, _ queued: PendingResponse?, _ text: TextBuffer
    ) throws(SessionError) -> PendingResponse? {
        if let end = responseAfterEnd(queued) { return end }
        guard let tombstone = try decideEnd(options, text) else { return nil }
        let response = queued ?? PendingResponse(revision: tombstone.revision)
        response.revision = tombstone.revision
        response.hasCommit = true
        enqueue(tombstone, response: response)
        responses.append(response)
        return response
    }

    /// The way through a log that answers at once.
    private func deleteAtOnce(
        _ options: CommitOptions, text: TextBuffer, wakes: inout WakeList
    ) throws(SessionError) {
        while true {
            let tombstone = try locked { () throws(SessionError) -> RetainedCommit? in
                let tombstone = try decideEnd(options, text)
                if let tombstone { enqueue(tombstone, response: nil) }
                return tombstone
            }
            guard let tombstone else { return }
            reported.meters?.add(.appends, stripe: wakes.stripe)
            reported.meters?.add(.appendedEntries, stripe: wakes.stripe)
            let result = log.append(
                tombstone.entry, to: logSession, expecting: tombstone.revision - 1)
            if try settle(result, of: [tombstone], wakes: &wakes) { return finishEnd() }
            if locked({ isDeleted }) { finishEnd() }
        }
    }

    /// The tombstone; nil in a dry run. Runs while the lock is held.
    private func decideEnd(
        _ options: CommitOptions, _ text: TextBuffer
    ) throws(SessionError) -> RetainedCommit? {
        if isDeleted { throw .deleted(name) }
        guard options.condition.isMet(by: self) else { throw movedOn(options.condition) }
        if options.dryRun { return nil }
        let now = environment.now()
        ending = options.idempotency.map { RecordedOutcome(ending: $0, logSession, time: now) }
        let opening = options.cause.withUnsafeBytes {
            EntryPayload.begin(text, header: nil, cause: $0)
        }
        let outcomes = [creation.flatMap { $0.scope == .server ? $0 : nil }, ending]
        let payload = EntryPayload.end(
            text, opening, digest: digest.full, isWhole: true,
            endOutcomes: outcomes.compactMap { $0 })
        let entry = LogEntry(
            revision: head + 1, time: now, kind: .tombstone,
            payload: text.json.array(), after: chain)
        return RetainedCommit(
            entry: entry, payload: payload, isWhole: true, counts: OperationCounts(), notes: [],
            endings: [])
    }

    private func enqueue(_ tombstone: RetainedCommit, response: PendingResponse?) {
        let chainBefore = chain
        chain = tombstone.entry.checksum
        pending.append(
            PendingCommit(
                commit: tombstone, chainBefore: chainBefore, notesDigestBefore: notesDigest,
                response: response))
    }

    /// A response that waits for a pending end of the session. The request is handled again after
    /// that, and finds no session. Nil when no end is pending. Runs while the lock is held.
    ///
    /// - Parameter queued: the response of a write that waited in the queue of writes.
    package func responseAfterEnd(_ queued: PendingResponse? = nil) -> PendingResponse? {
        guard let last = pending.last, last.commit.entry.kind == .tombstone else { return nil }
        let response = queued ?? PendingResponse(revision: .max)
        responses.append(response)
        return response
    }

    /// The tombstone is in the log. Runs while the lock is held; `finishEnd` follows without it.
    func end(wakes: inout WakeList) {
        storedIsDeleted = true
        holding.end()
        reportNothing()
        feeds.endAll(.sessionDeleted, at: acknowledged, wakes: &wakes)
        release(through: acknowledged + 1, wakes: &wakes)
        decide(wakes: &wakes) { _ in .readAgain }
    }

    /// Removes the session from the store and from the log. Runs without the lock.
    func finishEnd() {
        let keepsTombstone = onEnd?(self) ?? false
        if isFollower { return }
        // A log that cannot forget the session now is asked again at the next start.
        do throws(LogFailure) {
            if keepsTombstone {
                try log.keepTombstone(of: logSession)
            } else {
                try log.forget(logSession)
            }
        } catch {}
    }
}

extension SessionError {
    static func deleted(_ name: String) -> SessionError {
        SessionError(.unknownSession, "The session '\(name)' was deleted just now.")
    }
}
