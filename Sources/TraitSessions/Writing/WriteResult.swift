// The outcome of a write, and the time that the write may take on its thread.

/// How a write ended.
package enum WriteResult {
    /// The answer may go out. `head` is the revision that it shows.
    case done(CommitOutcome, head: Int64)
    /// The same, once the response is released.
    case held(CommitOutcome, head: Int64, PendingResponse)
    /// The response waits for the log, and then has the answer.
    case pending(PendingResponse)
    /// Nothing has changed: the write has to wait behind others in the session's queue.
    case mustWait
    /// Nothing has changed: the write takes longer than an event loop may, see `Session.queue`.
    case takesLong
}

/// Where a write is carried out, which bounds how long it may take.
enum WritePace {
    /// On an event loop. The write waits for short sections of a lock only.
    case onEventLoop
    /// On a thread for writes, from the session's queue. As short as on an event loop.
    case inTurn
    /// On a thread for writes that owns the session. May take any time.
    case atLength
}
