// Finding or making the feed of a filter, and reading its commits.

import Ledger
import TraitEngine
import TraitJSON

/// A retained commit as a feed sees it.
package struct FeedCommit {
    package let commit: RetainedCommit
    /// The range that has all notes that the filter admits.
    let notes: Range<Int>
    /// The feed's members that have ended, with the revision that ended them.
    let ended: [RegistrationIndex: Int64]

    package var revision: Int64 { commit.revision }
}

/// The next step of a feed for a reader.
package enum FeedReading {
    /// Commits that concern the feed, oldest first, none skipped.
    case commits([FeedCommit])
    /// No commit is left. All revisions up to this one were considered.
    case caughtUp(Int64)
    /// The position is no longer retained.
    case lost
    /// Another feed continues after the revision.
    case moved(Feed, after: Int64)
    case ended(StreamReason, revision: Int64)
}

extension SessionState {
    /// The feed of a filter. It is made when there is none.
    ///
    /// - Parameter since: commits up to this revision cannot concern the filter.
    /// - Throws: `tooManyStreams` when the session has as many feeds as it may.
    package func feed(
        _ filter: FeedFilter, since: Int64, for caller: MemoryAccount?
    ) throws(SessionError) -> Feed {
        // While the log takes the end of a registration or node, its name may mean another one already.
        if let known = streams.feeds[filter.key], known.filter.subject.isSame(as: filter.subject) {
            return known
        }
        try checkRoom(for: filter, of: caller)
        let feed = Feed(filter, since: since, now: environment.uptime(), owner: caller)
        if !feed.isSession, let oldest = streams.retained.oldestRevision {
            var revision = max(oldest, since + 1)
            while let commit = streams.retained[revision] {
                for number in commit.notes.indices
                where filter.admits(number, of: commit, ended: [:]) {
                    _ = feed.match(revision, notes: number..<number + 1, oldest: oldest)
                }
                revision += 1
            }
        }
        return insert(feed)
    }

    private func insert(_ feed: Feed) -> Feed {
        streams.feeds.insert(feed)
        streams.noteIdleFeeds()
        return feed
    }

    /// - Throws: `tooManyStreams` when the session has as many feeds as it may, or they name as many
    ///   registrations and watches, `outOfMemory` when there is no room for another.
    private func checkRoom(
        for filter: FeedFilter, of caller: MemoryAccount?
    ) throws(SessionError) {
        if streams.feeds.count >= limits.feedsMax {
            throw .limit(
                .tooManyStreams,
                "The session has feedsMax=\(limits.feedsMax) different streams, long polls and watches, "
                    + "those included that linger after their last reader. Use fewer filters, or wait.",
                name: "feedsMax", value: limits.feedsMax)
        }
        try checkMemberCount(filter.members.count, of: caller)
        try checkMemory(filter.heldBytes, of: caller)
    }

    /// - Throws: `outOfMemory` when there is no room for another feed of so many bytes.
    func checkMemory(_ bytes: Int, of caller: MemoryAccount?) throws(SessionError) {
        let memory = environment.memory
        guard memory.isLimited else { return }
        if let caller, !caller.streams.hasRoom(for: bytes) {
            throw .noRoomToFollow(caller)
        }
        guard memory.admit(bytes) else { throw .noRoomToRead(memory.shortage) }
    }

    private func checkMemberCount(
        _ count: Int, of caller: MemoryAccount?
    ) throws(SessionError) {
        let max = limits.feedMembersMax
        let own = caller.map { streams.feeds.memberCount(of: $0) } ?? 0
        if count == 0 || own + count <= max / 2 && streams.feeds.memberCount + count <= max {
            return
        }
        let used =
            own + count > max / 2
            ? "Your streams, long polls and watches name \(own) registrations and watches of this session. "
                + "Those of one caller name at most half of"
            : "The streams, long polls and watches of this session name \(streams.feeds.memberCount) "
                + "registrations and watches of at most"
        throw .limit(
            .tooManyStreams,
            used
                + " feedMembersMax=\(max), those included that linger after their last reader. Name "
                + "fewer, share a filter between streams, follow `?subtree=`, or wait.",
            name: "feedMembersMax", value: max
        ).with("current", Int64(own + count > max / 2 ? own : streams.feeds.memberCount))
    }

    /// The feed of registrations and watches. It is made when there is none. The engine notifies
    /// watches from the present head on, so a feed with watches has no earlier commits.
    package func feed(
        _ registrations: [RegistrationIndex], _ watches: [(node: NodeIndex, traits: TraitSet)],
        for caller: MemoryAccount?
    ) throws(SessionError) -> Feed {
        var members = registrations.map(member)
        if watches.isEmpty {
            return try feed(
                FeedFilter(.members(members)), since: members.map(\.since).min() ?? 0, for: caller)
        }
        let named = members
        for watch in watches { members.append(member(watch, RegistrationIndex(rawValue: 0))) }
        let filter = FeedFilter(.members(members))
        if let known = streams.feeds[filter.key],
            Set(known.filter.members.lazy.filter { $0.id != nil }.map(\.index))
                == Set(registrations), isAbout(watches, known)
        {
            return known
        }
        try checkRoom(for: filter, of: caller)
        members = named
        do throws(OperationError) {
            for watch in watches {
                let index = try hierarchy.addWatch(node: watch.node, traits: watch.traits)
                members.append(member(watch, index))
            }
        } catch {
            for member in members where member.id == nil { hierarchy.removeWatch(member.index) }
            throw SessionError(error)
        }
        return insert(
            Feed(
                FeedFilter(.members(members)), since: head, now: environment.uptime(),
                owner: caller))
    }

    func member(_ registration: RegistrationIndex) -> FeedFilter.Member {
        let info = hierarchy.registrationInfo(registration)
        return FeedFilter.Member(
            index: registration, id: info.identifier ?? "",
            node: hierarchy.identifier(of: info.node), place: info.node, traits: [],
            since: info.createdRevision)
    }

    func member(
        _ watch: (node: NodeIndex, traits: TraitSet), _ index: RegistrationIndex
    ) -> FeedFilter.Member {
        FeedFilter.Member(
            index: index, id: nil, node: hierarchy.identifier(of: watch.node), place: watch.node,
            traits: watch.traits.map { hierarchy.definitions[$0].key }, since: head)
    }

    /// Removes the watches of removed feeds from the engine.
    func removeOrphans() {
        for watch in streams.feeds.takeOrphans() { hierarchy.removeWatch(watch) }
    }

    /// Adds a listener of a feed. Returns its place among the listeners.
    func listen(to feed: Feed, _ waker: any Waker) -> Int {
        let isFirst = !feed.hasListeners
        defer {
            if isFirst, surroundings.leases != nil { leases(of: feed).forEach(tellLease) }
        }
        return streams.feeds.listen(feed, waker)
    }

    private func leases(of feed: Feed) -> [RegistrationKey] {
        if streams.leases.isEmpty { return [] }
        return feed.liveMembers.compactMap { member in
            guard let id = member.id else { return nil }
            let key = RegistrationKey(id: id, revision: member.since)
            return registrationNotes[key]?.ttl == nil ? nil : key
        }
    }

    /// Removes a listener of a feed.
    func leave(_ feed: Feed, _ listener: Int) {
        streams.feeds.leave(feed, listener, now: environment.uptime())
        if !feed.hasListeners {
            for key in leases(of: feed) {
                renewLease(key)
                tellLease(key)
            }
        }
        removeOrphans()
        streams.noteIdleFeeds()
    }

    /// Removes feeds that have had no listener for `watchLingerMilliseconds`, and their watches. Returns
    /// whether there may be more.
    ///
    /// - Parameter limit: how many feeds and watches are removed at most, since the caller holds the lock. A
    ///   watch counts once more for every 16 of its traits.
    func removeIdleFeeds(atMost limit: Int) -> Bool {
        let time = environment.uptime() - limits.watchLingerMilliseconds
        var left = limit
        while left > 0 {
            left -= 1
            if let watch = streams.feeds.takeOrphan() {
                left -= hierarchy.registrationInfo(watch).traits.count / 16
                hierarchy.removeWatch(watch)
                continue
            }
            guard streams.feeds.popIdle(since: time) != nil else {
                streams.listing?.isNoted = false
                streams.noteIdleFeeds()
                return false
            }
        }
        return true
    }

    /// The commits of a feed from a position on.
    package func read(_ feed: Feed, from position: StreamPosition, limit: Int) -> FeedReading {
        let next = position.nextRevision
        if let oldest = streams.retained.oldestRevision { feed.forget(before: oldest) }
        if feed.isSession {
            if next <= acknowledged {
                var commits: [FeedCommit] = []
                while commits.count < limit,
                    let commit = streams.retained[next + Int64(commits.count)]
                {
                    commits.append(
                        FeedCommit(commit: commit, notes: commit.notes.indices, ended: [:]))
                }
                return commits.isEmpty ? .lost : .commits(commits)
            }
        } else {
            if feed.lostThrough >= next { return .lost }
            let commits = feed.matching(from: next, limit: limit).compactMap { match in
                streams.retained[match.revision].map {
                    FeedCommit(commit: $0, notes: match.notes, ended: feed.ended)
                }
            }
            if !commits.isEmpty { return .commits(commits) }
            if let (next, revision) = feed.successor { return .moved(next, after: revision) }
        }
        if let ending = feed.ending { return .ended(ending.reason, revision: ending.revision) }
        return .caughtUp(max(acknowledged, position.revision))
    }
}
