// Sessions that need upkeep at a time, noted by the sessions themselves.

import Synchronization

/// Some sessions of a store. The list keeps none of them alive.
package final class NotedSessions: Sendable {
    private struct Noted {
        weak var session: Session?
    }

    private let sessions = Mutex<[ObjectIdentifier: Noted]>([:])

    /// O(1).
    package func note(_ session: Session) {
        sessions.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// Takes all out of the list.
    func takeAll() -> [Session] {
        sessions.withLock { sessions in
            defer { if !sessions.isEmpty { sessions = [:] } }
            return sessions.values.compactMap(\.session)
        }
    }

    /// Removes the sessions that are released by now, and those for which `stays` is false. A session that is noted
    /// during the call comes after the others.
    ///
    /// - Returns: those that stay.
    @discardableResult
    package func keep(where stays: (Session) -> Bool = { _ in true }) -> [Session] {
        sessions.withLock { sessions in
            sessions = sessions.filter { $0.value.session.map(stays) ?? false }
            return sessions.values.compactMap(\.session)
        }
    }
}

/// The sessions of a store by the upkeep that they need.
package final class UpkeepLists: Sendable {
    let idleFeeds = NotedSessions()
    let leases = NotedSessions()
    let expiries = NotedSessions()
    package let rows = NotedSessions()
    let pasts = NotedSessions()
}

/// Where a session lists itself for upkeep.
struct UpkeepListing {
    private let lists: UpkeepLists
    /// Its state has the listing. A weak reference would make every request's retain of the session slower.
    private unowned let session: Session
    /// Whether the session is listed for its idle feeds.
    var isNoted = false

    init(_ session: Session, in lists: UpkeepLists) {
        self.session = session
        self.lists = lists
    }

    mutating func noteIdleFeeds() {
        if isNoted { return }
        isNoted = true
        lists.idleFeeds.note(session)
    }

    func noteLeases() { lists.leases.note(session) }

    func noteExpiries() { lists.expiries.note(session) }

    func notePast() { lists.pasts.note(session) }
}
