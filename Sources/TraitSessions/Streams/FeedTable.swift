// All feeds of a session, indexed by registration, node and subtree.

import DequeModule
import TraitEngine

/// Confined by the session's lock.
package struct FeedTable {
    /// Feeds in no order, each found in O(1).
    private typealias FeedSet = [ObjectIdentifier: Feed]

    private var feeds: [String: Feed] = [:]
    private var byRegistration: [RegistrationIndex: FeedSet] = [:]
    /// For invalidations of scopes, which concern feeds with a registration or watch on the scope's
    /// node.
    private var byNode: [String: FeedSet] = [:]
    private var bySubtree: [Int32: FeedSet] = [:]
    /// Feeds of the whole session, with and without collections.
    private var sessions: [Feed] = []
    /// How many feeds want collections of a registration's changes.
    private var collecting: [RegistrationIndex: Int] = [:]
    /// How many feeds of sessions and subtrees want collections.
    private var collectingAll = 0
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
    var heldBytes: Int { feeds.count &* Self.feedBytes &+ listenerCount &* Self.listenerBytes }

    /// A feed with its filter, its places in the tables, and its list of commits, about.
    private static let feedBytes = 1_024
    /// A listener with its cursor, about.
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

    /// Whether any feed wants collections.
    var hasCollecting: Bool { collectingAll > 0 || !collecting.isEmpty }

    /// Whether a feed wants collections of this registration's or watch's changes.
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
                // It had a listener meanwhile.
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
    func hasAudience(of notes: [RetainedCommit.Note], largerThan limit: Int) -> Bool {
        var count = sessions.reduce(0) { $0 + $1.listenerCount }
        if byRegistration.isEmpty, bySubtree.isEmpty { return count > limit }
        for note in notes {
            forEachFeed(concernedBy: note) { count += 1 + $0.listenerCount }
            if count > limit { return true }
        }
        return count > limit
    }

    /// Delivers the commit to every feed that it concerns. O(notes) lookups; O(1) without feeds.
    mutating func publish(_ commit: RetainedCommit, wakes: inout WakeList) {
        if feeds.isEmpty, byRegistration.isEmpty { return }
        defer { if commit.lacksCollections { endCollecting(commit, wakes: &wakes) } }
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

    /// Ends the feeds that want collections which the commit goes without. O(such feeds, notes).
    private mutating func endCollecting(_ commit: RetainedCommit, wakes: inout WakeList) {
        for feed in Array(feeds.values)
        where feed.filter.withCollections && feed.since < commit.revision {
            let lacks = commit.notes.contains { note in
                guard case .change(let change) = note, change.collections == nil else {
                    return false
                }
                return feed.filter.admits(note, of: commit.revision, ended: feed.ended)
            }
            if !lacks { continue }
            remove(feed)
            feed.end(.limit, at: commit.revision, wakes: &wakes)
        }
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

    /// Visits the feeds that a note may concern, except for session feeds, which every note
    /// concerns.
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
            // A watch that ends with `limit` still exists in the engine.
            if ending.reason != .limit { feed.lose(ending.registration, at: revision) }
            // A feed with a watch that missed a change cannot go on.
            guard feed.live.isEmpty || ending.reason == .limit || ending.reason == .error else {
                // The feed goes on for its listeners. It loses its key, as the same names may soon
                // mean other registrations.
                loseKey(of: feed)
                if feed.hasListeners { feed.wake(&wakes) } else { remove(feed) }
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
