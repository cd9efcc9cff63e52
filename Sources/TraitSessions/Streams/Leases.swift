// Registrations with a `ttl`: a lease in the log. A connected stream that names the registration renews it;
// when it has run out, its end is a commit like any other. When leases were renewed is not logged: after a
// restart each begins anew.

import TraitEngine

/// When each lease was renewed, and which are looked at when. Confined by the session's lock.
struct Leases {
    /// Milliseconds of `SessionEnvironment.uptime`.
    private var renewedAt: [RegistrationKey: Int64] = [:]
    /// Leases to be looked at, by the second in which they may run out. Each is in one place at least.
    private var due: [Int64: [RegistrationKey]] = [:]
    private var lookedThrough: Int64?

    var isEmpty: Bool { renewedAt.isEmpty }

    subscript(key: RegistrationKey) -> Int64? { renewedAt[key] }

    /// - Parameter isNew: whether to look at it when `ttl` seconds have passed.
    mutating func renew(_ key: RegistrationKey, at now: Int64, ttl: Int64) {
        if renewedAt.updateValue(now, forKey: key) == nil { look(at: key, when: now + ttl * 1_000) }
    }

    mutating func look(at key: RegistrationKey, when time: Int64) {
        due[max(time / 1_000 + 1, (lookedThrough ?? .min) + 1), default: []].append(key)
    }

    mutating func drop(_ key: RegistrationKey) { renewedAt[key] = nil }

    /// Those whose time may have come. O(seconds since the last call + leases).
    mutating func takeDue(at now: Int64) -> [RegistrationKey] {
        let second = now / 1_000
        defer { lookedThrough = second }
        if due.isEmpty { return [] }
        let seconds = due.keys.filter { $0 <= second }
        return seconds.sorted().flatMap { due.removeValue(forKey: $0) ?? [] }
    }
}

extension Session {
    /// The session is served from now on: leases of what it was loaded with begin. O(registrations).
    func startLeases() {
        for (key, note) in registrationNotes where note.ttl != nil { renewLease(key) }
    }

    /// A lease begins, or its last stream has gone. Runs while the lock is held.
    func renewLease(_ key: RegistrationKey) {
        guard !isFollower, let idleFeeds, let ttl = registrationNotes[key]?.ttl else { return }
        if leases.isEmpty { idleFeeds.noteLeases(self) }
        leases.renew(key, at: environment.uptime(), ttl: ttl)
    }

    /// When a lease runs out, if nothing renews it; nil when the registration is gone.
    private func expiry(of key: RegistrationKey) -> Int64? {
        guard let ttl = registrationNotes[key]?.ttl, let renewed = leases[key],
            let index = hierarchy.registration(named: key.id),
            hierarchy.registrationInfo(index).createdRevision == key.revision
        else { return nil }
        let isHeard = feeds.isListenedTo(index)
        return (isHeard ? environment.uptime() : renewed) + ttl * 1_000
    }

    /// Whether a registration is there and its lease has run out. Runs while the lock is held.
    func isExpired(_ key: RegistrationKey) -> Bool {
        expiry(of: key).map { $0 <= environment.uptime() } ?? false
    }

    /// The registrations whose lease has run out. Each is looked at again, in case that its end is refused.
    func takeExpired() -> [RegistrationKey] {
        let now = environment.uptime()
        var expired: [RegistrationKey] = []
        for key in leases.takeDue(at: now) {
            guard let expiry = expiry(of: key) else {
                leases.drop(key)
                continue
            }
            if expiry <= now { expired.append(key) }
            leases.look(at: key, when: max(expiry, now + 1_000))
        }
        return expired
    }

    /// Ends a registration, unless its lease was renewed meanwhile. Never called on an event loop.
    func end(_ key: RegistrationKey) {
        var proposal = Proposal(.one(.unregister(key.id)))
        proposal.options.condition.expired = key
        proposal.options.cause = Array(#"{"expired":true}"#.utf8)
        _ = queue(proposal, isLong: false)
    }
}
