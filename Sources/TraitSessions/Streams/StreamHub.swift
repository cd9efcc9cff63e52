// The commits from which a session's streams can resume, and all that reads or waits for them.

/// The part of a session's state that its streams read.
struct StreamHub {
    var retained: RetainedCommits
    var feeds = FeedTable()
    /// When each registration with a `ttl` was renewed last. Not part of what the log determines.
    var leases = Leases()
    /// Streams that begin with a state that the log has not acknowledged. Woken at the next
    /// acknowledgement or withdrawal.
    private(set) var awaiting: [any Waker] = []
    /// Where the session is listed for upkeep; nil for a session of no store.
    var listing: UpkeepListing?

    init(_ limits: ServiceLimits) { retained = RetainedCommits(limits: limits) }

    mutating func await(_ waker: any Waker) { awaiting.append(waker) }

    /// Wakes the streams that wait for the log. Those that still have to wait are added again.
    mutating func wakeAwaiting(_ wakes: inout WakeList) {
        if awaiting.isEmpty { return }
        for waker in awaiting { wakes.add(waker) }
        awaiting = []
    }

    /// Lists the session if it has feeds without listeners.
    mutating func noteIdleFeeds() {
        if feeds.hasIdle { listing?.noteIdleFeeds() }
    }
}
