// A session as it was at one revision, for all readers of that revision.

import Ledger
import TraitEngine
import TraitJSON
import TraitSessions

/// A session as it was. The snapshot is what long answers share; an assumable session has none.
private struct PastSession: Sendable {
    let session: Session
    let snapshot: SessionSnapshot?
}

/// Rebuilds a session. Used by one thread at a time.
final class PastStateWork: PastWork {
    let origin: Session
    private let revision: Int64
    private let isAssumable: Bool
    private(set) var replay: PastReplay?

    init(_ origin: Session, at revision: Int64, isAssumable: Bool) {
        self.origin = origin
        self.revision = revision
        self.isAssumable = isAssumable
    }

    var bytes: Int { 0 }

    func step(_ memory: MemoryReservation) throws(SessionError) -> PastResult? {
        guard let replay else {
            // The newest revision needs no replay while it is the newest.
            let present = try origin.withState { state throws(SessionError) -> SessionSnapshot? in
                guard !isAssumable, state.head == revision, state.acknowledged == revision else {
                    return nil
                }
                return try state.snapshot(isCounted: false)
            }
            if let present {
                // A snapshot of its own, so that the copy is no longer one of the `readSnapshotsMax`.
                return try result(try present.session())
            }
            replay = try PastReplay(of: origin, from: revision, taking: memory)
            return nil
        }
        guard try replay.step(to: revision) else { return nil }
        return try result(Session(replay.state))
    }

    private func result(_ session: Session) throws(SessionError) -> PastResult {
        try session.withState { state throws(SessionError) in
            // Readers look up names, and the first look-up of a copy makes an index of all.
            _ = state.hierarchy.node("")
            let snapshot = isAssumable ? nil : try SessionSnapshot(rebuilt: session, state)
            return PastResult(
                value: PastSession(session: session, snapshot: snapshot),
                byteCount: state.countBytes().total, rows: session.rows)
        }
    }
}

extension PastStates {
    /// The session as it was at a revision that it still has.
    ///
    /// - Parameters:
    ///   - caller: pays for the memory.
    ///   - isAssumable: whether operations are assumed on the session, which is apart from that of other readers then.
    /// - Throws: `tooManyReads` when too many wait.
    package func state(
        of session: Session, at revision: Int64, for caller: MemoryAccount?,
        isAssumable: Bool = false
    ) throws(SessionError) -> PastFinding<Session> {
        let key = PastKey(
            uid: session.uid, revision: revision, what: isAssumable ? .assumable : .state)
        let found: PastFinding<PastSession> = try find(key, for: caller) {
            PastStateWork(session, at: revision, isAssumable: isAssumable)
        }
        return switch found {
        case .found(let past): .found(past.session)
        case .wait(let response): .wait(response)
        }
    }
}
