// All feeds of a session, indexed by registration, node and subtree.

import DequeModule
import Ledger
import TraitEngine

package struct FeedTable {
    /// Feeds in no order, each found in O(1).
    typealias FeedSet = [ObjectIdentifier: Feed]

    private var feeds: [String: Feed] = [:]
    /// Feeds that no new stream gets: some of their members do not exist, or another feed has the key.
    private var keyless: FeedSet = [:]
    /// The names that keyless feeds wait for.
    private var absentNames = 0
    /// A commit that makes nodes, traits or registrations looks for all names that are waited for.
    private static let absentNamesMax = 8_192
    private static let predecessorsMax = 100
    private(set) var byRegistration: [RegistrationIndex: FeedSet] = [:]
    /// For invalidations of scopes, which concern feeds with a registration or watch on the scope's
    /// node.
    private var byNode: [NodeIndex: FeedSet] = [:]
    private(set) var bySubtree: [Int32: FeedSet] = [:]
    /// The feed of the whole session.
    private var session: Feed?
    /// Watches of removed feeds, which the engine is to remove.
    private(set) var orphans: [RegistrationIndex] = []
    /// Feeds that had no listener when they were added here, with the time since then, nearly in
    /// the order of that time. Each feed is in the queue once.
    private var idle = Deque<(feed: Feed, since: Int64)>()
    /// Streams and waiting long polls.
    package private(set) var listenerCount = 0
    /// Feeds with watches, including those that outlive their last stream.
    package private(set) var watchCount = 0

    subscript(key: String) -> Feed? { feeds[key] }

    /// Bytes of feeds and listeners, about. O(1).
    var heldBytes: Int { feedBytes &+ listenerCount &* Self.listenerBytes }

    private var feedBytes = 0
    /// Registrations and watches that the feeds name.
    private(set) var memberCount = 0
    /// Registrations and watches that the feeds of each caller name.
    private var memberCounts: [ObjectIdentifier: Int] = [:]

    func memberCount(of caller: MemoryAccount) -> Int {
        memberCounts[ObjectIdentifier(caller)] ?? 0
    }

    /// A listener with its cursor, about.
    private static let listenerBytes = 768

    /// The number of feeds, with and without listeners.
    package var count: Int { feeds.count + keyless.count }

    private var all: [Feed] { Array(feeds.values) + Array(keyless.values) }

    /// How many feeds were added so far.
    private(set) var insertions = 0

    /// Adds a feed, which has no listener yet. O(registrations and nodes of its filter).
    mutating func insert(_ feed: Feed) {
        insertions &+= 1
        if feed.absent.isEmpty {
            if let known = feeds[feed.key] { loseKey(of: known) }
            feeds[feed.key] = feed
            if feed.isWatch { watchCount += 1 }
        } else {
            keyless[ObjectIdentifier(feed)] = feed
            absentNames &+= feed.absentNames
        }
        if feed.isSession { session = feed }
        index(feed, isThere: true)
        count(feed, 1)
        noteIdle(feed)
    }

    /// Removes a feed, if the table has it. O(registrations and nodes of its filter).
    mutating func remove(_ feed: Feed) {
        if feed.isInTable { orphans += feed.liveWatches }
        takeOut(feed)
    }

    /// Puts a feed in the place of another one, which leaves its listeners and watches to it.
    mutating func replace(_ feed: Feed, with next: Feed) {
        takeOut(feed)
        insert(next)
    }

    private mutating func takeOut(_ feed: Feed) {
        loseKey(of: feed)
        keyless[ObjectIdentifier(feed)] = nil
        if feed.isInTable {
            feed.isInTable = false
            absentNames &-= feed.absentNames
            count(feed, -1)
        }
        if session === feed { session = nil }
        index(feed, isThere: false)
    }

    /// Adds a feed to the indices, or takes it out.
    private mutating func index(_ feed: Feed, isThere: Bool) {
        func set<Key>(_ key: Key, in table: inout [Key: FeedSet]) {
            table[key, default: [:]][ObjectIdentifier(feed)] = isThere ? feed : nil
            if table[key]?.isEmpty == true { table[key] = nil }
        }
        if case .subtree(let root, _) = feed.filter.subject { set(root.rawValue, in: &bySubtree) }
        for registration in feed.filter.registrations { set(registration, in: &byRegistration) }
        for node in feed.filter.nodes { set(node, in: &byNode) }
    }

    /// The next stream with the feed's filter gets another feed.
    private mutating func loseKey(of feed: Feed) {
        guard feeds[feed.key] === feed else { return }
        feeds[feed.key] = nil
        keyless[ObjectIdentifier(feed)] = feed
        if feed.isWatch { watchCount -= 1 }
    }

    // MARK: - Members that do not exist

    var hasKeyless: Bool { !keyless.isEmpty }

    /// The feeds of which a member does not exist.
    var incomplete: [Feed] { keyless.values.filter { !$0.absent.isEmpty } }

    /// Whether another feed may follow this one.
    func mayReplace(_ feed: Feed) -> Bool { feed.predecessors < Self.predecessorsMax }

    private mutating func count(_ feed: Feed, _ sign: Int) {
        feedBytes &+= sign &* feed.heldBytes
        let members = sign &* feed.memberCount
        memberCount += members
        guard members != 0, let owner = feed.owner else { return }
        let id = ObjectIdentifier(owner)
        memberCounts[id, default: 0] += members
        if memberCounts[id] == 0 { memberCounts[id] = nil }
    }

    /// The nodes whose subtrees have feeds.
    var subtrees: Dictionary<Int32, [ObjectIdentifier: Feed]>.Keys { bySubtree.keys }

    /// Takes one of the watches that the engine is to remove.
    mutating func takeOrphan() -> RegistrationIndex? { orphans.popLast() }

    /// Takes the watches that the engine is to remove.
    mutating func takeOrphans() -> [RegistrationIndex] {
        defer { orphans = [] }
        return orphans
    }

    mutating func listen(_ feed: Feed, _ handle: any Waker) -> Int {
        listenerCount += 1
        return feed.listen(handle)
    }

    mutating func leave(_ feed: Feed, _ listener: Int, now: Int64) {
        listenerCount -= 1
        feed.leave(listener, now: now)
        if feed.hasListeners { return }
        if feeds[feed.key] === feed { noteIdle(feed) } else { remove(feed) }
    }

    // MARK: - Idle feeds

    private mutating func noteIdle(_ feed: Feed) {
        if feed.isAmongIdle { return }
        feed.isAmongIdle = true
        idle.append((feed, feed.idleSince))
    }

    var hasIdle: Bool { !idle.isEmpty }

    /// Takes out a feed without listeners since `time` or before. Nil when there is none.
    /// O(1) amortised.
    mutating func popIdle(since time: Int64) -> Feed? {
        while let (feed, since) = idle.first, since <= time {
            idle.removeFirst()
            feed.isAmongIdle = false
            if feed.hasListeners { continue }
            if feeds[feed.key] !== feed {
                // Another feed has its key.
                remove(feed)
                return feed
            }
            if feed.idleSince > time {
                // The feed has had a listener since it was noted.
                noteIdle(feed)
                continue
            }
            remove(feed)
            return feed
        }
        return nil
    }

    /// Whether a stream or long poll that names the registration is connected.
    func isListenedTo(_ registration: RegistrationIndex) -> Bool {
        byRegistration[registration]?.values.contains { $0.hasListeners } ?? false
    }

    /// Whether a feed that was made before a revision is about the registration or watch. A later one
    /// may be about another watch, which got the same index.
    func has(_ registration: RegistrationIndex, before revision: Int64) -> Bool {
        byRegistration[registration]?.values.contains { $0.since < revision } ?? false
    }

    /// Whether the notes concern more than `limit` feeds and listeners. O(notes + limit).
    func hasAudience(of made: CommitNotes, largerThan limit: Int) -> Bool {
        var count = session?.listenerCount ?? 0
        made.subtrees?.visit { root, _ in
            for feed in (bySubtree[root] ?? [:]).values { count += 1 + feed.listenerCount }
            return count <= limit
        }
        if byRegistration.isEmpty { return count > limit }
        for note in made.notes {
            if count > limit { return true }
            let feeds: FeedSet? =
                switch note {
                case .change(let note): byRegistration[note.registration]
                case .invalidation(let note): byNode[note.place]
                case .renamed(let note): self.feeds(of: note)
                }
            for feed in (feeds ?? [:]).values { count += 1 + feed.listenerCount }
        }
        return count > limit
    }

    /// Delivers the commit to every feed that it concerns. O(notes) lookups, and a visit for each feed and
    /// member that is concerned; O(1) without feeds.
    ///
    /// - Parameter oldest: the oldest retained revision; not asked for without feeds.
    mutating func publish(
        _ commit: RetainedCommit, oldest: @autoclosure () -> Int64, wakes: inout WakeList
    ) {
        if feeds.isEmpty, byRegistration.isEmpty { return }
        if commit.changesDefinitions {
            for feed in all where feed.followsDefinitions { feed.wake(&wakes) }
        }
        let oldest = oldest()
        if let session {
            if commit.changesRegistrations || commit.hasRenames { session.setChanged() }
            session.happened(commit.revision, wakes: &wakes)
        }
        if !bySubtree.isEmpty { publishToSubtrees(commit, oldest: oldest, wakes: &wakes) }
        if byRegistration.isEmpty { return }
        publishToMembers(commit, oldest: oldest, wakes: &wakes)
        for ending in commit.endings { end(ending, commit.revision, wakes: &wakes) }
        if orphans.isEmpty { return }
        // The engine has removed these, and other watches may have their indices soon.
        let removed = commit.endings.lazy.filter { $0.reason != .limit }.map(\.registration)
        let gone = Set(removed)
        orphans.removeAll(where: gone.contains)
    }

    private mutating func publishToSubtrees(
        _ commit: RetainedCommit, oldest: Int64, wakes: inout WakeList
    ) {
        if commit.changesRegistrations || commit.changesTree || commit.hasRenames {
            for feeds in bySubtree.values { for feed in feeds.values { feed.setChanged() } }
        }
        for root in commit.endedSubtrees {
            for feed in (bySubtree[root] ?? [:]).values where feed.since < commit.revision {
                remove(feed)
                feed.end(.nodeDeleted, at: commit.revision, wakes: &wakes)
            }
        }
        if let renames = commit.traitRenames {
            for feeds in bySubtree.values {
                for feed in feeds.values
                where feed.since < commit.revision
                    && feed.match(commit.revision, notes: renames, oldest: oldest)
                {
                    feed.happened(commit.revision, wakes: &wakes)
                }
            }
        }
        commit.subtrees?.visit { root, notes in
            for feed in (bySubtree[root] ?? [:]).values
            where feed.match(commit.revision, notes: notes, oldest: oldest) {
                feed.happened(commit.revision, wakes: &wakes)
            }
            return true
        }
    }

    /// Each registration and watch has one note of a commit at most. A node has as many as it has
    /// scopes, so the feeds of a node are visited once for all of them.
    private func publishToMembers(
        _ commit: RetainedCommit, oldest: Int64, wakes: inout WakeList
    ) {
        func deliver(_ notes: Range<Int>, to feeds: FeedSet) {
            for feed in feeds.values
            where feed.filter.admits(notes.lowerBound, of: commit, ended: feed.ended)
                && feed.match(commit.revision, notes: notes, oldest: oldest)
            {
                feed.happened(commit.revision, wakes: &wakes)
            }
        }
        var invalidated: [NodeIndex: Range<Int>] = [:]
        for (number, note) in commit.notes.enumerated() {
            switch note {
            case .change(let note):
                guard let feeds = byRegistration[note.registration] else { continue }
                deliver(number..<number + 1, to: feeds)
            case .invalidation(let note):
                if byNode[note.place] == nil { continue }
                let first = invalidated[note.place]?.lowerBound ?? number
                invalidated[note.place] = first..<number + 1
            case .renamed(let note): deliver(number..<number + 1, to: feeds(of: note))
            }
        }
        for (node, notes) in invalidated { deliver(notes, to: byNode[node] ?? [:]) }
    }

    private mutating func end(
        _ ending: RetainedCommit.Ending, _ revision: Int64, wakes: inout WakeList
    ) {
        if ending.reason == .limit, !has(ending.registration, before: revision) { return }
        for feed in (byRegistration[ending.registration] ?? [:]).values {
            // A watch that ends with `limit` still exists in the engine.
            if ending.reason != .limit {
                absentNames &-= feed.absentNames
                feed.lose(ending.registration, at: revision)
                absentNames &+= feed.absentNames
            }
            // A feed with a watch that missed a change cannot go on.
            guard feed.live.isEmpty || ending.reason == .limit || ending.reason == .error else {
                // The feed goes on for its listeners. It loses its key, as the same names may soon
                // mean other registrations.
                loseKey(of: feed)
                if absentNames > Self.absentNamesMax {
                    remove(feed)
                    feed.end(.limit, at: revision, wakes: &wakes)
                } else if feed.hasListeners {
                    feed.wake(&wakes)
                } else {
                    remove(feed)
                }
                continue
            }
            remove(feed)
            feed.end(ending.reason, at: revision, wakes: &wakes)
        }
        byRegistration[ending.registration] = nil
    }

    /// Ends the feeds of a watch whose node was created by an undone commit.
    mutating func fail(
        _ watch: RegistrationIndex, at revision: Int64, wakes: inout WakeList
    ) {
        end(.init(registration: watch, key: nil, reason: .error), revision, wakes: &wakes)
    }

    /// Ends the feeds that name a registration made after `revision`. The registration was undone,
    /// and its index may be used again.
    ///
    /// - Parameter renames: whether the undone commits gave other names, which newer watches have.
    mutating func failRegistrations(after revision: Int64, renames: Bool, wakes: inout WakeList) {
        for feed in all {
            let isUndone =
                if case .subtree = feed.filter.subject {
                    feed.since > revision
                } else {
                    feed.filter.members.contains {
                        (renames || $0.id != nil) && $0.since > revision
                    }
                }
            guard isUndone else { continue }
            remove(feed)
            feed.end(.error, at: revision, wakes: &wakes)
        }
    }

    mutating func endAll(_ reason: StreamReason, at revision: Int64, wakes: inout WakeList) {
        for feed in all {
            feed.isInTable = false
            feed.end(reason, at: revision, wakes: &wakes)
        }
        let (listeners, added) = (listenerCount, insertions)
        self = FeedTable()
        (listenerCount, insertions) = (listeners, added)
    }
}
