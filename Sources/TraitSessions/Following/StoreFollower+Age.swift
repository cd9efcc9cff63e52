// How old an answer may be that asks the log nothing: as old as the last time when the log had told all that it had, or
// older, if some of that waits for its turn.

import Background
import SessionLog

extension SessionLog {
    /// At this time or later, followers had received everything that the log had; nil for a log that does not know.
    var knownAt: Uptime? {
        // Before the age, which may come later and must not seem to be less.
        let now = Uptime.now
        return age.map { now - $0 }
    }
}

extension SessionStore {
    /// At most so long ago a session showed everything that the log had; nil for a log that does not know.
    ///
    /// - Parameter name: nil for all sessions.
    package func age(of name: @autoclosure () -> String?) -> Duration? {
        // First: what the log has told until then is shown, or waits below.
        guard let age = log?.age else { return nil }
        let follower = following.withLock { $0?.follower }
        let waiting = follower?.knownAt { name().flatMap(find) }?.duration(to: .now)
        return max(age, waiting ?? .zero, writer?.unshown?.age ?? .zero)
    }
}

extension StoreFollower {
    /// When all of the log was known but what still waits; nil when nothing waits.
    ///
    /// - Parameter find: finds the session that is asked for; nil for all, and for one that is not there.
    fileprivate func knownAt(_ find: () -> Session?) -> Uptime? {
        let isLevel = state.withLock { $0.isIdle && $0.late.isEmpty }
        if isLevel { return nil }
        let session = find()
        return state.withLock { state in
            guard let session else {
                // The turn that comes next has waited longest.
                let next = state.turns.first.flatMap { state.waiting[$0]?.knownAt }
                let times = state.applying.values.map { $0.knownAt } + [next]
                return (times.compactMap(\.self) + state.late.values.flatMap(\.values)).min()
            }
            let times = [
                state.applying[session.name]?.knownAt, state.waiting[session.logSession]?.knownAt,
                state.late[session.name]?.values.min(),
            ]
            return times.compactMap(\.self).min()
        }
    }
}
