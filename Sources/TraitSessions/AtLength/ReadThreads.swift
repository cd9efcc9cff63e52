// The threads on which states are read that take long and belong to no request alone: the one before a
// long write, and the one with which a stream begins.

import Background

package enum ReadThreads {
    /// Two for all sessions, so that one large state does not hold up those of another session.
    package static let shared = BackgroundThreads(count: 2)
}
