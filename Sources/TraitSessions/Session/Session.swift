// One named hierarchy: the only way to its state. The state lies behind a lock; writes that wait for
// their turn, and what others find while a thread owns the session, lie beside it in the gate.
//
//     Session ── lock ──▶ SessionState: hierarchy, queue, streams, …
//         └───── gate

import SessionLog
import Synchronization
import TraitEngine

/// Reached from every shard.
@usableFromInline
package final class Session: Sendable {
    package let identity: SessionIdentity
    @usableFromInline let surroundings: SessionSurroundings
    @usableFromInline let lock = SessionLock()
    /// Reached through `withState` and its siblings alone, which hold the lock or own the session.
    @usableFromInline nonisolated(unsafe) let unlockedState: SessionState
    /// Guarded by the mutex of `lock`, also while a thread owns the session.
    @exclusivity(unchecked) nonisolated(unsafe) var gate = Gate()
    /// Whether the log's thread has the session on its list.
    let isSubmitted = Atomic<Bool>(false)
    package let attachment = AttachmentSlot()
    /// Called, without any lock, when the session has ended: deleted, or never created.
    private let onEnd: (@Sendable (Session) -> Void)?

    /// Nothing else knows the state.
    package init(_ state: SessionState, onEnd: (@Sendable (Session) -> Void)? = nil) {
        identity = state.identity
        surroundings = state.surroundings
        unlockedState = state
        self.onEnd = onEnd
    }

    package var header: SessionHeader { identity.header }
    package var name: String { identity.name }
    package var uid: String { identity.uid }
    package var createdAt: Int64 { header.createdAt }
    package var configuration: SessionConfiguration { header.configuration }
    package var logSession: LogSession { identity.logSession }
    @inlinable package var limits: ServiceLimits { surroundings.limits }
    @inlinable package var environment: SessionEnvironment { surroundings.environment }
    package var log: (any SessionLog)? { surroundings.log }
    var writer: LogWriter? { surroundings.writer }

    func hasEnded() { onEnd?(self) }

    // MARK: - The state

    /// That of a session which nothing changes any more, for readers that take its lock for each slice. `.ci/tidy` lists
    /// them.
    package var frozenState: SessionState { unlockedState }

    // The state does not leave `body`: the compiler refuses it and what belongs to it as a result (`sending`),
    // and in other threads' closures. `.ci/tidy` refuses what the compiler lets through.

    /// Runs `body` while the lock is held. Waits for a thread that owns the session, so event loops use
    /// `withStateIfFree`.
    @inlinable @inline(__always)
    package func withState<R, E: Error>(_ body: (SessionState) throws(E) -> sending R) throws(E)
        -> R
    {
        lock.lock()
        defer { lock.unlock() }
        return try body(unlockedState)
    }

    /// Runs `body` while the lock is held; nil when a thread owns the session. Waits for short sections
    /// alone.
    @inlinable @inline(__always)
    package func withStateIfFree<R, E: Error>(
        _ body: (SessionState) throws(E) -> sending R
    ) throws(E) -> R? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(unlockedState)
    }

    /// Runs `body` while the lock is held; nil when a thread owns the session, which wakes `waker`
    /// when it lets go.
    package func withStateIfFree<R, E: Error>(
        waking waker: (any Waker)?, _ body: (SessionState) throws(E) -> sending R
    ) throws(E) -> R? {
        while !lock.tryLock() {
            let isNoted = lock.peek { isOwned in
                if !isOwned { return false }
                if let waker { gate.occupation?.wakers.append(waker) }
                return true
            }
            if isNoted { return nil }
        }
        defer { lock.unlock() }
        return try body(unlockedState)
    }

    /// Runs `body` while the lock is held of this session or, while a thread owns it, of a stand-in.
    ///
    /// - Parameter standIn: called while a thread owns the session; nil tries again.
    /// - Throws: what `body` and `standIn` throw.
    @inlinable @inline(__always)
    package func withState<R, E: Error>(
        standIn: () throws(E) -> Session?, _ body: (SessionState) throws(E) -> sending R
    ) throws(E) -> R {
        let session = lock.tryLock() ? self : try lockedStandIn(standIn)
        defer { session.lock.unlock() }
        return try body(session.unlockedState)
    }

    @usableFromInline @inline(never)
    func lockedStandIn<E: Error>(_ standIn: () throws(E) -> Session?) throws(E) -> Session {
        while true {
            if let session = try standIn() {
                session.lock.lock()
                return session
            }
            if lock.tryLock() { return self }
        }
    }
}
