// The outcome of a write.

/// How a write ended.
package enum WriteResult {
    /// The answer may go out. `head` is the revision that it shows.
    case done(CommitOutcome, head: Int64)
    /// The answer, which shows the revision `head`, may go out once the response is released.
    case held(CommitOutcome, head: Int64, PendingResponse)
    /// The response waits for the log, and then has the answer.
    case pending(PendingResponse)
    /// Nothing has changed: the write has to wait behind others in the session's queue.
    case mustWait
    /// Nothing has changed: the write takes longer than an event loop may, see `Session.queue`.
    case takesLong
}
