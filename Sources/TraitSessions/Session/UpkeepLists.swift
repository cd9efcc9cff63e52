// Sessions that need upkeep at a time, noted by the sessions themselves.

import Synchronization

/// Some sessions of a store, in the order in which they were noted first. The list keeps none of them alive.
package final class NotedSessions: Sendable {
    private struct Noted {
        weak var session: Session?
        let number: UInt64
    }

    private struct State {
        var sessions: [ObjectIdentifier: Noted] = [:]
        var lastNumber: UInt64 = 0

        /// O(n log n). The order of the dictionary would be that of addresses.
        var inOrder: [Session] {
            sessions.values.sorted { $0.number < $1.number }.compactMap(\.session)
        }
    }

    private let state = Mutex(State())

    /// O(1).
    package func note(_ session: Session) {
        state.withLock { state in
            let id = ObjectIdentifier(session)
            // A session that is gone may have had the address.
            if state.sessions[id]?.session != nil { return }
            state.lastNumber += 1
            state.sessions[id] = Noted(session: session, number: state.lastNumber)
        }
    }

    /// Takes all out of the list.
    func takeAll() -> [Session] {
        state.withLock { state in
            defer { if !state.sessions.isEmpty { state.sessions = [:] } }
            return state.inOrder
        }
    }

    /// Removes the sessions that are released by now, and those for which `stays` is false. A session that is noted
    /// during the call comes after the others.
    ///
    /// - Returns: those that stay.
    @discardableResult
    package func keep(where stays: (Session) -> Bool = { _ in true }) -> [Session] {
        state.withLock { state in
            state.sessions = state.sessions.filter { $0.value.session.map(stays) ?? false }
            return state.inOrder
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
