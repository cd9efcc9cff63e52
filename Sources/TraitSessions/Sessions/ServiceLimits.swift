// The service's limits: each with a name, its unit last. Every refusal names limit and value.

import TraitEngine

package struct ServiceLimits: Sendable {
    package var sessionsMax = 10_000
    /// Operations of one transaction.
    package var operationsMax = 100_000
    package var pageSizeMax = 1_000
    package var pageSizeDefault = 100
    /// Changes that a commit's answer lists before it says `truncated`.
    package var answeredChangesMax = 1_000
    /// The window of commits that streams can resume from, by count and by size.
    package var retainedCommitsMax = 10_000
    package var retainedBytesMax = 16_777_216
    /// Longer bodies that make sessions are worked on away from the shard.
    package var inlineBodyBytesMax = 131_072
    /// Nodes that one request resolves.
    package var resolvedNodesMax = 20_000
    /// Values that one request resolves, nodes times traits: the session's lock is held
    /// meanwhile, for about 20 milliseconds.
    package var resolvedValuesMax = 200_000
    /// Streams and waiting long polls of one session.
    package var streamsMax = 16_000
    /// Registrations that one stream may name.
    package var streamRegistrationsMax = 100
    package var heartbeatMilliseconds: Int64 = 15_000
    package var streamLifetimeMilliseconds: Int64 = 3_600_000
    /// How long a watch outlives its last stream, so that a token resumes without a gap.
    package var watchLingerMilliseconds: Int64 = 60_000
    package var longPollWaitSecondsMax = 300
    package var longPollRecordsMax = 1_000
    package var longPollRecordsDefault = 100
    /// What one session may hold, unless it asks for less.
    package var hierarchy = HierarchyLimits()

    package init() {}
}
