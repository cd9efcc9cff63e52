// A follower that only records its notifications.

import SessionLog
import Synchronization

package final class CountingFollower: LogFollower {
    private let told = Mutex<[LogSession: [[Int64]]]>([:])
    private let lost = Mutex<Set<LogSession>>([])
    private let called: @Sendable (LogSession) -> Void

    /// - Parameter called: what to do besides; it may read the log.
    package init(called: @escaping @Sendable (LogSession) -> Void = { _ in }) {
        self.called = called
    }

    package func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool) {
        told.withLock { $0[session, default: []].append(entries.map(\.revision)) }
        called(session)
    }

    package func lostTrack(of session: LogSession) {
        _ = lost.withLock { $0.insert(session) }
        called(session)
    }

    /// Whether the follower was notified of a revision, or that it may have missed some.
    func knows(_ revision: Int64, of session: LogSession) -> Bool {
        calls(for: session).joined().contains(revision) || hasLost(session)
    }

    /// Whether the follower was notified that it may have missed entries.
    package func hasLost(_ session: LogSession) -> Bool { lost.withLock { $0.contains(session) } }

    /// The revisions of each call for a session.
    package func calls(for session: LogSession) -> [[Int64]] {
        told.withLock { $0[session] ?? [] }
    }
}
