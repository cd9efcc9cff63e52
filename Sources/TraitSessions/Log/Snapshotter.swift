// Snapshots bound how long a log on disk gets and how long a start takes. One is written after so many
// commits; when it is older than every commit from which streams may resume, the entries up to it go.

import Background
import SessionLog
import Synchronization
import TraitJSON

/// Writes snapshots of all sessions of a store, one at a time, beside everything else.
final class Snapshotter: Sendable {
    private let queue = WorkQueue("traitd.snapshots", qos: .utility)
    private let log: any SessionLog
    private let environment: SessionEnvironment
    private let failed = Mutex(SnapshotFailures())

    init(_ log: any SessionLog, environment: SessionEnvironment) {
        self.log = log
        self.environment = environment
    }

    /// Has a snapshot of the session written when those before it are.
    func submit(_ session: Session) {
        queue.async { [self] in
            let start = environment.uptime()
            let revision = write(session)
            let took = environment.uptime() - start
            session.withState { state in
                state.upkeep.schedule.isSubmitted = false
                // A session that changes much takes a fifth of a processor at most.
                state.upkeep.schedule.notBefore = environment.uptime() + took * Self.restFactor
                if let revision {
                    state.upkeep.schedule.note(revision)
                } else {
                    state.upkeep.schedule.notBefore += Self.retryMilliseconds
                }
            }
        }
    }

    var failures: SnapshotFailures { failed.withLock(\.self) }

    private func note(_ session: Session, _ reason: String) {
        failed.withLock { failed in
            failed.count += 1
            failed.newest = "session '\(session.logSession.name)': \(reason)"
        }
    }

    private static let restFactor: Int64 = 4
    private static let retryMilliseconds: Int64 = 1_000

    /// Waits until everything that was submitted is done.
    func finish() { queue.sync {} }

    /// - Returns: the revision of the snapshot; nil when none could be written now.
    private func write(_ session: Session) -> Int64? {
        do throws(LogFailure) {
            if let newest = try newestOfOthers(session) { return newest }
        } catch {
            // The list says which entries a snapshot covers.
            note(session, error.reason)
            return nil
        }
        do throws(SessionError) {
            let (snapshot, response) = try session.withState { state throws(SessionError) in
                if state.isDeleted { throw .deleted(state.name) }
                return (try state.snapshot(), state.pendingResponse(until: state.head))
            }
            if let response {
                guard case .released = response.waitForDecision() else { return nil }
            }
            try session.write(snapshot)
            truncate(session)
            return snapshot.revision
        } catch {
            if error.code != .unknownSession { note(session, error.detail) }
            return nil
        }
    }

    /// The revision of a snapshot that another process has written; nil if this process has to write one.
    private func newestOfOthers(_ session: Session) throws(LogFailure) -> Int64? {
        guard log.properties.isShared,
            let newest = try log.snapshotRevisions(of: session.logSession).last
        else { return nil }
        let isShort = log.isShortOfSpace
        let isDue = session.withState {
            $0.acknowledged - newest >= SnapshotSchedule.commits($0.limits, isShort: isShort)
        }
        return isDue ? nil : newest
    }

    /// Drops the entries up to the newest snapshot that no promised token is older than.
    private func truncate(_ session: Session) {
        do throws(LogFailure) {
            let revisions = try log.snapshotRevisions(of: session.logSession)
            if log.isShortOfSpace, let newest = revisions.last {
                let head = session.withState(\.acknowledged)
                let last = min(newest, head - Self.keptEntriesWhenShort)
                let entry = try log.tail(of: session.logSession, after: newest - 1, limit: 1).first
                // Snapshots before that go with the entries.
                session.withState { state in
                    // Another process may have dropped the entry. It is not newer than the newest one.
                    let time = entry?.time ?? max(state.acknowledgedTime, state.createdAt)
                    state.upkeep.past.logged = PastPlace(revision: newest, time: time)
                }
                try log.truncate(session.logSession, through: last)
                return
            }
            for revision in revisions.reversed() where try mayDrop(through: revision, session) {
                try log.truncate(session.logSession, through: revision)
                return
            }
        } catch {
            // The entries stay until the next snapshot.
            note(session, error.reason)
        }
    }

    /// Whether nothing needs the entries up to a snapshot. Of a log that others write to, any process may need the
    /// newest ones: to follow, and for the streams of its own clients.
    private func mayDrop(
        through revision: Int64, _ session: Session
    ) throws(LogFailure) -> Bool {
        let (oldest, head) = session.withState { ($0.oldestRetained, $0.acknowledged) }
        guard revision < oldest else { return false }
        if !log.properties.isShared { return true }
        guard head - revision >= Self.keptEntriesMin else { return false }
        let next = try log.tail(of: session.logSession, after: revision, limit: 1).first
        return (next?.time ?? .max) < environment.now() - Self.keptMilliseconds
    }

    private static let keptEntriesMin: Int64 = 1_000
    private static let keptEntriesWhenShort: Int64 = 100
    private static let keptMilliseconds: Int64 = 3_600_000
}

/// Snapshots that could not be written, and truncations that could not be made.
package struct SnapshotFailures: Equatable, Sendable {
    package var count: UInt64
    /// The newest one, for the operator.
    package var newest: String

    package init(count: UInt64 = 0, newest: String = "") {
        self.count = count
        self.newest = newest
    }
}

/// When a session's next snapshot is due.
struct SnapshotSchedule {
    private var revision: Int64 = 0
    private var bytes = 0
    var isSubmitted = false
    /// Milliseconds of `SessionEnvironment.uptime` before which there is no other one.
    var notBefore: Int64 = .min

    /// There is a snapshot of this revision, so only what comes after it counts.
    mutating func note(_ revision: Int64) {
        self.revision = revision
        bytes = 0
    }

    /// Counts a commit that was acknowledged. Returns whether a snapshot is due.
    mutating func count(_ commit: RetainedCommit, limits: ServiceLimits, isShort: Bool) -> Bool {
        bytes += commit.entry.payload.count
        if isSubmitted { return false }
        return commit.revision - revision >= Self.commits(limits, isShort: isShort)
            || bytes > limits.retainedBytesMax
    }

    /// Whether a snapshot would let a log that is short of space drop entries.
    func isDue(whenShortAt head: Int64, limits: ServiceLimits) -> Bool {
        !isSubmitted && head - revision >= Self.commits(limits, isShort: true)
    }

    /// After so many commits a snapshot is due.
    static func commits(_ limits: ServiceLimits, isShort: Bool) -> Int64 {
        let usual = Int64(limits.snapshotEvery)
        return isShort ? min(usual, commitsWhenShort) : usual
    }

    private static let commitsWhenShort: Int64 = 200
}

extension SessionState {
    /// The log has acknowledged commits.
    ///
    /// - Returns: whether a snapshot is to be submitted.
    func countForSnapshot(
        _ commits: some Sequence<RetainedCommit>, isShort: Bool = false
    ) -> Bool {
        var isDue = false
        for commit in commits where commit.entry.kind == .commit {
            if upkeep.schedule.count(commit, limits: limits, isShort: isShort) { isDue = true }
        }
        guard isDue, environment.uptime() >= upkeep.schedule.notBefore else { return false }
        upkeep.schedule.isSubmitted = true
        return true
    }
}

extension Session {
    /// Writes a snapshot into the log.
    ///
    /// - Throws: what the log says.
    func write(_ snapshot: SessionSnapshot) throws(SessionError) {
        let payload = try snapshot.logSnapshot()
        do throws(LogFailure) {
            try log?.write(payload, of: logSession)
        } catch {
            throw SessionError(
                .logUnavailable, "The log did not take the snapshot: \(error.reason).")
        }
    }
}
