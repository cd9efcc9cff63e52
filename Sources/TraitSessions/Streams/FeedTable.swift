// All feeds of a session, found by what they listen to.

import TraitEngine

/// Confined by the session's lock.
package struct FeedTable {
    private var feeds: [String: Feed] = [:]
    private var byRegistration: [RegistrationIndex: [Feed]] = [:]
    /// For scopes, which concern whoever watches their node or has a registration on it.
    private var byNode: [String: [Feed]] = [:]
    private var session: Feed?
    /// Streams and waiting long polls.
    package private(set) var listenerCount = 0

    subscript(key: String) -> Feed? { feeds[key] }

    var all: Dictionary<String, Feed>.Values { feeds.values }

    /// Watches, those included that outlive their last stream.
    package var watchCount: Int {
        feeds.values.count { if case .watch = $0.filter { true } else { false } }
    }

    /// The live feeds of a registration or watch.
    func feeds(of registration: RegistrationIndex) -> [Feed] {
        byRegistration[registration] ?? []
    }

    mutating func insert(_ feed: Feed) {
        feeds[feed.key] = feed
        if feed.isSession { session = feed }
        for registration in feed.filter.registrations {
            byRegistration[registration, default: []].append(feed)
        }
        for node in feed.filter.nodes { byNode[node, default: []].append(feed) }
    }

    mutating func remove(_ feed: Feed) {
        if feeds[feed.key] === feed { feeds[feed.key] = nil }
        if session === feed { session = nil }
        for registration in feed.filter.registrations {
            byRegistration[registration]?.removeAll { $0 === feed }
            if byRegistration[registration]?.isEmpty == true { byRegistration[registration] = nil }
        }
        for node in feed.filter.nodes {
            byNode[node]?.removeAll { $0 === feed }
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
        if !feed.hasListeners, feeds[feed.key] !== feed { remove(feed) }
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
    private func concerned(by note: RetainedCommit.Note) -> [Feed] {
        switch note {
        case .change(let note): byRegistration[note.registration] ?? []
        case .invalidation(let note): byNode[note.node] ?? []
        }
    }

    private mutating func end(
        _ ending: RetainedCommit.Ending, _ revision: Int64, wakes: inout WakeList
    ) {
        for feed in feeds(of: ending.registration) {
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
    }
}
