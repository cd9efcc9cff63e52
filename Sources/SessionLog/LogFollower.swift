// Notifies replicas of a log of what others have appended.

import Synchronization

/// Receives the entries that any writer appends to any session.
package protocol LogFollower: AnyObject, Sendable {
    /// Entries were appended to a session, one after another. Called by a thread of the log, so it must not block.
    ///
    /// Calls may come in another order than their entries, more than once, and still while the
    /// subscription is being released.
    ///
    /// - Parameter isOwn: whether this process has appended them, and gets the log's answer now or soon. A log that
    ///   does not know says false.
    func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool)

    /// The follower may have missed entries of the session, and reads `tail`. Called as `appended` is.
    func lostTrack(of session: LogSession)
}

/// Lasts until it is released.
package final class LogSubscription: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: called once, when the subscription is released.
    package init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// The followers of a log in this process. Behind a lock of its own, as a subscription may end anywhere,
/// also in a call of a follower.
package final class LogFollowers: Sendable {
    private struct State {
        var followers: [(id: UInt64, follower: any LogFollower)] = []
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func add(_ follower: any LogFollower) -> LogSubscription {
        let id = state.withLock { state in
            state.last += 1
            state.followers.append((state.last, follower))
            return state.last
        }
        return LogSubscription { [weak self] in self?.remove(id) }
    }

    private func remove(_ id: UInt64) {
        // The follower is released outside the lock, as its end may call the log.
        let removed = state.withLock { state -> (any LogFollower)? in
            guard let at = state.followers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.followers.remove(at: at).follower
        }
        withExtendedLifetime(removed) {}
    }

    package func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool = false) {
        for (_, follower) in state.withLock(\.followers) {
            follower.appended(entries, to: session, isOwn: isOwn)
        }
    }

    package func lostTrack(of session: LogSession) {
        for (_, follower) in state.withLock(\.followers) { follower.lostTrack(of: session) }
    }
}
