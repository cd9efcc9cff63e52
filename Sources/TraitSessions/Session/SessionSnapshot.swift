// A session as it was at one revision, for reading it at length: exports, bulk answers, pages, the
// log's snapshots. Taking one is O(1) under the session's lock; everything long happens on it, off
// that lock and off the shard.

import Background
import Ledger
import Synchronization
import TraitEngine
import TraitJSON

/// How many snapshots of one session are held. It outlives the session as long as one is.
final class SnapshotCount: Sendable {
    let held = Atomic<Int>(0)
}

/// Shared by all that read one revision of a session.
package final class SessionSnapshot: Sendable {
    package let revision: Int64
    package let header: SessionHeader
    package let digest: StateDigest
    /// The checksum of the revision's log entry, which the next entry is chained to.
    package let checksum: UInt64
    private let source: LoadedParts
    private let stage: Mutex<Stage>
    private let count: SnapshotCount
    /// Whether giving it back takes longer than a shard may.
    private let isLarge: Bool
    /// Reserves the bytes that the copy of the hierarchy takes.
    private let reservation: MemoryReservation

    private enum Stage {
        case open(HierarchySnapshot)
        case materialized(Session)
        case failed(SessionError)
        case released
    }

    /// The parts of the session beside its hierarchy.
    private struct LoadedParts: Sendable {
        let notes: RegistrationNotes
        let outcomes: RecordedOutcomes
        let annotations: Annotations
        let surroundings: SessionSurroundings
        let oldest: PastPlace

        init(_ state: SessionState, withOutcomes: Bool) {
            notes = state.registrationNotes
            outcomes = withOutcomes ? state.outcomes : RecordedOutcomes(state.limits)
            annotations = state.annotations
            surroundings = state.surroundings
            oldest = state.oldestPast
        }
    }

    private init(
        _ state: SessionState, _ stage: consuming Stage, _ reservation: MemoryReservation,
        withOutcomes: Bool
    ) {
        revision = state.head
        header = state.header
        digest = state.digest
        checksum = state.queue.chain
        source = LoadedParts(state, withOutcomes: withOutcomes)
        self.stage = Mutex(stage)
        self.reservation = reservation
        isLarge =
            state.hierarchy.isLarger(than: Disposal.itemsMax)
            || state.hierarchy.heldBytes.total > Disposal.bytesMax
        count = state.upkeep.snapshotCount
        count.held.add(1, ordering: .relaxed)
    }

    /// - Parameter withOutcomes: whether the snapshot has what requests with keys were answered. What reads the past
    ///   has no use for them, and each snapshot that holds them has the next such request copy all.
    convenience init(_ session: SessionState, withOutcomes: Bool = true) throws(SessionError) {
        let hierarchy = session.hierarchy
        let reservation = try session.environment.memory.reserving(hierarchy.heldBytes.total)
        let snapshot = try refusing { () throws(OperationError) in try hierarchy.snapshot() }
        self.init(session, .open(snapshot), reservation, withOutcomes: withOutcomes)
    }

    /// Of a session that nothing changes any more: it is read itself, without a copy.
    ///
    /// - Parameter state: that of the session, whose lock is held.
    /// - Throws: `outOfMemory`.
    package convenience init(rebuilt session: Session, _ state: SessionState) throws(SessionError) {
        let reservation = try session.environment.memory.reserving(0)
        self.init(state, .materialized(session), reservation, withOutcomes: true)
        state.upkeep.sharedSnapshot = self
    }

    /// Giving back the memory of a million nodes takes milliseconds, so no shard does it. Small ones are given back at
    /// once: a backup makes copies of many sessions more quickly than one thread frees them.
    deinit {
        count.held.subtract(1, ordering: .relaxed)
        let rest = stage.withLock { stage in
            let rest = stage
            stage = .released
            return rest
        }
        if isLarge { Disposal.keepForAWhile(rest) }
    }

    /// The session at this revision, for reading alone. The first call copies the state: about
    /// 50 ms for a million nodes. Readers take turns through the lock of that session, in sections
    /// of about a millisecond.
    ///
    /// Not to be called on a shard nor under any lock.
    package func session() throws(SessionError) -> Session {
        try stage.withLock { stage throws(SessionError) in
            switch stage {
            case .materialized(let session): return session
            case .failed(let error): throw error
            case .released: throw SessionError(.internalError, "Released.")
            case .open(let snapshot):
                do throws(SnapshotError) {
                    let state = frozen(try snapshot.materialize())
                    reservation.settle()
                    // Where that session stands in for its origin, long answers share this.
                    state.upkeep.sharedSnapshot = self
                    let session = Session(state)
                    stage = .materialized(session)
                    return session
                } catch {
                    let error = SessionError(.internalError, "The snapshot was \(error).")
                    stage = .failed(error)
                    throw error
                }
            }
        }
    }

    private func frozen(_ hierarchy: Hierarchy) -> SessionState {
        let state = SessionState(
            frozen: hierarchy, header: header, chain: checksum, notes: source.notes,
            outcomes: source.outcomes, annotations: source.annotations, source.surroundings)
        state.streams.oldestOfOrigin = source.oldest
        return state
    }
}

extension SessionState {
    /// The state of the head, shared with all that read this revision.
    ///
    /// - Parameter isCounted: whether `readSnapshotsMax` applies. A backup is one reader, which the readers
    ///   of one session must not end.
    /// - Throws: `tooManyReads` when readers hold `readSnapshotsMax` others, or too many are being copied;
    ///   `outOfMemory` when there is no room for the copy.
    package func snapshot(isCounted: Bool = true) throws(SessionError) -> SessionSnapshot {
        if let known = upkeep.sharedSnapshot, known.revision == head, known.checksum == queue.chain
        {
            return known
        }
        let max = limits.readSnapshotsMax
        guard !isCounted || snapshotsHeld < max else {
            throw SessionError.limit(
                .tooManyReads,
                "Long answers are being made from readSnapshotsMax=\(max) other revisions of the session '\(name)'. Try again when one of them has been read.",
                name: "readSnapshotsMax", value: max)
        }
        let snapshot = try SessionSnapshot(self)
        upkeep.sharedSnapshot = snapshot
        return snapshot
    }

    /// How many revisions of the session long answers are being made from. O(1).
    package var snapshotsHeld: Int { upkeep.snapshotCount.held.load(ordering: .relaxed) }
}
