// The engine: trait environments in a tree, values that are inherited down the tree, and for each
// commit the exact changes per registration. Deterministic: no clock, no randomness, no I/O.

/// One hierarchy of trait environments.
///
/// Not Sendable: its owner confines it, reads included, since reads place shortcuts in deep trees.
/// Reads see committed state. Between `begin()` and `commit()` resolved values are unspecified,
/// while names and structure follow the operations.
///
/// Operations that take the index of a node, registration or trait require that it exists. Names
/// from outside are checked by the lookups.
public final class Hierarchy {
    public let propagation: Propagation
    public internal(set) var limits: HierarchyLimits
    let sizes: StructureSizes
    /// Frames and marks of nodes; nil in an immediate hierarchy, whose nodes show their present inputs.
    let layout: LayoutState?
    /// Made from a snapshot: for reading only.
    public let isFrozen: Bool
    /// Whether names can be found; a frozen hierarchy makes its indices when needed.
    var isIndexed: Bool

    // Every access to what follows is over before the next begins: no closure runs while a part is
    // being modified, and the hierarchy is confined. Checking that at run time would double the
    // cost of small commits. The compiler checks the stored properties of another module's class
    // whatever their attributes say, so other modules read through the computed properties below.
    @exclusivity(unchecked) var parts: HierarchyState
    /// Snapshots that may still need what is overwritten.
    @exclusivity(unchecked) var snapshots: [SnapshotState] = []
    @exclusivity(unchecked) var transaction = Transaction()
    @exclusivity(unchecked) var notifying = NotificationBuffers()

    /// - Parameter hashSeed: keys the hashes of identifiers, which come from outside; results
    ///   never depend on it.
    public convenience init(
        propagation: Propagation = .unified, updates: UpdateMode = .immediate,
        limits: HierarchyLimits = .init(), hashSeed: UInt64
    ) {
        self.init(
            propagation: propagation, updates: updates, limits: limits, hashSeed: hashSeed,
            sizes: .init())
    }

    /// - Parameter sizes: smaller ones let small hierarchies use what only large ones need.
    package init(
        propagation: Propagation = .unified, updates: UpdateMode = .immediate,
        limits: HierarchyLimits = .init(), hashSeed: UInt64, sizes: StructureSizes,
        hasSystemTraits: Bool = true
    ) {
        isFrozen = false
        isIndexed = true
        self.sizes = sizes
        self.propagation = propagation
        layout = updates == .layout ? LayoutState() : nil
        self.limits = limits.bounded
        parts = HierarchyState(
            definitions: TraitDefinitions(
                limits: limits, hashSeed: hashSeed, indexMax: sizes.traitIndexMax,
                hasSystemTraits: hasSystemTraits),
            hashSeed: hashSeed)
        addTraitSlots()
    }

    /// The state as it is now, to be read once all copies are complete. O(1).
    init(copying other: Hierarchy, _ copies: inout SnapshotCopies) {
        isFrozen = true
        isIndexed = false
        propagation = other.propagation
        limits = other.limits
        sizes = other.sizes
        parts = HierarchyState(copying: &other.parts, &copies)
        layout = other.layout.map { LayoutState(copying: $0, &copies) }
    }
}

extension Hierarchy {
    /// 0 before the creating commit, which makes it 1.
    public var revision: Int64 { parts.revision }
    public var definitions: TraitDefinitions { parts.definitions }
    // As the definitions do it, without a copy of them.
    package func trait(named name: UnsafeRawBufferPointer) -> TraitIndex? {
        parts.definitions.index(of: name)
    }
    package func publicTrait(named name: UnsafeRawBufferPointer) -> TraitIndex? {
        parts.definitions.publicIndex(of: name)
    }
    public var isInTransaction: Bool { transaction.isOpen }
    /// Nodes that are not deleted.
    public var nodeCount: Int { parts.nodes.liveCount }
    public var registrationCount: Int { parts.registrations.namedCount }
    public var watchCount: Int { parts.registrations.watchCount }
    /// Tracked scopes, armed or stale.
    public var scopeCount: Int { parts.scopes.count }
    /// Whether traits stand in the catalogue in the order of their indices.
    package var isInCatalogueOrder: Bool { parts.definitions.isInCatalogueOrder }

    // MARK: - What commits cost

    /// Makes commits stop their notifications after so many steps: watch nodes visited and notes
    /// made. A caller that sets this undoes such a commit and makes it again on another thread.
    package func notify(atMost steps: Int) { notifying.stepsMax = steps }
    /// Whether the last commit notified only some registrations, for that reason.
    package var isNotifyingCutShort: Bool { notifying.isCutShort }
    /// Watch nodes visited by the last commit, for tests of what a commit costs.
    package var visitedWatchNodes: Int { notifying.visitedWatchNodes }
    /// Groups of watched children entered by the last commit, likewise.
    package var visitedWatchGroups: Int { notifying.visitedWatchGroups }
    /// Shortcuts in deep trees, the node above all roots included.
    package var topCount: Int { parts.records.topCount }
}

extension HierarchyLimits {
    /// Limits within what the engine's number formats hold.
    var bounded: HierarchyLimits {
        var limits = self
        limits.depthMax = min(max(depthMax, 1), 60_000)
        limits.nodesMax = min(max(nodesMax, 0), NodeHot.nodesMax - 1)
        limits.registrationsMax = min(max(registrationsMax, 0), 1_000_000_000)
        limits.snapshotsMax = min(max(snapshotsMax, 0), 64)
        return limits
    }
}
