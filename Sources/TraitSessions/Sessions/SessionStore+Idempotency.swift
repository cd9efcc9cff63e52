// Requests with a key that no session can answer: those that create a session of any name, and those
// that ended one. The first entry of a session has the key that created it, so the table of the former
// is made again at every start; the latter are forgotten with the process, as the log forgets the session.

import SessionLog
import Synchronization

extension SessionStore {
    /// What an identical request for a session came to.
    ///
    /// - Parameter name: the session that the request names; nil for one that creates any.
    /// - Throws: `idempotencyKeyReused`.
    func creation(
        by request: IdempotentRequest, of name: String?
    ) throws(SessionError) -> RecordedOutcome? {
        guard let name else { return try outcome(of: request, session: "") }
        guard let known = find(name)?.creation, known.scope == request.scope,
            known.caller == request.caller, known.key == request.key,
            known.time >= environment.now() - limits.idempotencyAgeMilliseconds
        else { return nil }
        try known.check(request)
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

    /// The session is among the others.
    func noteCreation(of session: Session) {
        guard var creation = session.creation else { return }
        creation.session = session.logSession
        session.creation = creation
        if creation.scope == .server { outcomes.withLock { $0.add(creation) } }
    }

    /// The session has left. Runs without its lock.
    func noteEnd(of session: Session) {
        let (wasThere, ending, creation) = session.locked {
            defer { session.endedBy = nil }
            return (session.acknowledged > 0, session.endedBy, session.creation)
        }
        guard wasThere else {
            // It never came to be: the same request may create it.
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
