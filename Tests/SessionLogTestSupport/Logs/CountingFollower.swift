// A follower that only notes what it is told.

import SessionLog
import Synchronization

package final class CountingFollower: LogFollower {
    private let told = Mutex<[LogSession: [[Int64]]]>([:])
    private let called: @Sendable (LogSession) -> Void

    /// - Parameter called: what to do besides; it may read the log.
    package init(called: @escaping @Sendable (LogSession) -> Void = { _ in }) {
        self.called = called
    }

    package func appended(_ entries: [LogEntry], to session: LogSession) {
        told.withLock { $0[session, default: []].append(entries.map(\.revision)) }
        called(session)
    }

    package func lostTrack(of session: LogSession) { called(session) }

    /// The revisions of each call for a session.
    package func calls(for session: LogSession) -> [[Int64]] {
        told.withLock { $0[session] ?? [] }
    }
}
