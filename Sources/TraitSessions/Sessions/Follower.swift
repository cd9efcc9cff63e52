// A replica of a session: it gets its commits from the log instead of from requests, and serves
// reads and streams of them.

import Dispatch
import SessionLog
import Synchronization

/// Keeps a session at the head of its log until it is released.
package final class Follower: LogSubscriber, Sendable {
    package let session: Session
    let queue = DispatchQueue(label: "traitd.follower")
    private let state = Mutex(State())
    private let onFailure: @Sendable (ReplayError) -> Void

    /// The subscriber that the log retains. Its reference is weak, so the log does not retain the follower.
    private final class WeakSubscriber: LogSubscriber {
        private weak let follower: Follower?

        init(_ follower: Follower) { self.follower = follower }

        func entriesAppended(_ session: LogSession) { follower?.entriesAppended(session) }
    }

    private struct State {
        var subscription: LogSubscription?
        var isBehind = false
        var isRunning = false
    }

    /// Loads the session and follows its log.
    ///
    /// - Parameter onFailure: called once, when an entry cannot be applied; the session stays at the
    ///   revision before.
    /// - Throws: what `Session.load` throws.
    package init(
        _ logSession: LogSession, of log: any SessionLog, limits: ServiceLimits,
        environment: SessionEnvironment,
        onFailure: @escaping @Sendable (ReplayError) -> Void = { _ in }
    ) throws(ReplayError) {
        self.onFailure = onFailure
        session = try Session.load(
            logSession, from: log, limits: limits, environment: environment)
        let subscription = log.subscribe(to: logSession, WeakSubscriber(self))
        state.withLock { $0.subscription = subscription }
        entriesAppended(logSession)
    }

    /// Called by the log's thread. Returns at once.
    package func entriesAppended(_ session: LogSession) {
        let starts = state.withLock { state in
            state.isBehind = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.async { self.catchUp() } }
    }

    private func catchUp() {
        dispatchPrecondition(condition: .onQueue(queue))
        let replayer = Replayer()
        while isBehind() {
            do throws(ReplayError) {
                try session.catchUp(with: replayer)
            } catch {
                // The state stays as running, so nothing more is applied.
                return onFailure(error)
            }
        }
    }

    private func isBehind() -> Bool {
        state.withLock { state in
            defer { state.isBehind = false }
            if !state.isBehind { state.isRunning = false }
            return state.isBehind
        }
    }
}
