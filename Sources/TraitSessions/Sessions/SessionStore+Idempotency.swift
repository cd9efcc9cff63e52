// Outcomes that no session can keep: of requests that create a session without naming it, and of
// requests that ended a session. The first entry of a session has the outcome of its creation, so
// creations are known again after a restart. The outcome of an end is lost at a restart, since the
// log forgets the session.

import SessionLog
import Synchronization

extension SessionStore {
    /// The outcome of an identical request that created a session; nil when there is none.
    ///
    /// - Parameter name: the session that the request names; nil when the server names it.
    /// - Throws: `idempotencyKeyReused`.
    func creation(
        by request: IdempotentRequest, of name: String?
    ) throws(SessionError) -> RecordedOutcome? {
        guard let name else { return try outcome(of: request, session: "") }
        guard let session = find(name), var known = session.creation,
            known.scope == request.scope, known.caller == request.caller,
            known.key == request.key,
            known.time >= environment.now() - limits.idempotencyAgeMilliseconds
        else { return nil }
        try known.check(request)
        known.session = session.logSession
        return known
    }

    /// Whether an identical request has ended a session of that name.
    ///
    /// - Throws: `idempotencyKeyReused`.
    package func hasEnded(
        _ name: String, by request: IdempotentRequest
    ) throws(SessionError) -> Bool {
        try outcome(of: request, session: name) != nil
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
    func noteEnd(of session: Session) {
        let (wasThere, ending, creation) = session.locked {
            defer { session.endedBy = nil }
            return (session.acknowledged > 0, session.endedBy, session.creation)
        }
        guard wasThere else {
            // The log refused the session, so the same request may create it again.
            if let creation, creation.scope == .server {
                outcomes.withLock { $0.forget(creation) }
            }
            return
        }
        guard let ending else { return }
        let outcome = RecordedOutcome(
            ending: ending, session.logSession, time: environment.now())
        outcomes.withLock { $0.add(outcome, session: session.name) }
    }
}
