// One named hierarchy: the engine's state, the commits that can still be resumed from, and who
// listens. Everything that changes it goes through `Session+Commit`.

import SessionLog
import TraitEngine

/// Reached from every shard.
///
/// Confinement: all that is `var` is touched only while `lock` is held. Sections are short, and
/// nothing is sent while the lock is held.
final class Session: @unchecked Sendable {
    let name: String
    /// `[a-z0-9]{12}`, new at every creation: tells a session from its predecessor of that name.
    let uid: String
    /// Milliseconds since 1970.
    let createdAt: Int64
    let configuration: SessionConfiguration
    let limits: ServiceLimits
    let environment: ServiceEnvironment
    let log: any SessionLog
    let lock = SessionLock()

    let hierarchy: Hierarchy

    // Exclusivity is not checked at run time for what every request touches: whoever has the lock is
    // alone, and nothing that is called during an access comes back to the same property.

    @exclusivity(unchecked) var encodings = TraitEncodings()
    /// The newest revision that the log has acknowledged: what may be seen from outside.
    @exclusivity(unchecked) var acknowledged: Int64 = 0
    /// Commits that are applied but not acknowledged, oldest first.
    @exclusivity(unchecked) var pending: [PendingCommit] = []
    /// Answers that wait for a revision to be acknowledged, in no order.
    @exclusivity(unchecked) var waiting: [WaitingAnswer] = []
    @exclusivity(unchecked) var retained: RetainedCommits
    @exclusivity(unchecked) var feeds = FeedTable()
    /// When idle feeds were last looked for; milliseconds since 1970.
    var feedsSweptAt: Int64 = 0
    var registrationNotes: [String: RegistrationNote] = [:]
    @exclusivity(unchecked) var isDeleted = false
    /// How often commits were taken back: what was shown of the head before may be wrong then.
    var withdrawals = 0
    /// Called when the creating commit itself is taken back.
    var onLost: (@Sendable (Session) -> Void)?

    init(
        name: String, configuration: SessionConfiguration, limits: ServiceLimits,
        environment: ServiceEnvironment, log: any SessionLog
    ) {
        self.name = name
        uid = environment.name(length: 12)
        createdAt = environment.now()
        self.configuration = configuration
        self.limits = limits
        self.environment = environment
        self.log = log
        retained = RetainedCommits(limits: limits)
        hierarchy = Hierarchy(
            propagation: configuration.propagation, updates: configuration.updates,
            limits: configuration.limits.hierarchyLimits(server: limits.hierarchy),
            hashSeed: environment.random())
    }

    var logSession: LogSession { LogSession(name: name, uid: uid) }

    /// The revision that the state is at, acknowledged or not.
    var head: Int64 { hierarchy.revision }

    /// Runs `body` while the lock is held.
    @inline(__always)
    func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

/// What a registration carries beside what the engine needs.
struct RegistrationNote {
    let label: String?
    /// Milliseconds since 1970.
    let createdAt: Int64
    /// The revision that made it: tells it from an earlier one of the same name.
    let revision: Int64
    /// The sets that it was made for by name, nil when there were none: they have other traits by
    /// now if some were defined since.
    let asked: AskedTraits?
}

/// A commit on its way to the log.
struct PendingCommit {
    let commit: RetainedCommit
    /// Whether it was taken back meanwhile; its append is then still to be heard of.
    var isWithdrawn = false
}
