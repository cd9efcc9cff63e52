// Whole collections from before a commit, for notifications that carry more than the traits that
// changed: a commit compares the traits that registrations name, and no others.

extension Hierarchy {
    /// `commit()`, whose outcome has the whole collections of some notifications' nodes from before
    /// it: `Commit.previousCollection(of:)`. Costs O(depth, traits set there) more for each such
    /// node; in a layout hierarchy O(traits) once for nodes that showed the same.
    package func commit(collecting isCollected: (RegistrationIndex) -> Bool) -> Commit {
        var previous: [RegistrationIndex: TraitCollection] = [:]
        var commit = commit { notifications in
            previous = previousCollections(notifications.filter { isCollected($0.registration) })
        }
        commit.previous = previous
        return commit
    }

    private func previousCollections(
        _ notifications: [Notification]
    ) -> [RegistrationIndex: TraitCollection] {
        if notifications.isEmpty { return [:] }
        var collections: [RegistrationIndex: TraitCollection] = [:]
        if let layout {
            let noted = Dictionary(
                layout.noted.map { ($0.node, $0.before) }, uniquingKeysWith: { first, _ in first })
            for notification in notifications {
                let registration = notification.registration
                // What the transaction made is notified of what was shown since.
                let frame =
                    layout.baselines[registration.rawValue] ?? noted[notification.node.rawValue]
                collections[registration] = collection(ofFrame: frame ?? 0, layout)
            }
            return collections
        }
        var known: [NodeIndex: TraitCollection] = [:]
        for notification in notifications {
            let node = notification.node
            let collection = known[node] ?? collectionBefore(node)
            known[node] = collection
            collections[notification.registration] = collection
        }
        return collections
    }

    /// What a node read before the open transaction.
    private func collectionBefore(_ node: NodeIndex) -> TraitCollection {
        let set = inherited(from: node.rawValue, .max, asBefore: true)
        var values: [TraitIndex: TraitValue] = [:]
        for trait in set.intersection(definitions.settable) {
            values[trait] = value(from: notifying.before[Int(trait.rawValue)], of: trait)
        }
        return TraitCollection(definitions: definitions, resolved: values)
    }
}
