// The sessions that need regular upkeep, so that not all sessions are visited: those with feeds
// without a listener, those with leases, and those with overrides that end. A feed stays for a while after its last listener has
// left, so that a client can resume. Then it is removed, whether or not another request for its
// session comes.

import Synchronization

/// The sessions of a store that have idle feeds, leases, or overrides that end.
final class IdleFeeds: Sendable {
    /// How many feeds are removed in one section of a session's lock: some tens of microseconds.
    private static let feedsAtATime = 64

    private struct Noted {
        /// Weak: an idle feed does not keep its session alive.
        weak var session: Session?
    }

    /// Sessions with leases. A session stays in the table until it is released.
    private let leasing = Mutex<[ObjectIdentifier: Noted]>([:])
    /// Sessions with overrides that end.
    private let expiring = Mutex<[ObjectIdentifier: Noted]>([:])
    /// Sessions with idle feeds.
    private let sessions = Mutex<[ObjectIdentifier: Noted]>([:])

    /// Adds a session that has an idle feed. O(1).
    fileprivate func note(_ session: Session) {
        sessions.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// Adds a session that has registrations with a `ttl`. O(1).
    fileprivate func noteLeases(_ session: Session) {
        leasing.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// Adds a session that has overrides that end. O(1).
    fileprivate func noteExpiries(_ session: Session) {
        expiring.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// Ends overrides whose time has come. A session that has others is added again.
    /// O(sessions with such overrides, overrides that end).
    func endExpiredValues() {
        let noted = expiring.withLock { sessions in
            defer { if !sessions.isEmpty { sessions = [:] } }
            return sessions
        }
        for case let session? in noted.values.lazy.map(\.session) {
            // All are found before the first one is ended, since a write may own the session.
            var due: [[Expiry]] = []
            while let found = session.withStateIfFree({ $0.takeExpiredValues() }), !found.isEmpty {
                due.append(found)
            }
            // A session that a thread owns is visited the next time.
            if session.withStateIfFree({ !$0.annotations.expiries.isEmpty }) ?? true {
                noteExpiries(session)
            }
            for values in due { session.end(values) }
        }
    }

    /// Ends registrations whose lease has expired.
    ///
    /// - Returns: whether a session has leases.
    func endExpiredLeases() -> Bool {
        let noted = leasing.withLock { sessions in
            sessions = sessions.filter { $0.value.session != nil }
            return sessions.values.compactMap(\.session)
        }
        for session in noted {
            // All are found before the first one is ended, since a write may own the session. A session
            // that a thread owns is visited the next time.
            var expired: [[RegistrationKey]] = []
            while let found = session.withStateIfFree({ $0.takeExpired() }) ?? nil {
                if !found.isEmpty { expired.append(found) }
            }
            for keys in expired { session.end(keys) }
        }
        return !noted.isEmpty
    }

    /// Removes the feeds whose time is over. A session that has other idle feeds is added again.
    func removeExpired() {
        let noted = sessions.withLock { sessions in
            defer { sessions = [:] }
            return sessions.values
        }
        for case let session? in noted.lazy.map(\.session) {
            while true {
                let hasMore = session.withStateIfFree {
                    $0.removeIdleFeeds(atMost: Self.feedsAtATime)
                }
                // A session that a thread owns is visited the next time.
                if hasMore == nil { note(session) }
                if hasMore != true { break }
            }
        }
    }
}

/// Where a session lists itself for upkeep.
struct UpkeepListing {
    private let lists: IdleFeeds
    /// Its state has the listing. A weak reference would make every request's retain of the session slower.
    private unowned let session: Session
    /// Whether the session is listed for its idle feeds.
    var isNoted = false

    init(_ session: Session, in lists: IdleFeeds) {
        self.session = session
        self.lists = lists
    }

    mutating func noteIdleFeeds() {
        if isNoted { return }
        isNoted = true
        lists.note(session)
    }

    func noteLeases() {
        lists.noteLeases(session)
    }

    func noteExpiries() {
        lists.noteExpiries(session)
    }
}
