// The feeds that a new name of a node or trait concerns.

import TraitEngine

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
