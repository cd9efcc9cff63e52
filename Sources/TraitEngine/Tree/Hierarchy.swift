// The engine: trait environments in a tree, values that flow down it, and exact answers to what
// a transaction changed for whom. Deterministic: no clock, no randomness, no input or output.

/// One hierarchy of trait environments.
///
/// Not Sendable: whoever owns it confines it, reads included, since reads place shortcuts in
/// deep trees. Reads see committed state; between `begin()` and `commit()` resolved values are
/// unspecified, while names and structure follow the operations.
///
/// Operations that name a node, registration or trait by index require one that is there:
/// finding out whether a name from outside exists is the lookup's part.
public final class Hierarchy {
    public let propagation: Propagation
    public let limits: HierarchyLimits
    /// 0 before the creating commit, which makes it 1.
    public internal(set) var revision: Int64 = 0
    public internal(set) var definitions: TraitDefinitions
    public internal(set) var isInTransaction = false

    // Nodes. Index 0 is above all roots: it has no name, sets nothing and never goes.
    var hot = Arena<NodeHot>()
    var links = Arena<NodeLinks>()
    var extras = Arena<NodeExtra>()
    var identifiers: IdentifierStore
    var labels = SlotArray<String>()
    var freeNode: Int32 = -1
    var freeExtra: Int32 = -1
    /// Nodes that are not deleted.
    public internal(set) var nodeCount = 0
    /// Deleted nodes that are not yet reclaimed.
    var deadCount = 0
    /// Nodes whose structural parent is not their trait parent.
    var bridgedCount = 0
    var levels = LevelBounds()

    // Values.
    var records = Arena<Record>()
    var blocks = BlockArena()
    var freeRecord: Int32 = -1
    var topCount = 0
    var pool = ValuePool()
    var traits = Arena<TraitSlot>(minimumCapacity: 32)
    var entryScratch: ContiguousArray<RecordEntry> = []

    // Registrations and watches.
    var registrations = Arena<Registration>()
    var wideTraits = SlotArray<TraitSet>()
    var registrationNames: IdentifierStore
    var freeRegistration: Int32 = -1
    var firstRegistration: Int32 = -1
    var lastRegistration: Int32 = -1
    var nextOrder: UInt64 = 1
    public internal(set) var registrationCount = 0
    public internal(set) var watchCount = 0
    var watchNodes = Arena<WatchNode>()
    var freeWatchNode: Int32 = -1
    var watchIndex: [WatchKey: Int32] = [:]

    // Transactions.
    var journal = Journal()
    var log = UndoLog()
    var definitionCopies = SlotArray<TraitDefinitions>()
    /// Whether indices of deleted traits wait to be used again.
    var hasRetiredTraits = false
    /// Tops of deleted subtrees that can be reclaimed.
    var graveyard: ContiguousArray<Int32> = []
    var telling = TellingBuffers()
    /// Watch nodes visited by the last commit, for tests of what a commit costs.
    package internal(set) var visitedWatchNodes = 0

    /// - Parameter hashSeed: keys the hashes of identifiers, which come from outside; results
    ///   never depend on it.
    public init(
        propagation: Propagation = .unified, limits: HierarchyLimits = .init(), hashSeed: UInt64
    ) {
        self.propagation = propagation
        self.limits = limits.bounded
        definitions = TraitDefinitions(limits: limits, hashSeed: hashSeed)
        identifiers = IdentifierStore(seed: hashSeed)
        registrationNames = IdentifierStore(seed: hashSeed ^ 0x5851_F42D_4C95_7F2D)
        _ = hot.append(NodeHot(parent: -1, record: 0))
        _ = links.append(NodeLinks(kind: .environment, flags: []))
        _ = records.append(Record(node: 0))
        records[0].flags = .top
        topCount = 1
        addTraitSlots()
    }
}

extension HierarchyLimits {
    /// Limits within what the engine's number formats hold.
    var bounded: HierarchyLimits {
        var limits = self
        limits.depthMax = min(max(depthMax, 1), 60_000)
        limits.nodesMax = min(max(nodesMax, 0), 1_000_000_000)
        limits.registrationsMax = min(max(registrationsMax, 0), 1_000_000_000)
        return limits
    }
}
