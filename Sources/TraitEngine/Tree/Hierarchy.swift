// The engine: trait environments in a tree, values that flow down it, and exact answers to what
// a transaction changed for whom. Deterministic: no clock, no randomness, no input or output.

/// One hierarchy of trait environments.
///
/// Not Sendable: whoever owns it confines it, reads included, since reads place shortcuts in
/// deep trees. Reads see committed state; between `begin()` and `commit()` they are unspecified,
/// except `node(_:)`, `registration(named:)` and the structure of the tree.
public final class Hierarchy {
    public let propagation: Propagation
    public let limits: HierarchyLimits
    /// 0 before the creating commit, which makes it 1.
    public private(set) var revision: Int64 = 0
    public private(set) var definitions: TraitDefinitions

    public init(
        propagation: Propagation = .unified, limits: HierarchyLimits = .init(), hashSeed: UInt64
    ) {
        self.propagation = propagation
        self.limits = limits
        definitions = TraitDefinitions(limits: limits, hashSeed: hashSeed)
    }
}
