// The commits from which a session's streams can resume, and all that reads or waits for them.

/// A revision that defined or deleted traits; 0 for none.
package struct DefinitionChange: Sendable {
    package var revision: Int64 = 0
    /// Milliseconds since 1970.
    package var time: Int64 = 0

    package init(revision: Int64 = 0, time: Int64 = 0) {
        self.revision = revision
        self.time = time
    }
}

/// The part of a session's state that its streams read.
package struct StreamHub {
    var retained: RetainedCommits
    /// Of a frozen session, which retains no commits.
    var oldestOfOrigin: PastPlace?
    var feeds = FeedTable()
    /// When each registration with a `ttl` was renewed last. Not part of what the log determines.
    package var leases = Leases()
    /// The new names that the open commit gives. Not in the commit's transaction, which is copied for every write.
    package var renames: [RenameNote] = []
    /// Streams that begin with a state that the log has not acknowledged. Woken at the next
    /// acknowledgement or withdrawal.
    private(set) var awaiting: [any Waker] = []
    /// The newest acknowledged commit since the session was loaded that defined or deleted traits.
    package private(set) var definitionChange = DefinitionChange()
    /// Where the session is listed for upkeep; nil for a session of no store.
    var listing: UpkeepListing?

    init(_ window: RetainedWindow) { retained = RetainedCommits(window) }

    mutating func noteDefinitions(_ commit: RetainedCommit) {
        definitionChange = DefinitionChange(revision: commit.revision, time: commit.entry.time)
    }

    mutating func await(_ waker: any Waker) { awaiting.append(waker) }

    /// Wakes the streams that wait for the log. Those that still have to wait are added again.
    mutating func wakeAwaiting(_ wakes: inout WakeList) {
        for waker in awaiting { wakes.add(waker) }
        awaiting = []
    }

    /// Lists the session if it has feeds without listeners.
    mutating func noteIdleFeeds() {
        if feeds.hasIdle { listing?.noteIdleFeeds() }
    }
}

extension SessionState {
    /// Has `waker` woken with the next acknowledged commit.
    package func await(_ waker: any Waker) { streams.await(waker) }
}
