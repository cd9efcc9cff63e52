// One named hierarchy: the engine's state, the commits from which streams can resume, and the
// readers that wait for the next commit. The operations of a session's log determine its state:
// `commit` decides new operations, `apply` replays those of a log.

import Background
import DequeModule
import JSONCodec
import SessionLog
import Synchronization
import TraitEngine

/// Reached from every shard.
///
/// Confinement: all that is `var` is touched only while `lock` is held. Sections are short, and
/// neither the log nor a waker is called while the lock is held.
@usableFromInline
package final class Session: @unchecked Sendable {
    package let header: SessionHeader
    // Copies of what every answer shows.
    package let name: String
    package let uid: String
    @usableFromInline let surroundings: SessionSurroundings
    let logSession: LogSession
    /// `"session":…,"uid":…`, with which the answer to a write begins.
    let answerOpening: [UInt8]
    @usableFromInline let lock = SessionLock()

    package let hierarchy: Hierarchy

    // Exclusivity of these properties is not checked at run time, as every request accesses them:
    // the holder of the lock has them alone, and no call during an access leads to another access.

    @exclusivity(unchecked) package var encodings = TraitEncodings()
    /// The newest revision that the log has acknowledged; without a log the head. Clients see nothing newer.
    package var acknowledged: Int64 { storedAcknowledged }
    // The service reads these on every request through computed properties: the compiler checks the
    // exclusivity of another module's stored property whatever its attribute says.
    @exclusivity(unchecked) var storedAcknowledged: Int64 = 0
    /// The checksum of the head's entry, which the next entry's is chained to.
    @exclusivity(unchecked) var chain: UInt64 = 0
    private let headerDigest: StateDigest
    /// What registrations' notes add to the digest.
    @exclusivity(unchecked) var notesDigest = StateDigest()
    /// Commits that are applied but not acknowledged, oldest first.
    @exclusivity(unchecked) var pending = Deque<PendingCommit>()
    /// How many of `pending` the log writer has taken.
    @exclusivity(unchecked) var sentCount = 0
    /// Whether the log's thread has the session on its list.
    let isSubmitted = Atomic<Bool>(false)
    /// Pending responses, which wait for a revision to be acknowledged, in no order.
    @exclusivity(unchecked) var responses: [PendingResponse] = []
    @exclusivity(unchecked) package internal(set) var retained: RetainedCommits
    @exclusivity(unchecked) package internal(set) var feeds = FeedTable()
    /// Streams that begin with a state that the log has not acknowledged. Woken at the next
    /// acknowledgement or withdrawal.
    var awaiting: [any Waker] = []
    /// Whether `idleFeeds` lists the session.
    @exclusivity(unchecked) var hasNotedIdleFeeds = false
    @exclusivity(unchecked) var idleFeeds: IdleFeeds?
    /// When each registration with a `ttl` was renewed last. Not part of the state.
    @exclusivity(unchecked) var leases = Leases()
    @exclusivity(unchecked) var snapshots = SnapshotSchedule()
    @exclusivity(unchecked) var outcomes: RecordedOutcomes
    /// The memory that the session takes.
    @exclusivity(unchecked) var holding: SessionHolding
    @exclusivity(unchecked) var registrationNotes: [RegistrationKey: RegistrationNote] = [:]
    /// The managers of values and nodes.
    @exclusivity(unchecked) var managers = ManagerTable()
    /// The snapshot of the newest revision that readers share.
    weak var sharedSnapshot: SessionSnapshot?
    /// How many snapshots, each of another revision, are held by readers.
    let snapshotCount = SnapshotCount()
    package var isDeleted: Bool { storedIsDeleted }
    @exclusivity(unchecked) var storedIsDeleted = false
    /// Guarded by the mutex of `lock`, also while a thread owns the session.
    @exclusivity(unchecked) var writes = WriteQueue()
    /// What other threads find while a thread owns the session. Guarded likewise.
    @exclusivity(unchecked) var occupation: Occupation?
    /// How often commits were undone. A head that was read before the last undo may never have
    /// existed.
    package internal(set) var withdrawals = 0
    /// The session's part of the counts that the store's meters show.
    @exclusivity(unchecked) var reported = ReportedSize()
    /// Called, without any lock, when the session has ended: deleted, or never created.
    var onEnd: (@Sendable (Session) -> Void)?

    init(header: SessionHeader, hierarchy: Hierarchy?, _ surroundings: SessionSurroundings) {
        self.header = header
        name = header.name
        uid = header.uid
        headerDigest = header.digest
        self.surroundings = surroundings
        logSession = LogSession(name: name, uid: uid)
        var opening = JSONWriter()
        opening.member("session", name)
        opening.member("uid", uid)
        answerOpening = opening.array()
        retained = RetainedCommits(limits: surroundings.limits)
        outcomes = RecordedOutcomes(surroundings.limits)
        holding = SessionHolding(surroundings.environment.memory)
        self.hierarchy =
            hierarchy
            ?? Hierarchy(
                propagation: header.configuration.propagation,
                updates: header.configuration.updates, limits: header.effectiveLimits,
                hashSeed: surroundings.environment.random())
    }

    /// Freeing a session of a million nodes takes tens of milliseconds, so another thread frees it.
    deinit {
        holding.end()
        reportNothing()
        if hierarchy.isLarger(than: Disposal.itemsMax) || retained.bytes > Disposal.bytesMax
            || outcomes.count + registrationNotes.count + feeds.count > Disposal.itemsMax
        {
            Disposal.keepForAWhile((hierarchy, retained, feeds, outcomes, registrationNotes))
        }
    }

    /// A session at one revision, for reading alone.
    convenience init(
        frozen hierarchy: Hierarchy, header: SessionHeader, chain: UInt64,
        notes: [RegistrationKey: RegistrationNote], outcomes: RecordedOutcomes,
        managers: ManagerTable, _ surroundings: SessionSurroundings
    ) {
        self.init(header: header, hierarchy: hierarchy, surroundings)
        // Notes of registrations that have ended are kept until the log has acknowledged it.
        let present = notes.filter { key, _ in
            hierarchy.registration(named: key.id).map {
                hierarchy.registrationInfo($0).createdRevision == key.revision
            } ?? false
        }
        adopt(present, chain: chain)
        self.outcomes = outcomes
        self.managers = managers
    }

    @inlinable package var limits: ServiceLimits { surroundings.limits }
    @inlinable package var environment: SessionEnvironment { surroundings.environment }
    package var log: (any SessionLog)? { surroundings.log }
    var writer: LogWriter? { surroundings.writer }

    package var createdAt: Int64 { header.createdAt }
    package var configuration: SessionConfiguration { header.configuration }

    /// The revision that the state is at, acknowledged or not.
    package var head: Int64 { hierarchy.revision }

    /// How many responses wait for the log.
    package var waitingCount: Int { responses.count }

    /// 64 bits that follow from the state alone, with revisions and times (`full`) and without
    /// (`content`). O(1).
    package var digest: StateDigest {
        hierarchy.digest + notesDigest + headerDigest + managers.digest
    }

    /// Takes the lock; `leave` has to follow. For paths on which a closure costs too much.
    @inlinable @inline(__always)
    package func enter() { lock.lock() }

    @inlinable @inline(__always)
    package func leave() { lock.unlock() }

    /// Runs `body` while the lock is held.
    @inlinable @inline(__always)
    package func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

/// Identifies a registration among earlier and later ones of its name.
package struct RegistrationKey: Hashable {
    let id: String
    /// The revision that made the registration.
    let revision: Int64
}

/// The properties of a registration that the engine does not have.
package struct RegistrationNote: Sendable {
    package let label: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// The named sets that the registration was made for; nil when there were none. Later
    /// definitions may have changed the members of those sets.
    package let asked: AskedTraits?
    /// Seconds for which the registration outlives its last stream; nil for no lease.
    package var ttl: Int64?
}

extension Session {
    /// The note of a registration; nil for a watch.
    package func note(of info: RegistrationInfo) -> RegistrationNote? {
        info.identifier.flatMap {
            registrationNotes[RegistrationKey(id: $0, revision: info.createdRevision)]
        }
    }
}
