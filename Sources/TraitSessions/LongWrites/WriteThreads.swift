// The threads that carry out long writes.

import Background

package enum WriteThreads {
    /// Two threads for all sessions, so that a long write does not delay the writes of another
    /// session.
    package static let shared = BackgroundThreads(count: 2)
}
