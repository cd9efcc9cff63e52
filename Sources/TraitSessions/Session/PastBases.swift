// The snapshots from which a session without a log rebuilds its past. Its retained commits have all operations,
// so what is missing is a state to begin with. As long as the first commit is there, the empty session is that
// state. Later it is a snapshot that was taken every so many commits, deflated: a fifth of the JSON's size. Commits that
// leave the window stay until a base has what they did, so each retained commit can be read, however fast others come.

import Background
import Ledger
import SessionLog
import Synchronization
import TraitJSON

/// One state from which later ones are rebuilt.
package struct PastBase: Sendable {
    enum Content: Sendable {
        /// Until it is packed.
        case snapshot(SessionSnapshot)
        /// As `Deflate` packs it.
        case packed([UInt8])
    }

    let revision: Int64
    /// Milliseconds since 1970: the time of that revision.
    let time: Int64
    let checksum: UInt64
    fileprivate(set) var content: Content

    fileprivate var byteCount: Int {
        if case .packed(let bytes) = content { bytes.count } else { 0 }
    }

    /// - Throws: `logUnavailable` where the log cannot be read.
    package static func reading<R>(
        _ body: () throws(LogFailure) -> R
    ) throws(SessionError) -> R {
        do throws(LogFailure) {
            return try body()
        } catch {
            throw SessionError(
                .logUnavailable, "The past cannot be read from the log: \(error.reason).")
        }
    }

    /// The snapshot as a log keeps it. O(state).
    ///
    /// - Throws: `logUnavailable`.
    package func snapshot() throws(SessionError) -> LogSnapshot {
        switch content {
        case .snapshot(let snapshot): return try snapshot.logSnapshot()
        case .packed(let bytes):
            let payload = try Self.reading { () throws(LogFailure) in
                try Deflate.unpack(bytes[...])
            }
            return LogSnapshot(revision: revision, checksum: checksum, payload: payload)
        }
    }
}

/// The bases of one session, oldest first. Read and written by any thread.
package final class PastBases: Sendable {
    private let state = Mutex((bases: [PastBase](), isBeingMade: false, notBefore: Int64.min))

    /// A shorter snapshot is kept as it is.
    private static let packedFrom = 1_024
    /// A session that changes much takes a hundredth of a processor for its bases at most.
    private static let restFactor: Int64 = 99

    /// The bytes of all bases.
    var byteCount: Int { state.withLock { $0.bases.reduce(0) { $0 + $1.byteCount } } }

    var isBeingMade: Bool { state.withLock { $0.isBeingMade } }

    var newest: Int64? { state.withLock { $0.bases.last?.revision } }

    /// The oldest base that has all that the commits before `revision` did.
    func oldest(thatReaches revision: Int64) -> PastBase? {
        state.withLock { $0.bases.first { $0.revision + 1 >= revision } }
    }

    /// The newest of these bases that is at or before a revision.
    package func newest(atOrBefore last: Int64, thatReaches revision: Int64) -> PastBase? {
        state.withLock { $0.bases.last { $0.revision <= last && $0.revision + 1 >= revision } }
    }

    /// Lets go of the bases before the newest one that reaches a revision, the oldest retained one.
    ///
    /// - Returns: the revision of that base; nil where none reaches it.
    func drop(before oldest: Int64) -> Int64? {
        state.withLock { state in
            guard let place = state.bases.lastIndex(where: { $0.revision < oldest }) else {
                return nil
            }
            state.bases.removeFirst(place)
            return state.bases[0].revision
        }
    }

    /// Whether another one may be made now.
    ///
    /// - Parameter isForced: whether it may be made although the one before has taken long.
    func begin(now: Int64, isForced: Bool) -> Bool {
        state.withLock { state in
            if state.isBeingMade || now < state.notBefore && !isForced { return false }
            state.isBeingMade = true
            return true
        }
    }

    /// Adds a base, and packs it on a thread for the past.
    ///
    /// - Parameters:
    ///   - reservation: for the text of the snapshot, until it is packed.
    ///   - time: the time of the snapshot's revision.
    func add(
        _ snapshot: SessionSnapshot, time: Int64, _ reservation: MemoryReservation,
        _ environment: SessionEnvironment
    ) {
        state.withLock {
            $0.bases.append(
                PastBase(
                    revision: snapshot.revision, time: time, checksum: snapshot.checksum,
                    content: .snapshot(snapshot)))
        }
        ReadThreads.past.run { [self] in
            let begun = environment.ticks()
            let made = try? snapshot.logSnapshot(taking: reservation)
            let packed = made.map { Deflate.pack($0.payload, from: Self.packedFrom) }
            reservation.release()
            let took = Int64((environment.ticks() - begun) / 1_000_000)
            state.withLock { state in
                state.isBeingMade = false
                state.notBefore = environment.uptime() + took * Self.restFactor
                let place = state.bases.firstIndex { $0.revision == snapshot.revision }
                if let place, let packed { state.bases[place].content = .packed(packed) }
            }
            return false
        }
    }

    /// No base could be begun after all.
    func cancel() { state.withLock { $0.isBeingMade = false } }
}

/// When a session without a log needs its next base. A commit compares three numbers.
package struct PastBaseSchedule {
    /// Nil with a log, which has snapshots, and in sessions that are only read.
    package var bases: PastBases?
    /// With a log that is short of space: the oldest state that it still has.
    var logged: PastPlace?
    /// Whether one was due and could not be made. It is made when the session comes to rest, or must be made.
    private(set) var isOverdue = false
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
        from place: PastPlace, _ retained: RetainedCommits, _ limits: ServiceLimits
    ) {
        isOverdue = false
        revision = place.revision + Int64(max(1, limits.retainedCommitsMax / 2))
        time = place.time + limits.retainedAgeMilliseconds / 2
        bytes = retained.bytesTaken + limits.retainedBytesMax / 2
    }

    /// None could be made now. The next commit that asks comes after so many bytes.
    mutating func postpone(_ retained: RetainedCommits, by bytes: Int) {
        isOverdue = true
        (revision, time) = (.max, .max)
        self.bytes = retained.bytesTaken &+ min(bytes, Int.max / 2)
    }
}

extension SessionState {
    /// A session without a log begins to keep what its past needs. A session that was made from a document has no
    /// commit to begin with.
    func beginPast() {
        guard log == nil else { return }
        upkeep.past.begin()
        streams.retained.keepsLeft = true
        guard head > 0 else { return }
        if let first = streams.retained.oldest, first.revision == 1 {
            upkeep.past.wait(from: PastPlace(first.entry), streams.retained, limits)
        } else {
            makeBaseWhenDue()
        }
    }

    /// A commit became visible, after which a base may be due.
    @inline(never)
    func noteForPast(_ commit: RetainedCommit) {
        guard upkeep.past.bases != nil else { return }
        if commit.revision == 1, streams.retained.oldestRevision == 1 {
            return upkeep.past.wait(from: PastPlace(commit.entry), streams.retained, limits)
        }
        makeBaseWhenDue()
    }

    /// Has a base of the head made, now or later. Commits that have left the window take as much memory as the window
    /// or the state at most: then a base is made whatever the one before has taken. O(1).
    private func makeBaseWhenDue() {
        let most = max(limits.retainedBytesMax, hierarchy.heldBytes.total)
        if makeBase(isForced: streams.retained.leftBytes > most) {
            let place = PastPlace(revision: head, time: queue.acknowledgedTime)
            upkeep.past.wait(from: place, streams.retained, limits)
        } else {
            upkeep.past.postpone(streams.retained, by: most)
        }
        streams.listing?.notePast()
    }

    /// Has a base of the head made. O(1).
    ///
    /// - Returns: false when none can be made now.
    private func makeBase(isForced: Bool = false) -> Bool {
        guard let bases = upkeep.past.bases,
            bases.begin(now: environment.uptime(), isForced: isForced)
        else { return false }
        // The text of a state is about as long as the state, and shorter once it is deflated.
        guard let reservation = environment.memory.reserve(hierarchy.heldBytes.total * 2),
            let snapshot = try? SessionSnapshot(self, withOutcomes: false)
        else {
            bases.cancel()
            return false
        }
        bases.add(snapshot, time: queue.acknowledgedTime, reservation, environment)
        return true
    }

    /// Lets go of what no base needs any more, and makes the base that is overdue.
    ///
    /// - Returns: what was let go, and whether the session has to be visited again.
    func tendPast() -> (dropped: [RetainedCommit], isListed: Bool) {
        guard let bases = upkeep.past.bases, !isDeleted else { return ([], false) }
        let base = bases.drop(before: oldestRetained)
        let dropped = base.map { streams.retained.dropLeft(through: $0) } ?? []
        if upkeep.past.isOverdue { makeBaseWhenDue() }
        return (dropped, upkeep.past.isOverdue || bases.isBeingMade)
    }

    /// Lets go of the oldest commits until all have at most so many bytes. A session without a log goes on from the
    /// newest base; if that leaves too many commits, another base is made for the next time.
    ///
    /// - Parameter isLast: whether what the newest base needs goes as well: otherwise a write is refused.
    func shrinkWindow(to bytesMax: Int, isLast: Bool = false) -> [RetainedCommit] {
        guard let bases = upkeep.past.bases else { return streams.retained.shrink(to: bytesMax) }
        var dropped = streams.retained.shrink(to: bytesMax, through: bases.newest ?? 0)
        if dropped.count < RetainedCommits.droppedMax, streams.retained.heldBytes > bytesMax {
            if bases.newest != head { _ = makeBase(isForced: isLast) }
            if isLast { dropped += streams.retained.shrink(to: bytesMax) }
        }
        return dropped
    }
}
