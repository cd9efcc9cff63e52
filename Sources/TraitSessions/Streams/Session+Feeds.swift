// Finding or making the feed of a filter, and reading commits through it.

import TraitEngine

/// A retained commit as a feed sees it.
struct FeedCommit {
    let commit: RetainedCommit
    /// Where all the notes are that the filter admits.
    let notes: Range<Int>

    var revision: Int64 { commit.revision }
}

/// What a reader of a feed gets next.
enum FeedReading {
    /// Commits that concern the feed, oldest first, none skipped.
    case commits([FeedCommit])
    /// Nothing is left; everything up to this revision was considered.
    case caughtUp(Int64)
    /// The position is no longer retained.
    case lost
    case ended(StreamReason, revision: Int64)
}

extension Session {
    /// The feed of a filter, made when no stream has it yet. Runs while the lock is held.
    ///
    /// - Parameter since: commits up to this revision cannot concern the filter.
    func feed(_ filter: FeedFilter, since: Int64) -> Feed {
        dropIdleFeeds()
        // While the end of a registration waits for the log, its name may mean another one already.
        if let known = feeds[filter.key],
            Set(known.filter.registrations) == Set(filter.registrations)
        {
            return known
        }
        let feed = Feed(filter, since: since, now: environment.now())
        if !feed.isSession, let oldest = retained.oldestRevision {
            var revision = max(oldest, since + 1)
            while let commit = retained[revision] {
                for (number, note) in commit.notes.enumerated()
                where filter.admits(note, of: revision) {
                    _ = feed.match(revision, note: number)
                }
                revision += 1
            }
        }
        feeds.insert(feed)
        return feed
    }

    /// The feed of a watch, made when no stream has it yet. The engine watches for it from now
    /// on, so nothing before the present head is in it.
    func watchFeed(_ node: NodeIndex, _ traits: TraitSet) throws(SessionError) -> Feed {
        let keys = traits.map { hierarchy.definitions[$0].key }
        let identifier = hierarchy.identifier(of: node)
        dropIdleFeeds()
        let key = FeedFilter.watch(
            RegistrationIndex(rawValue: 0), node: identifier, traits: keys
        ).key
        if let known = feeds[key] { return known }
        let watch: RegistrationIndex
        do throws(OperationError) {
            watch = try hierarchy.addWatch(node: node, traits: traits)
        } catch {
            throw SessionError(error)
        }
        return feed(.watch(watch, node: identifier, traits: keys), since: head)
    }

    private static let sweepMilliseconds: Int64 = 1_000

    /// Feeds that nobody has listened to for a while; a watch's end with them.
    private func dropIdleFeeds() {
        let now = environment.now()
        // Looking at all feeds for each new stream would make many streams quadratic.
        guard now - feedsSweptAt >= Self.sweepMilliseconds else { return }
        feedsSweptAt = now
        for feed in Array(feeds.all)
        where !feed.hasListeners && now - feed.idleSince > limits.watchLingerMilliseconds {
            feeds.remove(feed)
            if case .watch(let watch, _, _) = feed.filter { hierarchy.removeWatch(watch) }
        }
    }

    /// The commits of a feed from a position on. Runs while the lock is held.
    func read(_ feed: Feed, from position: StreamPosition, limit: Int) -> FeedReading {
        let next = position.nextRevision
        if let oldest = retained.oldestRevision { feed.forget(before: oldest) }
        if feed.isSession {
            if next <= acknowledged {
                var commits: [FeedCommit] = []
                while commits.count < limit, let commit = retained[next + Int64(commits.count)] {
                    commits.append(FeedCommit(commit: commit, notes: commit.notes.indices))
                }
                return commits.isEmpty ? .lost : .commits(commits)
            }
        } else {
            if feed.lostThrough >= next { return .lost }
            let commits = feed.matching(from: next, limit: limit).compactMap { match in
                retained[match.revision].map { FeedCommit(commit: $0, notes: match.notes) }
            }
            if !commits.isEmpty { return .commits(commits) }
        }
        if let ending = feed.ending { return .ended(ending.reason, revision: ending.revision) }
        return .caughtUp(max(acknowledged, position.revision))
    }
}
