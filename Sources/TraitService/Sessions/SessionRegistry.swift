// The sessions by name.

import SessionLog
import Synchronization
import TraitEngine

package final class SessionRegistry: Sendable {
    private let sessions = Mutex<[String: Session]>([:])
    let limits: ServiceLimits
    let environment: ServiceEnvironment
    let log: any SessionLog

    package init(
        limits: ServiceLimits, environment: ServiceEnvironment, log: any SessionLog
    ) {
        self.limits = limits
        self.environment = environment
        self.log = log
    }

    package var count: Int { sessions.withLock { $0.count } }

    /// The session of that name. O(1); two short critical sections a request is all there is.
    func session(_ name: UnsafeRawBufferPointer) throws(Problem) -> Session {
        let text = String(decoding: name, as: UTF8.self)
        if let session = find(text) { return session }
        let checked = try Identifier.checked(name)
        let known = sessions.withLock { Array($0.keys.prefix(1_000)) }
        throw Problem(
            .unknownSession,
            "There is no session '\(checked)'. PUT /v1/sessions/\(checked) creates it.",
            didYouMean: Suggestion.nearest(to: checked, among: known))
    }

    func find(_ name: String) -> Session? { sessions.withLock { $0[name] } }

    /// - Throws: `quota` when no further session could be added now.
    func checkRoom() throws(Problem) {
        if count >= limits.sessionsMax { throw isFull }
    }

    private var isFull: Problem {
        .limit(
            .quota, "The server holds sessionsMax=\(limits.sessionsMax) sessions. Delete one.",
            name: "sessionsMax", value: limits.sessionsMax)
    }

    /// Adds a session, unless there is one of its name, which is then returned.
    /// - Throws: `quota` when there are too many.
    func insert(_ session: Session) throws(Problem) -> Session? {
        enum Result {
            case inserted
            case present(Session)
            case full
        }
        let result = sessions.withLock { sessions -> Result in
            if let present = sessions[session.name] { return .present(present) }
            if sessions.count >= limits.sessionsMax { return .full }
            sessions[session.name] = session
            return .inserted
        }
        switch result {
        case .inserted: return nil
        case .present(let session): return session
        case .full: throw isFull
        }
    }

    /// Removes this very session; one that took its name meanwhile stays.
    func remove(_ session: Session) {
        sessions.withLock { sessions in
            if sessions[session.name] === session { sessions[session.name] = nil }
        }
    }

    /// Sessions after `name` in byte order, at most `limit`. O(n log n).
    func page(after name: String?, limit: Int) -> [Session] {
        let all = sessions.withLock { Array($0.values) }
        let sorted = all.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let rest = sorted.drop { session in
            guard let name else { return false }
            return !name.utf8.lexicographicallyPrecedes(session.name.utf8)
        }
        return Array(rest.prefix(limit))
    }
}
