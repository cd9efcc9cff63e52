// The steps of an update, after each of which handlers may be called.

/// One step of an update. Handlers are called before the next step is taken.
public struct TraitUpdateStep: Sendable {
    public enum Reason: Hashable, Sendable {
        /// The node took a new collection: one step for each such node, before all others of it.
        case environment
        /// A trait of a registration on the node changed.
        case registration(RegistrationIndex)
    }

    public let reason: Reason
    public let node: NodeIndex
    /// The node's whole collection before the update.
    public let previous: TraitCollection
    /// The node's whole collection now.
    public let current: TraitCollection
    /// All traits that differ between the two, not only those of the registration.
    public let changed: TraitSet
    /// The colours and images of the registration that have another value now.
    public let dynamicChanges: [DynamicChange]
    /// With reason `environment`: the scopes that went stale, in the order in which they were
    /// first set. A controller's can come with the step of its view.
    public let invalidations: [Invalidation]
}

/// An update that does not end, as its handlers keep changing nodes.
public struct TraitUpdateLoop: Error, Sendable {
    /// How many passes were run: `TraitUpdate.passesMax`.
    public let passes: Int
    /// What changed in the last of them, from the top down.
    public let changes: [(node: NodeIndex, traits: TraitSet)]
}
