// The state of a session: the parts that commits change, and the parts that follow from them. The operations of a
// session's log determine it: `decide` decides new operations, `apply` replays those of a log.

import Background
import SessionLog
import TraitEngine
import TraitJSON

/// Not `Sendable`: `Session.withState` lends it while the session's lock is held, so its methods need no lock.
/// No part has access to another part: code that needs several parts is a method of the state.
@usableFromInline
package final class SessionState {
    package let identity: SessionIdentity
    @usableFromInline let surroundings: SessionSurroundings

    package let hierarchy: Hierarchy

    // Exclusivity of the parts is not checked at run time, as every request accesses them: the holder of the
    // lock has them alone, and no call during an access leads to another access of the same part.

    @exclusivity(unchecked) package var encodings = TraitEncodings()
    @exclusivity(unchecked) package internal(set) var annotations = Annotations()
    @exclusivity(unchecked) package internal(set) var registrationNotes = RegistrationNotes()
    @exclusivity(unchecked) var outcomes: RecordedOutcomes
    @exclusivity(unchecked) var queue = CommitQueue()
    @exclusivity(unchecked) package internal(set) var streams: StreamHub
    @exclusivity(unchecked) package internal(set) var upkeep: Upkeep
    /// While operations are assumed, the revision before them; see `AssumedRead`.
    @exclusivity(unchecked) var assumedAfter = Int64.max

    init(header: SessionHeader, hierarchy: Hierarchy?, _ surroundings: SessionSurroundings) {
        identity = SessionIdentity(header)
        self.surroundings = surroundings
        outcomes = RecordedOutcomes(surroundings.limits)
        streams = StreamHub(surroundings.window)
        upkeep = Upkeep(surroundings.environment.memory)
        self.hierarchy =
            hierarchy
            ?? Hierarchy(
                propagation: header.configuration.propagation,
                updates: header.configuration.updates, limits: header.effectiveLimits,
                hashSeed: surroundings.environment.random(), sizes: .init(),
                hasSystemTraits: header.configuration.hasSystemTraits)
    }

    /// A session at one revision, for reading alone.
    convenience init(
        frozen hierarchy: Hierarchy, header: SessionHeader, chain: UInt64,
        notes: RegistrationNotes, outcomes: RecordedOutcomes,
        annotations: Annotations, _ surroundings: SessionSurroundings
    ) {
        self.init(header: header, hierarchy: hierarchy, surroundings)
        // Notes of registrations that have ended are kept until the log has acknowledged it.
        adopt(notes.all.filter { key, _ in isPresent(key) })
        queue.chain = chain
        self.outcomes = outcomes
        self.annotations = annotations
    }

    /// Freeing a session of a million nodes takes tens of milliseconds, so another thread frees it.
    deinit {
        upkeep.holding.end()
        upkeep.reported.end()
        if hierarchy.isLarger(than: Disposal.itemsMax)
            || streams.retained.heldBytes > Disposal.bytesMax
            || outcomes.count + registrationNotes.count + streams.feeds.count > Disposal.itemsMax
        {
            Disposal.keepForAWhile((hierarchy, streams, outcomes, registrationNotes))
        }
    }

    package var header: SessionHeader { identity.header }
    package var name: String { identity.name }
    package var uid: String { identity.uid }
    package var createdAt: Int64 { header.createdAt }
    package var configuration: SessionConfiguration { header.configuration }
    @inlinable package var limits: ServiceLimits { surroundings.limits }
    @inlinable package var environment: SessionEnvironment { surroundings.environment }
    var log: (any SessionLog)? { surroundings.log }

    /// The revision that the state is at, acknowledged or not.
    package var head: Int64 { hierarchy.revision }

    /// The newest revision that the log has acknowledged; without a log the head. Clients see nothing newer.
    package var acknowledged: Int64 { queue.acknowledged }

    package var isDeleted: Bool { queue.isDeleted }
    /// Milliseconds since 1970: the time of the newest acknowledged entry that this process has seen; 0 for none.
    package var acknowledgedTime: Int64 { queue.acknowledgedTime }

    /// The commits from which streams can resume.
    package var retained: RetainedCommits { streams.retained }

    /// The commits after a revision, those included that wait for the log; nil where one is no longer retained.
    package func commits(after revision: Int64) -> [RetainedCommit]? {
        let waiting = queue.pending.map(\.commit)
        let shown = waiting.first.map { $0.revision - 1 } ?? head
        guard revision < shown else {
            return Array(waiting.dropFirst(Int(min(revision - shown, Int64(waiting.count)))))
        }
        var commits: [RetainedCommit] = []
        for revision in revision + 1...shown {
            guard let commit = retained[revision] else { return nil }
            commits.append(commit)
        }
        return commits + waiting
    }

    /// The oldest revision from which streams can resume; the next one when no commit is retained.
    package var oldestRetained: Int64 { streams.retained.oldestRevision ?? acknowledged + 1 }

    // Lent, since a copy of the table would take a dozen reference counts under the lock.
    package var feeds: FeedTable { _read { yield streams.feeds } }

    /// How many responses wait for the log.
    package var waitingCount: Int { queue.responses.count }

    /// 64 bits that follow from the state alone, with revisions and times (`full`) and without
    /// (`content`). O(1).
    package var digest: StateDigest {
        hierarchy.digest + registrationNotes.digest + identity.digest + annotations.digest
    }
}
