// What a watch reports.

/// A value that differs from the one that the watch showed before.
public struct TraitChange: Sendable, Hashable {
    /// The node.
    public let node: String
    /// The trait.
    public let trait: String
    /// The value that the watch showed before, or nil if the watch had no value for the pair.
    public let previous: TraitValue?
    /// The value that the watch shows now, or nil if the watch has no value for the pair any more.
    public let current: TraitValue?
    /// The revision of the session at which the watch has read the value.
    public let revision: Int64

    /// Makes a change.
    public init(
        node: String, trait: String, previous: TraitValue?, current: TraitValue?, revision: Int64
    ) {
        (self.node, self.trait) = (node, trait)
        (self.previous, self.current, self.revision) = (previous, current, revision)
    }
}

/// How far a watch can be relied on.
public enum WatchState: String, Sendable, Hashable, CaseIterable {
    /// There is no complete state yet, and no value.
    case syncing
    /// The values are complete, the stream is connected, and every digest so far agreed.
    case ready
    /// The values are the last known ones: the connection is lost, or the state is read again.
    case stale
    /// The watch has ended, and `reason` says why. The values are the last known ones.
    case closed
}

/// The traits of a node that a watch follows.
public enum WatchedTraits: Sendable, Hashable {
    /// All traits.
    case all
    /// The traits with these keys, identifiers or names of sets.
    case traits([String])

    package var names: [String] {
        switch self {
        case .all: ["all"]
        case .traits(let names): names
        }
    }
    /// The same traits, one of them by another name.
    func renaming(_ trait: String, to name: String) -> WatchedTraits {
        switch self {
        case .all: .all
        case .traits(let names): .traits(names.map { $0 == trait ? name : $0 })
        }
    }
}
