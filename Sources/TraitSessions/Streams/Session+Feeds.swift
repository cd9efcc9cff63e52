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
    /// - Throws: `tooManyStreams` when the session has as many feeds as it may.
    func feed(_ filter: FeedFilter, since: Int64) throws(SessionError) -> Feed {
        // While the end of a registration waits for the log, its name may mean another one already.
        if let known = feeds[filter.key],
            Set(known.filter.registrations) == Set(filter.registrations)
        {
            return known
        }
        try checkFeedCount()
        let feed = Feed(filter, since: since, now: environment.uptime())
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
        noteIdleFeeds()
        return feed
    }

    /// What a feed takes, with a watch.
    private static let feedBytes = 2_048

    /// - Throws: `tooManyStreams` when the session has as many feeds as it may, `outOfMemory` when there is
    ///   no room for another.
    private func checkFeedCount() throws(SessionError) {
        guard environment.memory.admit(Self.feedBytes) else {
            throw .noRoomToRead(environment.memory.shortage)
        }
        if feeds.count < limits.feedsMax { return }
        throw .limit(
            .tooManyStreams,
            "The session has feedsMax=\(limits.feedsMax) different streams, long polls and watches, "
                + "those included that linger after their last reader. Use fewer filters, or wait.",
            name: "feedsMax", value: limits.feedsMax)
    }

    /// The feed of a watch, made when no stream has it yet. The engine watches for it from now
    /// on, so nothing before the present head is in it.
    func watchFeed(_ node: NodeIndex, _ traits: TraitSet) throws(SessionError) -> Feed {
        let keys = traits.map { hierarchy.definitions[$0].key }
        let identifier = hierarchy.identifier(of: node)
        let key = FeedFilter.watch(
            RegistrationIndex(rawValue: 0), node: identifier, traits: keys
        ).key
        if let known = feeds[key] { return known }
        try checkFeedCount()
        let watch: RegistrationIndex
        do throws(OperationError) {
            watch = try hierarchy.addWatch(node: node, traits: traits)
        } catch {
            throw SessionError(error)
        }
        return try feed(.watch(watch, node: identifier, traits: keys), since: head)
    }

    /// A listener of a feed has gone. Runs while the lock is held.
    func leave(_ feed: Feed, _ listener: Int) {
        feeds.leave(feed, listener, now: environment.uptime())
        noteIdleFeeds()
    }

    private func noteIdleFeeds() {
        guard !hasNotedIdleFeeds, feeds.hasIdle else { return }
        hasNotedIdleFeeds = true
        idleFeeds?.note(self)
    }

    /// Removes feeds that have had no listener for `watchLingerMilliseconds`, and their watches: at most
    /// `limit`, as the lock is held meanwhile. Whether there are more.
    func removeIdleFeeds(atMost limit: Int) -> Bool {
        let time = environment.uptime() - limits.watchLingerMilliseconds
        for _ in 0..<limit {
            guard let feed = feeds.popIdle(since: time) else {
                hasNotedIdleFeeds = false
                noteIdleFeeds()
                return false
            }
            if case .watch(let watch, _, _) = feed.filter { hierarchy.removeWatch(watch) }
        }
        return true
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
