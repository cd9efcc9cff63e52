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
    private var session: Feed?
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

    /// Adds a feed, which has no listener yet. O(registrations and nodes of its filter).
    mutating func insert(_ feed: Feed) {
        feeds[feed.key] = feed
        if feed.isSession { session = feed }
        if feed.isWatch { watchCount += 1 }
        for registration in feed.filter.registrations {
            byRegistration[registration, default: [:]][ObjectIdentifier(feed)] = feed
        }
        for node in feed.filter.nodes { byNode[node, default: [:]][ObjectIdentifier(feed)] = feed }
        noteIdle(feed)
    }

    /// Removes a feed, if the table has it. O(registrations and nodes of its filter).
    mutating func remove(_ feed: Feed) {
        if feeds[feed.key] === feed {
            feeds[feed.key] = nil
            if feed.isWatch { watchCount -= 1 }
        }
        if session === feed { session = nil }
        let id = ObjectIdentifier(feed)
        for registration in feed.filter.registrations {
            byRegistration[registration]?[id] = nil
            if byRegistration[registration]?.isEmpty == true { byRegistration[registration] = nil }
        }
        for node in feed.filter.nodes {
            byNode[node]?[id] = nil
            if byNode[node]?.isEmpty == true { byNode[node] = nil }
        }
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
                continue
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

    /// Whether a feed that was made before a revision is about the registration or watch. A later one
    /// may be about another watch, which got the same index.
    func has(_ registration: RegistrationIndex, before revision: Int64) -> Bool {
        byRegistration[registration]?.values.contains { $0.since < revision } ?? false
    }

    /// Whether more than `limit` feeds and listeners hear of these notes. O(notes + limit).
    func hasAudience(of notes: [RetainedCommit.Note], largerThan limit: Int) -> Bool {
        var count = session?.listenerCount ?? 0
        if byRegistration.isEmpty { return count > limit }
        for note in notes {
            for feed in concerned(by: note) {
                count += 1 + feed.listenerCount
                if count > limit { return true }
            }
        }
        return count > limit
    }

    /// Tells every feed that the commit concerns. O(notes) lookups, none when nobody listens.
    mutating func publish(_ commit: RetainedCommit, wakes: inout WakeList) {
        if feeds.isEmpty { return }
        session?.happened(commit.revision, wakes: &wakes)
        if !byRegistration.isEmpty {
            for (number, note) in commit.notes.enumerated() {
                for feed in concerned(by: note)
                where feed.filter.admits(note, of: commit.revision) {
                    if feed.match(commit.revision, note: number) {
                        feed.happened(commit.revision, wakes: &wakes)
                    }
                }
            }
            for ending in commit.endings { end(ending, commit.revision, wakes: &wakes) }
        }
    }

    /// Feeds that a note may concern; session feeds, which all do, left out.
    private func concerned(by note: RetainedCommit.Note) -> FeedSet.Values {
        switch note {
        case .change(let note): (byRegistration[note.registration] ?? [:]).values
        case .invalidation(let note): (byNode[note.node] ?? [:]).values
        }
    }

    private mutating func end(
        _ ending: RetainedCommit.Ending, _ revision: Int64, wakes: inout WakeList
    ) {
        if ending.reason == .limit, !has(ending.registration, before: revision) { return }
        for feed in (byRegistration[ending.registration] ?? [:]).values {
            feed.lose(ending.registration)
            guard feed.live.isEmpty else {
                // It goes on for those who listen; the same names may soon mean another filter.
                if feeds[feed.key] === feed { feeds[feed.key] = nil }
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
            guard case .registrations(let named) = feed.filter,
                named.contains(where: { $0.since > revision })
            else { continue }
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
        session = nil
        idle = []
        watchCount = 0
    }
}
