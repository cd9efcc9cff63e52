// The threads of all sessions. There are two for each purpose, so that one large state does not hold up those of
// another session.

import Background

/// For long writes. Where the processors are busy they have twice the time of a thread that makes long answers, since a
/// write makes others of its session wait.
package enum WriteThreads {
    package static let shared = BackgroundThreads(count: 2, niceness: 2)
}

/// For reading large states that several requests share: the state before a long write, and the state with which a
/// stream begins.
package enum ReadThreads {
    package static let shared = BackgroundThreads(count: 2)
    /// For rebuilding the past: restoring a state takes one of them for a tenth of a second and more.
    package static let past = BackgroundThreads(count: 2)
}
