// A feed stays for a while after its last listener has left, so that a client can resume. Then it is
// removed, whether or not another request for its session comes.

import Synchronization

/// The sessions that have feeds without a listener, so that not all sessions are looked at.
final class IdleFeeds: Sendable {
    /// Feeds that are removed while a session's lock is held: some tens of microseconds.
    private static let feedsAtATime = 64

    private struct Noted {
        /// Weak: an idle feed does not keep its session alive.
        weak var session: Session?
    }

    private let leasing = Mutex<[ObjectIdentifier: Noted]>([:])
    private let sessions = Mutex<[ObjectIdentifier: Noted]>([:])

    /// A session has an idle feed. Called while its lock is held. O(1).
    func note(_ session: Session) {
        sessions.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// A session has registrations with a `ttl`. Called while its lock is held. O(1).
    func noteLeases(_ session: Session) {
        leasing.withLock { $0[ObjectIdentifier(session)] = Noted(session: session) }
    }

    /// Ends registrations whose lease has run out.
    func endExpiredLeases() {
        let noted = leasing.withLock { sessions in
            sessions = sessions.filter { $0.value.session != nil }
            return sessions.values.compactMap(\.session)
        }
        for session in noted {
            // A thread owns the session: it is looked at the next time.
            guard let expired = session.lockedIfFree({ session.takeExpired() }) else { continue }
            for key in expired { session.end(key) }
        }
    }

    /// Removes the feeds whose time is over. Sessions that have others are noted again.
    func removeExpired() {
        let noted = sessions.withLock { sessions in
            defer { sessions = [:] }
            return sessions.values
        }
        for case let session? in noted.lazy.map(\.session) {
            while true {
                let hasMore = session.lockedIfFree {
                    session.removeIdleFeeds(atMost: Self.feedsAtATime)
                }
                // A thread owns the session: it is looked at the next time.
                if hasMore == nil { note(session) }
                if hasMore != true { break }
            }
        }
    }
}
