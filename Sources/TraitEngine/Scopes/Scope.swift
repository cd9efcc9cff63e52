// What the API says of a tracked scope, and of one that went stale.

/// A method of one node with the traits that it read in its last run, as it was set.
public struct ScopeInfo: Hashable, Sendable {
    public let node: NodeIndex
    /// The method's name.
    public let name: String
    public let invalidation: String
    public let reads: TraitSet
    /// Whether one of them changed since: nothing more is told until the scope is set again.
    public let isStale: Bool
    /// The revision of the commit that set it last.
    public let revision: Int64
}

/// A scope that went stale.
public struct Invalidation: Hashable, Sendable {
    public let node: NodeIndex
    /// The method's name.
    public let scope: String
    /// What UIKit would call, such as `setNeedsLayout`.
    public let invalidation: String
    /// The traits among those it read that changed.
    public let changed: TraitSet
}

extension NodeKind {
    /// Whether a scope on a node of this kind covers the views directly inside, too: those that
    /// inherit from it. Of a controller that is its root view, of a presentation controller the
    /// views in it that no controller owns.
    var scopesCoverViews: Bool { self == .viewController || self == .presentationController }
}
