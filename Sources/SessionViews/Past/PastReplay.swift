// A session that is rebuilt from the nearest snapshot and the entries after it, a few entries at a time. It is
// read and thrown away: no log, no streams, no clients.

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON
import TraitSessions

/// Confined to one thread at a time.
final class PastReplay {
    /// The session as it was; nothing but the replay changes it.
    let state: SessionState
    /// The session that is there now.
    private let origin: Session
    let replayer = Replayer()
    /// Entries that are applied next.
    private var entries: ArraySlice<LogEntry> = []
    private var wakes = WakeList()

    /// Entries of one step: about a millisecond.
    private static let entriesPerStep = 64

    /// Restores the nearest state at or before `revision`. O(state).
    ///
    /// - Parameter memory: what was reserved for it, which is settled as the restored state takes it.
    /// - Throws: `historyGone` when no such state is kept, `outOfMemory`, `logUnavailable`.
    init(
        of origin: Session, from revision: Int64, taking memory: MemoryReservation
    ) throws(SessionError) {
        self.origin = origin
        let start = try Self.start(of: origin, at: revision)
        var limits = origin.limits
        limits.retainedCommitsMax = 1
        var environment = origin.environment
        if case .snapshot(let snapshot) = start {
            // The text is there, and its nodes will take the rest.
            memory.settle(another: snapshot.payload.count)
            let bytesPerNode = memory.bytes / max(1, origin.withState(\.hierarchy.nodeCount))
            environment.onWork = { memory.settle(another: $0 * bytesPerNode) }
        }
        let source = SessionSurroundings(limits: limits, environment: environment)
        do throws(ReplayError) {
            switch start {
            case .snapshot(let snapshot):
                state = try SessionState.restore(snapshot, of: origin.logSession, source)
            case .first(let entry):
                state = try Session.begin(with: entry, of: origin.logSession, source, replayer)
            }
        } catch {
            throw Self.failure(error, origin)
        }
    }

    /// Applies entries up to `revision`, as many as one step may.
    ///
    /// - Parameters:
    ///   - before: called with each entry before it is applied.
    ///   - after: called with each entry after it was applied.
    /// - Returns: whether the state is at `revision`.
    func step(
        to revision: Int64, before: (LogEntry) throws(SessionError) -> Void = { _ in },
        after: (LogEntry) throws(SessionError) -> Void = { _ in }
    ) throws(SessionError) -> Bool {
        for _ in 0..<Self.entriesPerStep {
            if state.head >= revision { return true }
            if entries.isEmpty { entries = try nextEntries()[...] }
            guard let entry = entries.popFirst() else { throw origin.withState(\.pastGone) }
            try before(entry)
            do throws(ReplayError) {
                try state.apply(CollectionOfOne(entry), with: replayer, wakes: &wakes)
            } catch {
                throw Self.failure(error, origin)
            }
            try after(entry)
        }
        return state.head >= revision
    }

    /// The entries behind the head: those that the session retains, else those of its log.
    private func nextEntries() throws(SessionError) -> [LogEntry] {
        let head = state.head
        let kept = origin.withState {
            $0.retained.entries(after: head, atMost: Self.entriesAtATime)
        }
        if !kept.isEmpty { return kept }
        guard let log = origin.log else { return [] }
        return try PastBase.reading { () throws(LogFailure) in
            try log.tail(of: origin.logSession, after: head, limit: Self.entriesPerStep)
        }
    }

    /// References to so many entries are taken in one section of the session's lock: about 20 microseconds.
    private static let entriesAtATime = 1_024

    // MARK: - The state to begin with

    private enum Start {
        case snapshot(LogSnapshot)
        case first(LogEntry)
    }

    private static func start(of origin: Session, at revision: Int64) throws(SessionError) -> Start
    {
        if let log = origin.log {
            let snapshot = try PastBase.reading { () throws(LogFailure) in
                try log.snapshot(of: origin.logSession, atOrBefore: revision)
            }
            if let snapshot { return .snapshot(snapshot) }
            let first = try PastBase.reading { () throws(LogFailure) in
                try log.tail(of: origin.logSession, after: 0, limit: 1).first
            }
            if let first, first.revision == 1 { return .first(first) }
            throw origin.withState(\.pastGone)
        }
        let (base, first) = origin.withState { state -> (PastBase?, LogEntry?) in
            let first = state.retained.oldestForPast
            let base = state.upkeep.past.bases?.newest(
                atOrBefore: revision, thatReaches: first?.revision ?? state.head + 1)
            return (base, first?.entry)
        }
        if let base { return .snapshot(try base.snapshot()) }
        if let first, first.revision == 1 { return .first(first) }
        throw origin.withState(\.pastGone)
    }

    private static func failure(_ error: ReplayError, _ origin: Session) -> SessionError {
        switch error.cause {
        case .outOfMemory:
            SessionError(
                .outOfMemory, "There is no memory to rebuild the past of '\(origin.name)'.")
        case .unavailable:
            SessionError(.logUnavailable, "The log does not answer: \(error.reason).")
        case .damaged, .unsupported, .refused:
            SessionError(
                .internalError,
                "The past of '\(origin.name)' cannot be rebuilt at revision \(error.revision): \(error.reason)."
            )
        }
    }
}
