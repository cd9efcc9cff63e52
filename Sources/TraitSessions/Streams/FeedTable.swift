// All feeds of a session, found by what they listen to.

import DequeModule
import TraitEngine

/// Confined by the session's lock.
package struct FeedTable {
    /// Feeds in no order, each found in O(1).
    private typealias FeedSet = [ObjectIdentifier: Feed]

    private var feeds: [String: Feed] = [:]
    private var byRegistration: [RegistrationIndex: FeedSet] = [:]
    /// For scopes, which concern whoever watches their node or has a registration on it.
    private var byNode: [String: FeedSet] = [:]
    private var bySubtree: [Int32: FeedSet] = [:]
    /// Feeds that every commit concerns: with and without collections.
    private var sessions: [Feed] = []
    /// Feeds whose changes carry collections, by registration, and how many of sessions and subtrees.
    private var collecting: [RegistrationIndex: Int] = [:]
    private var collectingAll = 0
    /// Watches of feeds that are gone: the engine need not look out for them any longer.
    private(set) var orphans: [RegistrationIndex] = []
    /// Feeds that had no listener when they were put here, and since when: nearly in that order. Each
    /// feed is in it once.
    private var idle = Deque<(feed: Feed, since: Int64)>()
    /// Streams and waiting long polls.
    package private(set) var listenerCount = 0
    /// Watches, those included that outlive their last stream.
    package private(set) var watchCount = 0

    subscript(key: String) -> Feed? { feeds[key] }

    /// Bytes of feeds and listeners, about. O(1).
    var heldBytes: Int { feeds.count &* Self.feedBytes &+ listenerCount &* Self.listenerBytes }

    /// A feed with its filter, its places in the tables, and what it remembers of commits.
    private static let feedBytes = 1_024
    /// A listener with its cursor.
    private static let listenerBytes = 768

    /// The number of feeds, with and without listeners.
    package var count: Int { feeds.count }

    /// How many feeds were added so far.
    private(set) var insertions = 0

    /// Adds a feed, which has no listener yet. O(registrations and nodes of its filter).
    mutating func insert(_ feed: Feed) {
        insertions &+= 1
        feeds[feed.key] = feed
        if feed.isSession { sessions.append(feed) }
        if feed.isWatch { watchCount += 1 }
        if case .subtree(let root, _) = feed.filter.subject {
            bySubtree[root.rawValue, default: [:]][ObjectIdentifier(feed)] = feed
        }
        for registration in feed.filter.registrations {
            byRegistration[registration, default: [:]][ObjectIdentifier(feed)] = feed
        }
        for node in feed.filter.nodes { byNode[node, default: [:]][ObjectIdentifier(feed)] = feed }
        collect(feed, 1)
        noteIdle(feed)
    }

    /// Removes a feed, if the table has it. O(registrations and nodes of its filter).
    mutating func remove(_ feed: Feed) {
        loseKey(of: feed)
        if feed.isInTable {
            feed.isInTable = false
            orphans += feed.liveWatches
            collect(feed, -1)
        }
        sessions.removeAll { $0 === feed }
        let id = ObjectIdentifier(feed)
        if case .subtree(let root, _) = feed.filter.subject {
            bySubtree[root.rawValue]?[id] = nil
            if bySubtree[root.rawValue]?.isEmpty == true { bySubtree[root.rawValue] = nil }
        }
        for registration in feed.filter.registrations {
            byRegistration[registration]?[id] = nil
            if byRegistration[registration]?.isEmpty == true { byRegistration[registration] = nil }
        }
        for node in feed.filter.nodes {
            byNode[node]?[id] = nil
            if byNode[node]?.isEmpty == true { byNode[node] = nil }
        }
    }

    /// The next stream with the feed's filter gets another feed.
    private mutating func loseKey(of feed: Feed) {
        guard feeds[feed.key] === feed else { return }
        feeds[feed.key] = nil
        if feed.isWatch { watchCount -= 1 }
    }

    private mutating func collect(_ feed: Feed, _ count: Int) {
        guard feed.filter.withCollections else { return }
        if feed.filter.hasCommits { collectingAll += count }
        for registration in feed.filter.registrations {
            collecting[registration, default: 0] += count
            if collecting[registration] == 0 { collecting[registration] = nil }
        }
    }

    /// Whether changes are to carry collections for some.
    var hasCollecting: Bool { collectingAll > 0 || !collecting.isEmpty }

    /// Whether those of this registration or watch are.
    func collects(_ registration: RegistrationIndex, isWatch: Bool) -> Bool {
        collecting[registration] != nil || collectingAll > 0 && !isWatch
    }

    /// The nodes whose subtrees have feeds.
    var subtrees: Dictionary<Int32, [ObjectIdentifier: Feed]>.Keys { bySubtree.keys }

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
                // It was listened to meanwhile.
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

    /// Whether more than `limit` feeds and listeners hear of these notes. O(notes + limit).
    func hasAudience(of notes: [RetainedCommit.Note], largerThan limit: Int) -> Bool {
        var count = sessions.reduce(0) { $0 + $1.listenerCount }
        if byRegistration.isEmpty, bySubtree.isEmpty { return count > limit }
        for note in notes {
            forEachFeed(concernedBy: note) { count += 1 + $0.listenerCount }
            if count > limit { return true }
        }
        return count > limit
    }

    /// Tells every feed that the commit concerns. O(notes) lookups, none when nobody listens.
    mutating func publish(_ commit: RetainedCommit, wakes: inout WakeList) {
        if feeds.isEmpty, byRegistration.isEmpty { return }
        for feed in sessions {
            if commit.changesRegistrations { feed.setChanged() }
            feed.happened(commit.revision, wakes: &wakes)
        }
        if !bySubtree.isEmpty { publishToSubtrees(commit, wakes: &wakes) }
        if byRegistration.isEmpty, bySubtree.isEmpty { return }
        for (number, note) in commit.notes.enumerated() {
            forEachFeed(concernedBy: note) { feed in
                if feed.filter.admits(note, of: commit.revision, ended: feed.ended),
                    feed.match(commit.revision, note: number)
                {
                    feed.happened(commit.revision, wakes: &wakes)
                }
            }
        }
        for ending in commit.endings { end(ending, commit.revision, wakes: &wakes) }
    }

    private mutating func publishToSubtrees(_ commit: RetainedCommit, wakes: inout WakeList) {
        if commit.changesRegistrations || commit.changesTree {
            for feeds in bySubtree.values { for feed in feeds.values { feed.setChanged() } }
        }
        for root in commit.endedSubtrees {
            for feed in (bySubtree[root] ?? [:]).values where feed.since < commit.revision {
                remove(feed)
                feed.end(.nodeDeleted, at: commit.revision, wakes: &wakes)
            }
        }
    }

    /// Visits the feeds that a note may concern; session feeds, which all do, left out.
    private func forEachFeed(
        concernedBy note: RetainedCommit.Note, _ body: (Feed) -> Void
    ) {
        switch note {
        case .change(let note):
            if let feeds = byRegistration[note.registration] { feeds.values.forEach(body) }
        case .invalidation(let note):
            if let feeds = byNode[note.node] { feeds.values.forEach(body) }
        }
        for root in note.within {
            if let feeds = bySubtree[root] { feeds.values.forEach(body) }
        }
    }

    private mutating func end(
        _ ending: RetainedCommit.Ending, _ revision: Int64, wakes: inout WakeList
    ) {
        if ending.reason == .limit, !has(ending.registration, before: revision) { return }
        for feed in (byRegistration[ending.registration] ?? [:]).values {
            // The engine has not ended one that would have heard too much.
            if ending.reason != .limit { feed.lose(ending.registration, at: revision) }
            // A watch that was not told of a change cannot go on, nor can those with it.
            guard feed.live.isEmpty || ending.reason == .limit || ending.reason == .error else {
                // It goes on for those who listen; the same names may soon mean another filter.
                loseKey(of: feed)
                if feed.hasListeners { feed.wake(&wakes) } else { remove(feed) }
                continue
            }
            remove(feed)
            feed.end(ending.reason, at: revision, wakes: &wakes)
        }
        byRegistration[ending.registration] = nil
    }

    /// Ends the feeds of a watch whose node was never kept.
    mutating func fail(
        _ watch: RegistrationIndex, at revision: Int64, wakes: inout WakeList
    ) {
        end(.init(registration: watch, key: nil, reason: .error), revision, wakes: &wakes)
    }

    /// Ends the feeds that name a registration made after `revision`, which was undone: its index may
    /// soon be another's.
    mutating func failRegistrations(after revision: Int64, wakes: inout WakeList) {
        for feed in Array(feeds.values) {
            let isUndone =
                if case .subtree = feed.filter.subject {
                    feed.since > revision
                } else {
                    feed.filter.members.contains { $0.id != nil && $0.since > revision }
                }
            guard isUndone else { continue }
            remove(feed)
            feed.end(.error, at: revision, wakes: &wakes)
        }
    }

    mutating func endAll(_ reason: StreamReason, at revision: Int64, wakes: inout WakeList) {
        for feed in feeds.values {
            feed.end(reason, at: revision, wakes: &wakes)
        }
        feeds = [:]
        byRegistration = [:]
        byNode = [:]
        bySubtree = [:]
        sessions = []
        collecting = [:]
        collectingAll = 0
        orphans = []
        idle = []
        watchCount = 0
    }
}
