// Nodes and traits that a commit gave other names, for streams. A stream whose filter has such a name gets a
// `renamed` record, and goes on with a feed that has the new name.

import JSONCodec
import TraitEngine

/// One new name of a node or trait, in the order of the commit's operations.
package struct RenameNote: Sendable {
    let isNode: Bool
    /// Nil for a trait, and for a node that the commit deletes.
    private(set) var node: NodeIndex?
    /// Nil for a node, and for a trait that the commit deletes.
    private(set) var trait: TraitIndex?
    /// Where a node stood, nil for none: streams of a subtree have what happens there.
    let parent: NodeIndex?
    let from: String
    let to: String
    /// The registrations and watches on the node, or with the trait, when the commit is complete.
    var followers: [RegistrationIndex] = []

    init(node: NodeIndex, below parent: NodeIndex?, from: String, to: String) {
        (isNode, self.node, self.parent, self.from, self.to) = (true, node, parent, from, to)
    }

    init(trait: TraitIndex, from: String, to: String) {
        (isNode, self.trait, parent, self.from, self.to) = (false, trait, nil, from, to)
    }

    /// The commit deletes it.
    mutating func end() { (node, trait) = (nil, nil) }

    /// Bytes in memory, about.
    var byteCount: Int { from.utf8.count &+ to.utf8.count &+ followers.count &* 4 }

    /// `"node" or "trait","to"` of the open object.
    func write(into writer: inout JSONWriter) {
        writer.member(isNode ? "node" : "trait", from)
        writer.member("to", to)
    }
}

extension RetainedCommit {
    var hasRenames: Bool { counts.changesNames }

    /// The commit's new names.
    var renames: [RenameNote] {
        guard hasRenames else { return [] }
        return notes.prefix { if case .renamed = $0 { true } else { false } }.compactMap {
            if case .renamed(let note) = $0 { note } else { nil }
        }
    }

    /// The range that has the notes of all renamed traits; nil when there are none.
    var traitRenames: Range<Int>? {
        guard counts.contains(where: { $0 == .renameTrait }) else { return nil }
        let count = renames.count
        return count == 0 ? nil : 0..<count
    }
}

extension SessionState {
    /// The new names that the complete transaction gave, with the registrations and watches that they concern.
    /// Those that the transaction deleted have no followers. O(1) without new names.
    func takeRenames() -> [RenameNote] {
        if streams.renames.isEmpty { return [] }
        defer { streams.renames = [] }
        var byNode: [NodeIndex: [RegistrationIndex]] = [:]
        var byTrait: [TraitIndex: [RegistrationIndex]] = [:]
        return streams.renames.map { note in
            var note = note
            if let node = note.node {
                guard hierarchy.contains(node) else {
                    note.end()
                    return note
                }
                let known = byNode[node] ?? hierarchy.followers(of: node)
                byNode[node] = known
                note.followers = known
            } else if let trait = note.trait {
                guard hierarchy.definitions.definition(at: trait) != nil else {
                    note.end()
                    return note
                }
                let known = byTrait[trait] ?? hierarchy.followers(of: trait)
                byTrait[trait] = known
                note.followers = known
            }
            return note
        }
    }

    /// Replaces the feeds whose filters have names that the commit changed. O(feeds concerned and their members).
    func renameFeeds(_ commit: RetainedCommit, wakes: inout WakeList) {
        let notes = commit.renames
        for feed in streams.feeds.feeds(renamedBy: notes) where feed.since < commit.revision {
            guard streams.feeds.mayReplace(feed),
                (try? checkMemory(feed.heldBytes, of: feed.owner)) != nil
            else {
                streams.feeds.remove(feed)
                feed.end(.limit, at: commit.revision, wakes: &wakes)
                continue
            }
            let next = Feed(
                feed.renamed(by: notes), since: commit.revision, now: feed.idleSince,
                owner: feed.owner, replacing: feed,
                absent: feed.absent.map { $0.waiting(for: notes) })
            next.takeMatches(of: feed)
            streams.feeds.replace(feed, with: next)
            next.wake(&wakes)
        }
    }

    /// Whether the watches of a feed are those on the nodes and traits that the names mean now. While the log takes
    /// a new name, the old one may mean another node or trait already.
    func isAbout(_ watches: [(node: NodeIndex, traits: TraitSet)], _ feed: Feed) -> Bool {
        let wanted = Set(watches.map { WatchPlace(node: $0.node, traits: $0.traits) })
        let known = feed.liveWatches.map {
            let info = hierarchy.registrationInfo($0)
            return WatchPlace(node: info.node, traits: info.traits)
        }
        return wanted == Set(known)
    }
}

private struct WatchPlace: Hashable {
    let node: NodeIndex
    let traits: TraitSet
}

extension Feed {
    /// The filter of what the feed still follows, under the new names.
    fileprivate func renamed(by notes: [RenameNote]) -> FeedFilter {
        if case .subtree(let root, var name) = filter.subject {
            for note in notes where note.node == root { name = note.to }
            return FeedFilter(.subtree(root, name))
        }
        var members = liveMembers
        for note in notes {
            let followers = Set(note.followers)
            for position in members.indices
            where followers.contains(members[position].index) {
                members[position] = members[position].renamed(by: note)
            }
        }
        // A feed without some of its members has the key of the whole request.
        return FeedFilter(.members(members), key: absent.isEmpty ? nil : key)
    }
}

extension FeedFilter.Member {
    /// A member that does not exist, with the new keys of its traits.
    fileprivate func waiting(for notes: [RenameNote]) -> FeedFilter.Member {
        notes.reduce(self) { $1.trait == nil ? $0 : $0.renamed(by: $1) }
    }

    fileprivate func renamed(by note: RenameNote) -> FeedFilter.Member {
        FeedFilter.Member(
            index: index, id: id, node: note.isNode ? note.to : node, place: place,
            traits: note.isNode ? traits : traits.map { $0 == note.from ? note.to : $0 },
            since: since)
    }
}

extension FeedTable {
    /// The feeds of registrations and watches that a new name concerns.
    func feeds(of note: RenameNote) -> FeedSet {
        var found: FeedSet = [:]
        for follower in note.followers {
            found.merge(byRegistration[follower] ?? [:]) { feed, _ in feed }
        }
        return found
    }

    /// The feeds whose filter has a name that the commit has changed.
    func feeds(renamedBy notes: [RenameNote]) -> [Feed] {
        var found: FeedSet = [:]
        for note in notes {
            found.merge(feeds(of: note)) { feed, _ in feed }
            // Members that do not exist wait for traits by their keys.
            if note.trait != nil { for feed in incomplete { found[ObjectIdentifier(feed)] = feed } }
            if let node = note.node {
                found.merge(bySubtree[node.rawValue] ?? [:]) { feed, _ in feed }
            }
        }
        return Array(found.values)
    }
}
