// Threads that read large states shared by several requests: the state before a long write, and the
// state with which a stream begins.

import Background

package enum ReadThreads {
    /// Two for all sessions, so that one large state does not hold up those of another session.
    package static let shared = BackgroundThreads(count: 2)
    /// For rebuilding the past: restoring a state takes one of them for a tenth of a second and more.
    package static let past = BackgroundThreads(count: 2)
}
