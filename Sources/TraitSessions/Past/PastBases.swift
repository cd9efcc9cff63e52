// The snapshots from which a session without a log rebuilds its past. Its retained commits have all operations,
// so what is missing is a state to begin with. As long as the first commit is retained, the empty session is that
// state. Later it is a snapshot that was taken every so many commits, deflated: a fifth of the JSON's size.

import Ledger
import SessionLog
import Synchronization

/// One state from which later ones are rebuilt.
struct PastBase: Sendable {
    let revision: Int64
    /// Milliseconds since 1970: the time of that revision.
    let time: Int64
    let checksum: UInt64
    /// As `Deflate.pack` makes it.
    let packed: [UInt8]
}

/// The bases of one session, oldest first. Read and written by any thread.
final class PastBases: Sendable {
    private let state = Mutex((bases: [PastBase](), isBeingMade: false, notBefore: Int64.min))

    /// A shorter snapshot is kept as it is.
    private static let packedFrom = 1_024
    /// A session that changes much takes a hundredth of a processor for its bases at most.
    private static let restFactor: Int64 = 99

    /// The bytes of all bases.
    var byteCount: Int { state.withLock { $0.bases.reduce(0) { $0 + $1.packed.count } } }

    /// Calls `body` with the bases, oldest first.
    func withBases<R: Sendable>(_ body: ([PastBase]) -> R) -> R {
        state.withLock { body($0.bases) }
    }

    /// Whether another one may be made now.
    func begin(now: Int64) -> Bool {
        state.withLock { state in
            if state.isBeingMade || now < state.notBefore { return false }
            state.isBeingMade = true
            return true
        }
    }

    /// Makes a base of a snapshot on a thread for the past.
    ///
    /// - Parameters:
    ///   - reservation: for the text of the snapshot, until the base is there.
    ///   - time: the time of the snapshot's revision.
    ///   - oldest: the revision of the oldest retained commit: older bases than the one it needs are let go.
    func add(
        _ snapshot: SessionSnapshot, time: Int64, oldest: Int64,
        _ reservation: MemoryReservation, _ uptime: @escaping @Sendable () -> Int64
    ) {
        ReadThreads.past.run { [self] in
            let begun = uptime()
            let made = try? snapshot.logSnapshot()
            let packed = made.map { Deflate.pack($0.payload, from: Self.packedFrom) }
            reservation.release()
            let now = uptime()
            state.withLock { state in
                state.isBeingMade = false
                state.notBefore = now + (now - begun) * Self.restFactor
                guard let made, let packed else { return }
                state.bases.append(
                    PastBase(
                        revision: made.revision, time: time, checksum: made.checksum,
                        packed: packed))
                while state.bases.count > 1, state.bases[1].revision < oldest {
                    state.bases.removeFirst()
                }
            }
            return false
        }
    }

    /// No base could be begun after all.
    func cancel() { state.withLock { $0.isBeingMade = false } }
}

/// When a session without a log needs its next base. A commit compares three numbers.
struct PastBaseSchedule {
    /// Nil with a log, which has snapshots, and in sessions that are only read.
    var bases: PastBases?
    private var revision = Int64.max
    private var time = Int64.max
    private var bytes = Int.max

    /// From now on bases are made. The first commit asks whether the window has it.
    mutating func begin() {
        bases = PastBases()
        revision = 1
    }

    /// Whether a base may be due. O(1).
    @inline(__always)
    func isDue(_ commit: RetainedCommit, _ retained: RetainedCommits) -> Bool {
        commit.revision >= revision || commit.entry.time >= time || retained.bytesTaken >= bytes
    }

    /// The next one is due when half of the window has passed.
    mutating func wait(
        from commit: RetainedCommit, _ retained: RetainedCommits, _ limits: ServiceLimits
    ) {
        revision = commit.revision + Int64(max(1, limits.retainedCommitsMax / 2))
        time = commit.entry.time + limits.retainedAgeMilliseconds / 2
        bytes = retained.bytesTaken + limits.retainedBytesMax / 2
    }

    /// None could be made now.
    mutating func retry(from commit: RetainedCommit) {
        revision = commit.revision + Self.retriedAfter
        (time, bytes) = (.max, .max)
    }

    private static let retriedAfter: Int64 = 64
}

extension SessionState {
    /// A session without a log begins to keep what its past needs. A session that was made from a document has no
    /// commit to begin with.
    func beginPast() {
        guard log == nil else { return }
        upkeep.past.begin()
        if head > 0, streams.retained.oldestRevision != 1 { makeBase(time: queue.acknowledgedTime) }
    }

    /// A commit became visible, after which a base may be due.
    @inline(never)
    func noteForPast(_ commit: RetainedCommit) {
        guard upkeep.past.bases != nil else { return }
        if commit.revision == 1, streams.retained.oldestRevision == 1 {
            return upkeep.past.wait(from: commit, streams.retained, limits)
        }
        if makeBase(time: commit.entry.time) {
            upkeep.past.wait(from: commit, streams.retained, limits)
        } else {
            upkeep.past.retry(from: commit)
        }
    }

    /// Has a base of the head made. O(1).
    ///
    /// - Returns: false when none can be made now.
    @discardableResult
    private func makeBase(time: Int64) -> Bool {
        guard let bases = upkeep.past.bases, bases.begin(now: environment.uptime()) else {
            return false
        }
        // The text of a state is about as long as the state, and shorter once it is deflated.
        guard let reservation = environment.memory.reserve(hierarchy.heldBytes.total * 2),
            let snapshot = try? SessionSnapshot(self, withOutcomes: false)
        else {
            bases.cancel()
            return false
        }
        let oldest = streams.retained.oldestRevision ?? head + 1
        bases.add(snapshot, time: time, oldest: oldest, reservation, environment.uptime)
        return true
    }
}
