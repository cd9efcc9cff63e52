// The threads on which writes are carried out that take long.

import Background

package enum WriteThreads {
    /// Two for all sessions, so that one long write does not hold up those of another session.
    package static let shared = BackgroundThreads(count: 2)
}
