// Registrations, nodes and traits that a stream names may be deleted and made again. A stream of several
// goes on without them, and has them back from the commit on that makes them again: another feed then
// takes the place of the stream's feed, since the filter of a feed never changes.

import TraitEngine

extension SessionState {
    /// Replaces the feeds whose absent members exist again, also where others are still absent. O(names of
    /// absent members), which `FeedTable` limits.
    ///
    /// - Parameter revision: the newest acknowledged revision. The feeds go on after it.
    func completeFeeds(after revision: Int64, wakes: inout WakeList) {
        for feed in streams.feeds.incomplete {
            let absent = feed.absent.filter { !canFollow($0) }
            if absent.count == feed.absent.count { continue }
            guard streams.feeds.mayReplace(feed),
                (try? checkMemory(feed.heldBytes, of: feed.owner)) != nil,
                let found = follow(feed)
            else {
                streams.feeds.remove(feed)
                feed.end(.limit, at: revision, wakes: &wakes)
                continue
            }
            let filter = FeedFilter(.members(feed.liveMembers + found), key: feed.key)
            let next = Feed(
                filter, since: revision, now: feed.idleSince, owner: feed.owner, replacing: feed,
                absent: absent)
            streams.feeds.replace(feed, with: next)
            next.wake(&wakes)
        }
    }

    private func canFollow(_ member: FeedFilter.Member) -> Bool {
        if let id = member.id { return hierarchy.registration(named: id) != nil }
        return watch(member) != nil
    }

    /// The node and the traits of an absent watch, when all of them exist.
    private func watch(_ member: FeedFilter.Member) -> (node: NodeIndex, traits: TraitSet)? {
        guard let node = hierarchy.node(member.node) else { return nil }
        var traits = TraitSet()
        for name in member.traits {
            guard let trait = hierarchy.definitions.followed(named: name) else { return nil }
            traits.insert(trait)
        }
        return (node, traits)
    }

    /// The absent members that exist, with their watches in the engine; nil when the engine takes no
    /// more watches.
    private func follow(_ feed: Feed) -> [FeedFilter.Member]? {
        var found: [FeedFilter.Member] = []
        for member in feed.absent {
            if let id = member.id {
                if let index = hierarchy.registration(named: id) {
                    found.append(self.member(index))
                }
            } else if let watch = watch(member) {
                do throws(OperationError) {
                    let index = try hierarchy.addWatch(node: watch.node, traits: watch.traits)
                    found.append(self.member(watch, index))
                } catch {
                    for member in found where member.id == nil {
                        hierarchy.removeWatch(member.index)
                    }
                    return nil
                }
            }
        }
        return found
    }
}
