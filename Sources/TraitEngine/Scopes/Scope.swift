// What is stored for a tracked scope, and what is told about one.

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

/// A scope hears through hidden registrations: one on its node, and for controllers one on each
/// view directly inside. These follow from the scope and the trait tree, so nothing remembers
/// them; a stale scope has them, too.
struct Scope {
    let node: Int32
    /// The order in which scopes were first set.
    let order: UInt64
    let name: String
    var reads: TraitSet
    var revision: Int64
    var isStale = false
    /// False between the commit that ended it and that commit's acknowledgement.
    var isAlive = true
    /// The first of its registrations, linked through `nextOfScope`.
    var first: Int32 = -1
}

extension NodeKind {
    /// Whether a scope on a node of this kind covers the views directly inside, too: those that
    /// inherit from it. Of a controller that is its root view, of a presentation controller the
    /// views in it that no controller owns.
    var scopesCoverViews: Bool { self == .viewController || self == .presentationController }
}
