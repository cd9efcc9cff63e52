// A follower that only counts, so that a test can say how often it was called.

import SessionLog
import Synchronization

package final class CountingSubscriber: LogSubscriber {
    private let counts = Mutex<[LogSession: Int]>([:])
    private let called: @Sendable (LogSession) -> Void

    /// - Parameter called: what to do besides; it may read the log.
    package init(called: @escaping @Sendable (LogSession) -> Void = { _ in }) {
        self.called = called
    }

    package func entriesAppended(_ session: LogSession) {
        counts.withLock { $0[session, default: 0] += 1 }
        called(session)
    }

    package func calls(for session: LogSession) -> Int {
        counts.withLock { $0[session] ?? 0 }
    }
}
