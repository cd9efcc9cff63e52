// A feed is what streams with equal filters share: the retained commits that concern them, the
// listeners that wait for the next commit, and the newest records, encoded once.

import DequeModule
import Ledger
import Synchronization
import TraitEngine
import TraitJSON

/// Confinement: everything but `encoded` is touched only under the session's lock.
package final class Feed: @unchecked Sendable {
    let filter: FeedFilter
    let key: String
    /// 8 hexadecimal digits: FNV-1a over the key, alike in every process.
    let fingerprint: String
    /// Commits up to this revision cannot concern the feed: its registrations did not exist, or its
    /// watches were not there.
    package let since: Int64
    /// The retained commits that concern the feed, ascending. Not used by a session's feed, which
    /// all commits concern.
    private var matching = Deque<Match>()
    /// The newest matching revision that is no longer retained.
    private(set) var lostThrough: Int64 = 0
    /// The registrations that still exist.
    private(set) var live: [RegistrationIndex]
    /// The registrations that have ended, with the revision that ended them.
    private(set) var ended: [RegistrationIndex: Int64] = [:]
    /// The registrations and watches of the request that do not exist now. The feed is replaced by
    /// another one at the commit that makes them again.
    private(set) var absent: [FeedFilter.Member]
    /// The feed that goes on after a revision in place of this one, with the same listeners.
    private(set) var successor: (feed: Feed, after: Int64)?
    /// How many feeds this one follows. Readers that take nothing hold all of them.
    let predecessors: Int
    private(set) var ending: (revision: Int64, reason: StreamReason)?
    private var listeners = Listeners()
    /// When the last listener left, or the feed was made; milliseconds of `SessionEnvironment.uptime`.
    private(set) var idleSince: Int64
    /// Whether the table still has the feed's watches and counts its members.
    var isInTable = true
    /// Whether the listeners are also woken when traits are defined or deleted.
    package var followsDefinitions = false
    /// Whether the feed is in the table's queue of idle feeds.
    var isAmongIdle = false
    let encoded = Mutex<EncodedRecords>(EncodedRecords())
    /// The caller whose request made the feed. The feed counts in its account while it exists.
    let owner: MemoryAccount?
    /// See `FeedFilter.heldBytes`.
    let heldBytes: Int
    /// The members of the request.
    let memberCount: Int

    /// - Parameters:
    ///   - replaced: the feed in whose place this one goes on after `since`, with the same listeners.
    ///   - absent: the members of its request that still do not exist.
    init(
        _ filter: FeedFilter, since: Int64, now: Int64, owner: MemoryAccount?,
        replacing replaced: Feed? = nil, absent: [FeedFilter.Member] = []
    ) {
        self.filter = filter
        self.since = since
        self.owner = owner
        self.absent = absent
        key = filter.key
        heldBytes = replaced?.heldBytes ?? filter.heldBytes
        memberCount = replaced?.memberCount ?? filter.members.count
        predecessors = replaced.map { $0.predecessors + 1 } ?? 0
        live = filter.registrations
        idleSince = now
        fingerprint = Fingerprint.of(key).hexadecimal
        owner?.streams.change(by: heldBytes)
        guard let replaced else { return }
        listeners = replaced.listeners
        replaced.successor = (self, since)
        replaced.listeners = Listeners()
        let (readers, version) = replaced.encoded.withLock {
            $0.end()
            // A digest of the smaller set must not be sent for the revision that makes the set larger.
            $0.setVersion &+= 1
            return ($0.readers, $0.setVersion)
        }
        encoded.withLock {
            $0.readers = readers
            $0.setVersion = version
        }
    }

    deinit { owner?.streams.change(by: -heldBytes) }

    /// The feed that has the listeners of this one.
    var current: Feed {
        var feed = self
        while let next = feed.successor { feed = next.feed }
        return feed
    }

    /// Whether every commit concerns the feed.
    var isSession: Bool { filter.isSession }
    var isWatch: Bool { filter.hasWatches }

    /// The members that still exist, in the order of the filter.
    var liveMembers: [FeedFilter.Member] {
        filter.members.filter { live.contains($0.index) }
    }

    /// The watches among them. The engine has to remove these when the feed is removed.
    var liveWatches: [RegistrationIndex] {
        filter.hasWatches ? liveMembers.lazy.filter { $0.id == nil }.map(\.index) : []
    }

    // MARK: - Listening

    func listen(_ handle: any Waker) -> Int {
        encoded.withLock { $0.readers += 1 }
        return listeners.add(handle)
    }

    func leave(_ listener: Int, now: Int64) {
        encoded.withLock { $0.readers -= 1 }
        listeners.remove(listener)
        if listeners.isEmpty { idleSince = now }
    }

    var hasListeners: Bool { !listeners.isEmpty }
    var listenerCount: Int { listeners.count }

    func wake(_ wakes: inout WakeList) { listeners.wake(&wakes) }

    // MARK: - Commits

    /// A commit with something for the feed.
    struct Match {
        let revision: Int64
        /// The first and the last note that the filter admits. The notes in between are checked
        /// again when the commit is read; most feeds have one note of a commit.
        var first: Int32
        var last: Int32

        var notes: Range<Int> { Int(first)..<Int(last) + 1 }
    }

    /// Remembers the range that has all notes of the commit that the filter admits, or one of several
    /// ranges. To be called in the order of revisions. Returns whether it is the first of the commit.
    ///
    /// - Parameter oldest: the oldest retained revision. Earlier matches are forgotten, since a feed whose
    ///   readers take nothing would grow with each commit.
    func match(_ revision: Int64, notes: Range<Int>, oldest: Int64) -> Bool {
        let (first, last) = (
            Int32(clamping: notes.lowerBound), Int32(clamping: notes.upperBound - 1)
        )
        if let known = matching.indices.last, matching[known].revision == revision {
            matching[known].first = min(matching[known].first, first)
            matching[known].last = max(matching[known].last, last)
            return false
        }
        forget(before: oldest)
        matching.append(Match(revision: revision, first: first, last: last))
        return true
    }

    /// Takes over the commits that concern a feed with the same members, for streams that begin with earlier ones.
    func takeMatches(of former: Feed) {
        matching = former.matching
        lostThrough = former.lostThrough
    }

    /// Wakes the listeners for a commit that concerns the feed. To be called after `match`.
    func happened(_ revision: Int64, wakes: inout WakeList) {
        encoded.withLock { $0.happened(revision) }
        wake(&wakes)
    }

    func end(_ reason: StreamReason, at revision: Int64, wakes: inout WakeList) {
        if ending == nil { ending = (revision, reason) }
        encoded.withLock { $0.end() }
        wake(&wakes)
    }

    func lose(_ registration: RegistrationIndex, at revision: Int64) {
        if live.contains(registration) {
            live.removeAll { $0 == registration }
            absent += filter.members.filter { $0.index == registration }
        }
        ended[registration] = revision
        setChanged()
    }

    /// How many names have to exist again before nothing is absent.
    var absentNames: Int { absent.reduce(0) { $0 &+ 1 &+ $1.traits.count } }

    /// Notes that the feed's set of registrations and watches has changed. To be called before the
    /// commit that changed the set can be read.
    func setChanged() { encoded.withLock { $0.setVersion &+= 1 } }

    var setVersion: Int { encoded.withLock { $0.setVersion } }

    /// Forgets matching revisions before `oldest`, the oldest retained revision.
    func forget(before oldest: Int64) {
        while let first = matching.first, first.revision < oldest {
            lostThrough = first.revision
            matching.removeFirst()
        }
    }

    /// The matches from `revision` on, at most `limit`. O(log n).
    func matching(from revision: Int64, limit: Int) -> Deque<Match>.SubSequence {
        let first = matching.firstPlace { $0.revision >= revision }
        return matching[first..<min(matching.count, first + limit)]
    }
}
