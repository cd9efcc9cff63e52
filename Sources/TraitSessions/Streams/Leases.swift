// Leases: registrations with a `ttl`. A connected stream that names the registration renews its
// lease. A registration whose lease has expired is ended by a commit. The `ttl` is in the log, but
// the time of the last renewal is not: after a restart each lease begins anew.

import TraitEngine

/// When each lease was renewed, and when it is checked next. Confined by the session's lock.
struct Leases {
    /// The time of the last renewal, in milliseconds of `SessionEnvironment.uptime`.
    private var renewedAt: [RegistrationKey: Int64] = [:]
    /// Leases by the second in which they are checked. Each lease is in the table at least once.
    private var due: [Int64: [RegistrationKey]] = [:]
    private var lookedThrough: Int64?

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

    /// Takes the leases that are to be checked by now, the oldest first and at most `limit`; the
    /// next call takes the others. O(seconds in the table + leases of the seconds taken).
    mutating func takeDue(at now: Int64, atMost limit: Int) -> [RegistrationKey] {
        let second = now / 1_000
        lookedThrough = second
        var taken: [RegistrationKey] = []
        for time in due.keys.filter({ $0 <= second }).sorted() where taken.count < limit {
            let keys = due.removeValue(forKey: time) ?? []
            let fitting = keys.prefix(limit - taken.count)
            taken += fitting
            if fitting.count < keys.count { due[time] = Array(keys.dropFirst(fitting.count)) }
        }
        return taken
    }
}

extension Session {
    /// Begins the leases of the registrations that the session was loaded with. O(registrations).
    func startLeases() {
        for (key, note) in registrationNotes where note.ttl != nil { renewLease(key) }
    }

    /// Begins a lease, or renews it when its last stream has closed. Runs while the lock is held.
    func renewLease(_ key: RegistrationKey) {
        guard !isFollower, let idleFeeds, let ttl = registrationNotes[key]?.ttl else { return }
        if leases.isEmpty { idleFeeds.noteLeases(self) }
        leases.renew(key, at: environment.uptime(), ttl: ttl)
    }

    /// When a lease expires unless it is renewed; nil when the registration no longer exists.
    private func expiry(of key: RegistrationKey) -> Int64? {
        guard let ttl = registrationNotes[key]?.ttl, let renewed = leases[key],
            let index = hierarchy.registration(named: key.id),
            hierarchy.registrationInfo(index).createdRevision == key.revision
        else { return nil }
        let isHeard = feeds.isListenedTo(index)
        return Leases.expiry(renewedAt: isHeard ? environment.uptime() : renewed, ttl: ttl)
    }

    /// Whether a registration exists and its lease has expired. Runs while the lock is held.
    func isExpired(_ key: RegistrationKey) -> Bool {
        expiry(of: key).map { $0 <= environment.uptime() } ?? false
    }

    /// Leases that are checked while the lock is held once: some hundred microseconds. Each that
    /// has expired becomes a commit.
    private static let leasesAtATime = 500
    /// An expired lease is checked again after this time, in case its end was refused. Until then
    /// its end may wait behind other writes of the session.
    private static let retryMilliseconds: Int64 = 10_000

    /// The registrations whose lease has expired, at most 500.
    func takeExpired() -> [RegistrationKey] {
        let now = environment.uptime()
        var expired: [RegistrationKey] = []
        for key in leases.takeDue(at: now, atMost: Self.leasesAtATime) {
            guard let expiry = expiry(of: key) else {
                leases.drop(key)
                continue
            }
            if expiry <= now {
                expired.append(key)
                leases.look(at: key, when: now + Self.retryMilliseconds)
            } else {
                leases.look(at: key, when: expiry)
            }
        }
        return expired
    }

    /// Ends a registration by a queued write, unless its lease is renewed before that. Never called
    /// on an event loop.
    func end(_ key: RegistrationKey) {
        var proposal = Proposal(.one(.unregister(key.id)))
        proposal.options.condition.expired = key
        proposal.options.cause = Array(#"{"expired":true}"#.utf8)
        _ = queue(proposal, isLong: false)
    }
}
