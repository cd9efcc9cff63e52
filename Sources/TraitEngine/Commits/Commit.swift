// The outcome of a commit: notifications in delivery order, with the changes of each. A value of
// its own: later changes of the hierarchy do not affect it.

/// The notification of one registration or watch.
public struct Notification: Hashable, Sendable {
    public let registration: RegistrationIndex
    public let node: NodeIndex
    /// The distinct change that reached the node. Notifications of one commit with equal frames
    /// and equal `selection` carry equal changes, so their encoding can be shared.
    public let frame: Int32
    /// Which of the frame's changes this registration asked for (bit i: its i-th change); for
    /// the rare frame of more than 64 changes the position of a list of them.
    public let selection: UInt64
}

/// One trait that has a different resolved value after a commit than before.
public struct TraitChange: Hashable, Sendable {
    public let trait: TraitIndex
    public let previous: TraitValue
    public let current: TraitValue
    /// The layer, node and revision that the current value comes from.
    public let source: Source
}

/// A registration or watch that a commit ended.
public struct EndedRegistration: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        case unregistered
        case nodeDeleted
        /// Of a watch: one of its traits was deleted.
        case traitDeleted
    }

    public let registration: RegistrationIndex
    /// Nil for a watch.
    public let identifier: String?
    public let reason: Reason
}

/// The outcome of a transaction.
public struct Commit: Sendable {
    /// The hierarchy's revision after the commit.
    public let revision: Int64
    /// The net effect was nothing: no commit was made, everything is as before.
    public let isUnchanged: Bool
    /// In delivery order: by depth in the trait tree, then in the order in which the
    /// registrations were made. None for what was made in the same commit, but for updates of a
    /// layout hierarchy that came after it.
    public let notifications: [Notification]
    /// In the order in which they were made. What the same commit made is not among them.
    public let endedRegistrations: [EndedRegistration]
    /// The definitions after the commit: what the trait indices in its changes mean.
    public let definitions: TraitDefinitions
    /// The tracked scopes that went stale: by depth of their nodes in the trait tree, then in the
    /// order in which they were first set.
    public let invalidations: [Invalidation]

    let frames: [ChangeFrame]
    /// For selections of frames with more than 64 changes: count, then positions.
    let wideSelections: [Int32]
    /// By registration.
    let dynamics: [Int32: [DynamicChange]]

    /// The colours and images of the notification's registration that have another value; it may
    /// have no other changes. O(1).
    public func dynamicChanges(of notification: Notification) -> [DynamicChange] {
        dynamics.isEmpty ? [] : dynamics[notification.registration.rawValue] ?? []
    }

    /// The changes one notification carries: of its registration's traits only, in catalogue
    /// order. O(changes), and a sort when the indices of traits do not rise in that order.
    public func changes(of notification: Notification) -> [TraitChange] {
        let selected = selectedChanges(of: notification)
        if definitions.isInCatalogueOrder || selected.count < 2 { return selected }
        return selected.sorted {
            definitions.catalogueRank(of: $0.trait) < definitions.catalogueRank(of: $1.trait)
        }
    }

    private func selectedChanges(of notification: Notification) -> [TraitChange] {
        let all = frames[Int(notification.frame)].changes
        if all.count > 64 {
            let start = Int(notification.selection)
            let count = Int(wideSelections[start])
            return wideSelections[start + 1..<start + 1 + count].map { all[Int($0)] }
        }
        if all.count == 1 { return all }
        var bits = notification.selection
        var selected: [TraitChange] = []
        selected.reserveCapacity(bits.nonzeroBitCount)
        while bits != 0 {
            selected.append(all[bits.trailingZeroBitCount])
            bits &= bits &- 1
        }
        return selected
    }
}

/// A distinct set of changes, by trait index; shared by all notifications that carry it.
struct ChangeFrame: Sendable {
    var changes: [TraitChange]
}
