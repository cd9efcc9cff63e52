// Recorded outcomes that belong to no session: of requests that create a session without naming it,
// and of requests that ended a session. The first entry of a session has the outcome of its creation, and
// its tombstone has the outcomes of its creation and its end. The log keeps the tombstone as long as
// the store keeps one of these outcomes, so that they are known again after a restart.

import JSONCodec
import SessionLog
import Synchronization

extension SessionStore {
    /// The outcome of an identical request that created a session; nil when there is none.
    ///
    /// - Parameter name: the session that the request names; nil when the server names it.
    /// - Throws: `idempotencyKeyReused`.
    func creation(
        by request: IdempotentRequest, of name: String?
    ) throws(SessionError) -> (outcome: RecordedOutcome, session: LogSession)? {
        guard let name else {
            guard let known = try outcome(of: request, session: "") else { return nil }
            return known.session.map { (known, $0) }
        }
        guard let session = find(name), let known = session.creation,
            known.scope == request.scope, known.caller == request.caller,
            known.key == request.key,
            known.time >= environment.now() - limits.idempotencyAgeMilliseconds
        else { return nil }
        try known.check(request)
        return (known, session.logSession)
    }

    /// The outcome of an identical request that has ended a session of that name; nil when there is none.
    ///
    /// - Throws: `idempotencyKeyReused`.
    package func end(
        of name: String, by request: IdempotentRequest
    ) throws(SessionError) -> RecordedOutcome? {
        try outcome(of: request, session: name)
    }

    private func outcome(
        of request: IdempotentRequest, session: String
    ) throws(SessionError) -> RecordedOutcome? {
        let now = environment.now()
        let result = outcomes.withLock { outcomes -> Result<RecordedOutcome?, SessionError> in
            do throws(SessionError) {
                return .success(try outcomes.outcome(of: request, now: now, session: session))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Records the creation of a session that was added to the store, if its key has the scope
    /// `server`.
    func noteCreation(of session: Session) {
        guard var creation = session.creation, creation.scope == .server else { return }
        creation.session = session.logSession
        outcomes.withLock { $0.add(creation) }
    }

    /// Records the end of a session that was removed from the store. Runs without the session's
    /// lock.
    ///
    /// - Returns: whether the log has to keep the session's tombstone.
    func noteEnd(of session: Session) -> Bool {
        let (wasThere, ending, created) = session.locked {
            defer { session.ending = nil }
            return (session.acknowledged > 0, session.ending, session.creation)
        }
        let creation = created.flatMap { $0.scope == .server ? $0 : nil }
        let (keepsTombstone, forgotten) = outcomes.withLock { outcomes in
            var keeps = false
            if !wasThere {
                // The log refused the session, so the same request may create it again.
                if let creation { outcomes.forget(creation) }
            } else if let ending {
                outcomes.add(ending, session: session.name)
                keeps = true
            } else if let creation {
                keeps = outcomes.keepTombstone(for: creation, of: session.logSession)
            }
            return (keeps, outcomes.takeForgotten())
        }
        // What the log cannot forget now it is asked to forget at the next start.
        for session in forgotten { try? log.forget(session) }
        return keepsTombstone
    }

    /// Reads the outcomes that sessions of the log were created and deleted with, oldest first, as they were
    /// recorded. The log forgets the tombstones whose outcomes have expired.
    /// O(n log n) for n sessions and tombstones.
    ///
    /// - Throws: what cannot be read. A log that cannot drop anything now, as on a full disk, is asked
    ///   again at the next start.
    func readOutcomes() throws(ReplayError) {
        let oldest = environment.now() - limits.idempotencyAgeMilliseconds
        var found: [(outcome: RecordedOutcome, session: String)] = []
        forEachSession { session in
            guard var creation = session.locked({ session.creation }), creation.scope == .server
            else { return }
            creation.session = session.logSession
            found.append((creation, ""))
        }
        let tombstones: [(session: LogSession, tombstone: LogEntry)]
        do throws(LogFailure) {
            tombstones = try log.tombstones()
        } catch {
            throw ReplayError(error)
        }
        for (session, tombstone) in tombstones {
            let ended = try Self.outcomes(of: tombstone, session).filter { $0.time >= oldest }
            guard let last = ended.last else {
                try? log.forget(session)
                continue
            }
            for var outcome in ended {
                outcome.session = session
                outcome.keepsTombstone = outcome.scope == last.scope
                found.append((outcome, outcome.scope == .session ? session.name : ""))
            }
            try? log.keepTombstone(of: session)
        }
        found.removeAll { $0.outcome.time < oldest }
        found.sort { $0.outcome.time < $1.outcome.time }
        let forgotten = outcomes.withLock { outcomes in
            for (outcome, session) in found { outcomes.add(outcome, session: session) }
            return outcomes.takeForgotten()
        }
        for session in forgotten { try? log.forget(session) }
    }

    private static func outcomes(
        of tombstone: LogEntry, _ session: LogSession
    ) throws(ReplayError) -> [RecordedOutcome] {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        let read = tombstone.payload.withUnsafeBytes { bytes in
            Result { () throws(SessionError) in
                try tape.withDocument(bytes, refusal: SessionError.init) {
                    json throws(SessionError) in
                    try RecordedOutcomes.read(json.member("outcomes"), now: tombstone.time)
                }
            }
        }
        switch read {
        case .success(let outcomes): return outcomes
        case .failure(let error):
            throw ReplayError(
                session: session.name, revision: tombstone.revision,
                reason: "its end cannot be read: \(error.detail)")
        }
    }
}
