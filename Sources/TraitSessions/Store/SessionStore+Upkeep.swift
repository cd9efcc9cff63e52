// The sessions that need regular upkeep, so that not all sessions are visited: those with feeds without a listener,
// those with leases, those with overrides that end, those that keep rows, and those whose past needs a base. A feed
// stays for a while after its last listener has left, so that a client can resume. Then it is removed, whether or not
// another request for its session comes.

import Synchronization

extension SessionStore {
    /// How many feeds are removed in one section of a session's lock: some tens of microseconds.
    private static let feedsAtATime = 64

    /// Removes feeds whose last listener left longer ago than `watchLingerMilliseconds`. To be
    /// called once a second, by one caller. A session that has other idle feeds is listed again. O(sessions that have
    /// feeds without listeners, feeds removed).
    package func removeIdleFeeds() {
        for session in upkeep.idleFeeds.takeAll() {
            while true {
                let hasMore = session.withStateIfFree {
                    $0.removeIdleFeeds(atMost: Self.feedsAtATime)
                }
                // A session that a thread owns is visited the next time.
                if hasMore == nil { upkeep.idleFeeds.note(session) }
                if hasMore != true { break }
            }
        }
    }

    /// Makes the bases that are overdue, and lets go of commits that no past needs any more. To be called once a second, by
    /// one caller. O(sessions that make bases, commits let go).
    package func tendPasts() {
        for session in upkeep.pasts.takeAll() {
            while true {
                // A session that a thread owns is visited the next time.
                let tended = session.withStateIfFree { $0.tendPast() }
                if tended?.isListed ?? true { upkeep.pasts.note(session) }
                if (tended?.dropped.count ?? 0) < RetainedCommits.droppedMax { break }
            }
        }
    }

    /// Ends registrations whose lease has expired. To be called about once a second. Over a shared log the
    /// processes first exchange notes of renewed leases; then each ends those that have expired.
    package func endExpiredLeases() {
        if isStarting { return }
        let noted = upkeep.leases.keep()
        for session in noted {
            // All are found before the first one is ended, since a write may own the session. A session
            // that a thread owns is visited the next time.
            var expired: [[RegistrationKey]] = []
            while let found = session.withStateIfFree({ $0.takeExpired() }) ?? nil {
                if !found.isEmpty { expired.append(found) }
            }
            for keys in expired { session.end(keys) }
        }
        if !noted.isEmpty { confirmations?.exchangeLeases() }
    }

    /// Ends overrides whose time has come. To be called about twice a second, by one caller. A session that has others
    /// is listed again. Over a shared log each process does so: the log takes the first commit that ends a value, and
    /// the others find the value gone. O(sessions with such overrides, overrides that end).
    package func endExpiredValues() {
        if isStarting { return }
        for session in upkeep.expiries.takeAll() {
            // All are found before the first one is ended, since a write may own the session.
            var due: [[Expiry]] = []
            while let found = session.withStateIfFree({ $0.takeExpiredValues() }), !found.isEmpty {
                due.append(found)
            }
            // A session that a thread owns is visited the next time.
            if session.withStateIfFree({ !$0.annotations.expiries.isEmpty }) ?? true {
                upkeep.expiries.note(session)
            }
            for values in due { session.end(values) }
        }
    }
}
