// Compares two sessions: answers with the operations that would turn one into the other.

import HTTPServer
import HTTPWire
import JSONCodec
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// `GET /v1/sessions/{a}/compare?with={b}`: computed and written on the workers, from a snapshot of each.
    func compareSessions(_ request: Request) throws(Problem) {
        let context = request.context
        guard let name = try context.query.string(.with) else {
            throw Query.malformed(.with, "Name the session to compare with.")
        }
        let a = try session(request)
        // A dot is the session of the path itself, as it is now: it shows what changed since a revision.
        let b =
            name == "."
            ? try translated(
                try store.session(
                    context.firstParameter, visibleTo: context.caller?.scope))
            : try comparedSession(name, context)
        // Each call sets `context.response`, which waits for that session's revision.
        let second: SessionSnapshot
        do throws(Problem) {
            second = try lookedAt(b, request)
        } catch {
            // The session was deleted since it was found.
            throw error.code == .unknownSession ? error.with("parameter", "with") : error
        }
        let secondResponse = context.response
        let first = try lookedAt(a, request)
        work(request, revision: first.revision) { _ throws(SessionError) in
            try first.session()
        } then: { one, request throws(Problem) in
            request.context.response = secondResponse
            let memory = request.exchange.memory
            let caller = request.exchange.caller
            var comparison: SessionComparison?
            // Of what the comparison has not taken yet.
            var reservation: MemoryReservation?
            self.work(request, revision: second.revision) {
                _ throws(SessionError) -> SessionComparison? in
                if comparison == nil {
                    let made = SessionComparison(one, try second.session())
                    reservation = try memory.reserving(made.bytesNeeded, for: caller)
                    comparison = made
                }
                guard let comparison, comparison.prepare() else { return nil }
                reservation?.settle()
                return comparison
            } then: { comparison, request throws(Problem) in
                request.context.field("Traitd-Revision", first.revision)
                request.context.field("Cache-Control", "no-store")
                try request.stream(
                    "application/json",
                    BodyProducer(JSONWriter()) { budget, writer in
                        // The snapshots keep the sessions alive.
                        withExtendedLifetime((first, second)) {
                            BodyPart(isLast: comparison.write(budget: budget, into: &writer))
                        }
                    })
            }
        }
    }

    /// The session that the query names, if the caller's scope has it.
    private func comparedSession(
        _ name: String, _ context: RequestContext
    ) throws(Problem) -> Session {
        if mayKnow(name, context), let session = store.find(name) { return session }
        let bytes = Array(name.utf8)
        let unknown = bytes.withUnsafeBytes { bytes -> SessionError in
            do throws(SessionError) {
                return try store.unknown(bytes, visibleTo: context.caller?.scope)
            } catch {
                return error
            }
        }
        throw Problem(unknown).with("parameter", "with")
    }

    private func lookedAt(
        _ session: Session, _ request: Request
    ) throws(Problem) -> SessionSnapshot {
        try translated(try request.snapshot(of: session))
    }
}
