// Leases: registrations with a `ttl`. A connected stream that names the registration renews its
// lease. Registrations whose leases have expired are ended by commits. The `ttl` is in the log, but
// the time of the last renewal is not: after a restart each lease begins anew. Of processes that share
// a log each notifies the others of the leases that it has renewed (`SharedLeases`).

import SessionLog
import TraitEngine

/// When each lease was renewed, and when it is checked next.
package struct Leases {
    /// The time of the last renewal, in milliseconds of `SessionEnvironment.uptime`.
    private var renewedAt: [RegistrationKey: Int64] = [:]
    /// Leases by the second in which they are checked. Each lease is in the table at least once.
    private var due: [Int64: [RegistrationKey]] = [:]
    private var lookedThrough: Int64?
    /// Leases whose second has come and that were not taken yet, some seconds of them.
    private var overdue: [[RegistrationKey]] = []
    /// Leases of a shared log that the open commit ends; nil for none. Not in the commit's transaction, which is
    /// copied for every write.
    package var ends: LeaseGuard?

    /// Bytes of the tables, about: a key with its name in both.
    var heldBytes: Int { renewedAt.count &* 160 }

    /// The time at which a lease expires, in milliseconds of `SessionEnvironment.uptime`.
    static func expiry(renewedAt time: Int64, ttl: Int64) -> Int64 {
        time + ttl * 1_000
    }

    var isEmpty: Bool { renewedAt.isEmpty }

    subscript(key: RegistrationKey) -> Int64? { renewedAt[key] }

    /// Renews a lease. A new one is checked when `ttl` seconds have passed.
    mutating func renew(_ key: RegistrationKey, at now: Int64, ttl: Int64) {
        if renewedAt.updateValue(now, forKey: key) == nil {
            look(at: key, when: Self.expiry(renewedAt: now, ttl: ttl))
        }
    }

    /// Has the lease checked at a time, or at the next check when that time has passed.
    mutating func look(at key: RegistrationKey, when time: Int64) {
        due[max(time / 1_000 + 1, (lookedThrough ?? .min) + 1), default: []].append(key)
    }

    mutating func drop(_ key: RegistrationKey) { renewedAt[key] = nil }

    /// Takes leases that are to be checked by now, at most `limit` and none only when there is none; the
    /// next call takes others. O(limit + seconds since the last call).
    mutating func takeDue(at now: Int64, atMost limit: Int) -> [RegistrationKey] {
        let second = now / 1_000
        if let last = lookedThrough, second - last < due.count {
            if last < second {
                for time in last + 1...second {
                    if let keys = due.removeValue(forKey: time) { overdue.append(keys) }
                }
            }
        } else {
            for time in due.keys.filter({ $0 <= second }) {
                if let keys = due.removeValue(forKey: time) { overdue.append(keys) }
            }
        }
        lookedThrough = max(second, lookedThrough ?? .min)
        guard let place = overdue.indices.last else { return [] }
        let taken = Array(overdue[place].suffix(limit))
        overdue[place].removeLast(taken.count)
        if overdue[place].isEmpty { overdue.removeLast() }
        return taken
    }
}

extension SessionState {
    /// Begins the leases of the registrations that the session was loaded with. O(registrations).
    func startLeases() {
        for (key, note) in registrationNotes.all where note.ttl != nil { renewLease(key) }
        noteExpiries()
    }

    /// Begins a lease, or renews it when its last stream has closed.
    func renewLease(_ key: RegistrationKey) {
        guard let listing = streams.listing, let ttl = registrationNotes[key]?.ttl else { return }
        if streams.leases.isEmpty { listing.noteLeases() }
        streams.leases.renew(key, at: environment.uptime(), ttl: ttl)
    }

    func logLease(_ key: RegistrationKey) -> LogLease {
        LogLease(uid: uid, registration: key.id, revision: key.revision)
    }

    /// Notifies the other processes of a shared log that this one renews a lease.
    func tellLease(_ key: RegistrationKey) {
        guard let leases = surroundings.leases, let index = registration(key) else { return }
        leases.note(
            logLease(key), streams.feeds.isListenedTo(index) ? .held : .renewed)
    }

    /// When a lease expires unless it is renewed; nil when the registration no longer exists.
    private func expiry(of key: RegistrationKey) -> Int64? {
        guard let ttl = registrationNotes[key]?.ttl, let own = streams.leases[key],
            let index = registration(key)
        else { return nil }
        if streams.feeds.isListenedTo(index) {
            return Leases.expiry(renewedAt: environment.uptime(), ttl: ttl)
        }
        let others = surroundings.leases?.renewal(of: logLease(key))
        return Leases.expiry(renewedAt: max(own, others ?? .min), ttl: ttl)
    }

    /// Whether a registration exists and its lease has expired.
    func isExpired(_ key: RegistrationKey) -> Bool {
        expiry(of: key).map { $0 <= environment.uptime() } ?? false
    }

    /// The registrations among these whose lease has expired, and what their end depends on in a shared log.
    func expired(
        _ keys: [RegistrationKey]
    ) -> (keys: [RegistrationKey], unless: LeaseGuard?) {
        guard let leases = surroundings.leases else { return (keys.filter(isExpired), nil) }
        // Read before the leases are judged: the log refuses the end if a note arrives after the mark.
        guard let mark = leases.mark else { return ([], nil) }
        let expired = keys.filter(isExpired)
        return (expired, LeaseGuard(expired.map(logLease), since: mark))
    }

    /// Leases that are checked while the lock is held once, and registrations that one commit ends: some
    /// hundred microseconds.
    private static let leasesAtATime = LeaseGuard.leasesMax
    /// An expired lease is checked again after this time, in case its end was refused. Until then
    /// its end may wait behind other writes of the session.
    private static let retryMilliseconds: Int64 = 10_000

    /// Registrations whose lease has expired, among the next leases that are to be checked; nil when no
    /// lease is.
    func takeExpired() -> [RegistrationKey]? {
        let now = environment.uptime()
        let due = streams.leases.takeDue(at: now, atMost: Self.leasesAtATime)
        if due.isEmpty { return nil }
        var expired: [RegistrationKey] = []
        for key in due {
            guard let expiry = expiry(of: key) else {
                // The commit that ended the registration may be undone until the log has taken it.
                if !queue.pending.isEmpty {
                    streams.leases.look(at: key, when: now + Self.retryMilliseconds)
                    continue
                }
                streams.leases.drop(key)
                surroundings.leases?.note(logLease(key), .gone)
                continue
            }
            if expiry <= now {
                expired.append(key)
                streams.leases.look(at: key, when: now + Self.retryMilliseconds)
            } else {
                streams.leases.look(at: key, when: expiry)
            }
        }
        return expired
    }
}

extension Session {
    /// Ends registrations by a queued write, except for those whose lease is renewed before that. Never
    /// called on an event loop.
    func end(_ expired: [RegistrationKey]) {
        var proposal = Proposal(.expire(expired))
        proposal.options.cause = Array(#"{"expired":true}"#.utf8)
        _ = queue(proposal, isLong: false)
    }
}
