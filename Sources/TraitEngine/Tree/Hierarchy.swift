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
    @exclusivity(unchecked) public internal(set) var limits: HierarchyLimits
    let sizes: StructureSizes
    /// What nodes show; nil in an immediate hierarchy, whose nodes show what is set.
    let layout: LayoutState?
    /// 0 before the creating commit, which makes it 1.
    public var revision: Int64 { storedRevision }
    public var definitions: TraitDefinitions { storedDefinitions }
    /// Whether traits stand in the catalogue in the order of their indices.
    package var isInCatalogueOrder: Bool { storedDefinitions.isInCatalogueOrder }
    // The compiler checks the exclusivity of a stored property of another module's class whatever its
    // attribute says, so other modules get what every request reads through the properties above.
    @exclusivity(unchecked) var storedRevision: Int64 = 0
    @exclusivity(unchecked) var storedDefinitions: TraitDefinitions
    @exclusivity(unchecked) public internal(set) var isInTransaction = false
    /// Made from a snapshot: for reading only.
    public let isFrozen: Bool
    /// Whether names can be found; a frozen hierarchy makes its indices when needed.
    @exclusivity(unchecked) var isIndexed: Bool
    /// Snapshots that may still need what is overwritten.
    @exclusivity(unchecked) var snapshots: [SnapshotState] = []

    // Every access to what follows is over before the next begins: arenas are written through
    // pointers, no closure runs while a field is being modified, and the hierarchy is confined.
    // Checking that at run time would double the cost of small commits.

    // Nodes. Index 0 is above all roots: it has no name, sets nothing and never goes.
    @exclusivity(unchecked) var hot = Arena<NodeHot>()
    /// The nodes' records; 0, the record without values of the node above all roots, for none.
    @exclusivity(unchecked) var recordIndices = Arena<Int32>()
    @exclusivity(unchecked) var links = Arena<NodeLinks>()
    /// By node, see `NodeHeight`.
    @exclusivity(unchecked) var heights = Arena<UInt8>()
    @exclusivity(unchecked) var parentGuesses = ParentGuesses()
    @exclusivity(unchecked) var extras = Arena<NodeExtra>()
    @exclusivity(unchecked) var identifiers: IdentifierStore
    @exclusivity(unchecked) var labels = SlotArray<String>()
    @exclusivity(unchecked) var freeNode: Int32 = -1
    @exclusivity(unchecked) var freeExtra: Int32 = -1
    /// Nodes that are not deleted.
    public var nodeCount: Int { liveCount }
    @exclusivity(unchecked) var liveCount = 0
    /// Deleted nodes that are not yet reclaimed.
    @exclusivity(unchecked) var deadCount = 0
    /// Nodes whose structural parent is not their trait parent.
    @exclusivity(unchecked) var bridgedCount = 0
    @exclusivity(unchecked) var levels = LevelBounds()
    // The trait tree and the structural tree, for transactions that measure much; see `tourHeight`.
    @exclusivity(unchecked) var traitTour: EulerTour?
    @exclusivity(unchecked) var structuralTour: EulerTour?
    /// Means nothing: what is read in advance has to be kept somewhere.
    @exclusivity(unchecked) var approached: Int32 = 0

    // Values.
    @exclusivity(unchecked) var records = Arena<Record>()
    @exclusivity(unchecked) var blocks = BlockArena()
    @exclusivity(unchecked) var freeRecord: Int32 = -1
    @exclusivity(unchecked) package internal(set) var topCount = 0
    @exclusivity(unchecked) var pool = ValuePool()
    @exclusivity(unchecked) var traits = Arena<TraitSlot>(minimumCapacity: 32)
    /// The defaults' words by trait, side by side.
    @exclusivity(unchecked) var defaultWords = PlainBuffer<UInt64>()
    /// The hashes of the traits' keys by trait, for the digest.
    @exclusivity(unchecked) var traitHashes = PlainBuffer<UInt64>()
    @exclusivity(unchecked) var entryScratch: ContiguousArray<RecordEntry> = []
    /// Limits of the content size category, by node.
    @exclusivity(unchecked) var contentLimits: [Int32: ContentSizeLimits] = [:]

    // Registrations and watches.
    @exclusivity(unchecked) var registrations = Arena<Registration>()
    @exclusivity(unchecked) var wideTraits = SlotArray<TraitSet>()
    @exclusivity(unchecked) var registrationNames: IdentifierStore
    @exclusivity(unchecked) var freeRegistration: Int32 = -1
    @exclusivity(unchecked) var firstRegistration: Int32 = -1
    @exclusivity(unchecked) var lastRegistration: Int32 = -1
    @exclusivity(unchecked) var nextOrder: UInt64 = 1
    @exclusivity(unchecked) public internal(set) var registrationCount = 0
    @exclusivity(unchecked) public internal(set) var watchCount = 0
    @exclusivity(unchecked) var watchNodes = Arena<WatchNode>()
    @exclusivity(unchecked) var watchGroups = WatchGroups()
    @exclusivity(unchecked) var freeWatchNode: Int32 = -1
    @exclusivity(unchecked) var watchIndex = HashIndex()
    /// Those that scopes, colours and images have.
    @exclusivity(unchecked) var hiddenCount = 0

    // Scopes, and the colours and images that registrations name.
    @exclusivity(unchecked) var scopeCells = SlotArray<Scope>()
    @exclusivity(unchecked) var scopeCopies = SlotArray<Scope>()
    /// Scopes that are alive, by node and name; a frozen hierarchy has none.
    @exclusivity(unchecked) var scopeIndex = HashIndex()
    /// Tracked scopes, armed or stale.
    @exclusivity(unchecked) public internal(set) var scopeCount = 0
    /// Those on nodes whose scopes cover views inside.
    @exclusivity(unchecked) var coveringScopeCount = 0
    @exclusivity(unchecked) var nextScopeOrder: UInt64 = 1
    /// By scope, in the order in which they were first set; a frozen hierarchy has none.
    @exclusivity(unchecked) var scopeLinks = Arena<ScopeLink>(minimumCapacity: 1)
    @exclusivity(unchecked) var firstScope: Int32 = -1
    @exclusivity(unchecked) var lastScope: Int32 = -1
    @exclusivity(unchecked) var dynamicAsks = SlotArray<DynamicAsk>()
    /// Registrations that name a colour or an image.
    @exclusivity(unchecked) var dynamicUses: [DynamicName: Int] = [:]

    // The digest, see `StateDigest`.
    /// Of everything but definitions and the revision.
    @exclusivity(unchecked) var sums = StateDigest()
    /// Of the definitions; nil after they changed, until it is asked for.
    @exclusivity(unchecked) var definitionSums: StateDigest?
    /// The node that was made last, and the hash of its name: often the next one stands behind it.
    @exclusivity(unchecked) var newest: (node: Int32, name: UInt64) = (-1, 0)
    /// Names of nodes hashed for facts, for tests of what operations cost.
    @exclusivity(unchecked) var hashedNames = 0
    /// `sums` before the open transaction.
    @exclusivity(unchecked) var sumsBefore = StateDigest()

    // Transactions.
    @exclusivity(unchecked) var journal = Journal()
    @exclusivity(unchecked) var log = UndoLog()
    @exclusivity(unchecked) var definitionCopies = SlotArray<TraitDefinitions>()
    /// While operations are being taken back.
    @exclusivity(unchecked) var isTakingBack = false
    /// Whether indices of deleted traits wait to be used again.
    @exclusivity(unchecked) var hasRetiredTraits = false
    /// Tops of deleted subtrees that can be reclaimed.
    @exclusivity(unchecked) var graveyard = PlainBuffer<Int32>()
    @exclusivity(unchecked) var telling = TellingBuffers()
    /// The sum of watch nodes that a commit visits and notes that it makes, at which it stops telling.
    /// A caller that sets it undoes such a commit and makes it again on another thread.
    @exclusivity(unchecked) var tellingStepsMax = Int.max
    package func tell(atMost steps: Int) { tellingStepsMax = steps }
    /// Whether the last commit told only some of its registrations, for that reason.
    package var isTellingCutShort: Bool { isCutShort }
    @exclusivity(unchecked) var isCutShort = false
    /// Watch nodes visited by the last commit, for tests of what a commit costs.
    @exclusivity(unchecked) package internal(set) var visitedWatchNodes = 0
    /// Registrations gone through node by node, for tests of what operations cost.
    @exclusivity(unchecked) var visitedListeners = 0
    /// Groups of watched children entered by the last commit, likewise.
    @exclusivity(unchecked) package internal(set) var visitedWatchGroups = 0

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
        limits: HierarchyLimits = .init(), hashSeed: UInt64, sizes: StructureSizes
    ) {
        isFrozen = false
        isIndexed = true
        self.sizes = sizes
        self.propagation = propagation
        layout = updates == .layout ? LayoutState() : nil
        self.limits = limits.bounded
        storedDefinitions = TraitDefinitions(
            limits: limits, hashSeed: hashSeed, indexMax: sizes.traitIndexMax)
        identifiers = IdentifierStore(seed: hashSeed)
        registrationNames = IdentifierStore(seed: hashSeed ^ 0x5851_F42D_4C95_7F2D)
        _ = hot.append(NodeHot(parent: -1))
        _ = recordIndices.append(0)
        _ = links.append(NodeLinks(kind: .environment, flags: []))
        _ = heights.append(0)
        _ = records.append(Record(node: 0))
        records[0].flags = .top
        hot[0].filter = .max
        topCount = 1
        addTraitSlots()
    }

    /// What a snapshot holds, once its copies are complete.
    init(_ parts: SnapshotParts) {
        isFrozen = true
        isIndexed = false
        propagation = parts.propagation
        limits = parts.limits
        sizes = parts.sizes
        storedRevision = parts.revision
        storedDefinitions = parts.definitions
        layout = parts.layout.map { LayoutState($0) }
        hot = Arena(parts.hot)
        recordIndices = Arena(parts.recordIndices)
        links = Arena(parts.links)
        heights = Arena(parts.heights)
        extras = Arena(parts.extras)
        identifiers = IdentifierStore(parts.identifiers)
        labels = SlotArray(parts.labels)
        freeNode = parts.freeNode
        freeExtra = parts.freeExtra
        liveCount = parts.nodeCount
        deadCount = parts.deadCount
        bridgedCount = parts.bridgedCount
        levels = parts.levels
        records = Arena(parts.records)
        blocks = BlockArena(parts.blocks)
        freeRecord = parts.freeRecord
        topCount = parts.topCount
        pool = ValuePool(parts.values)
        traits = Arena(parts.traits)
        for trait in 0..<Int32(traits.count) {
            defaultWords.append(traits[trait].defaultWord)
            traitHashes.append(0)
        }
        sums = parts.sums
        registrations = Arena(parts.registrations)
        wideTraits = SlotArray(parts.wideTraits)
        registrationNames = IdentifierStore(parts.registrationNames)
        freeRegistration = parts.freeRegistration
        firstRegistration = parts.firstRegistration
        lastRegistration = parts.lastRegistration
        nextOrder = parts.nextOrder
        registrationCount = parts.registrationCount
        watchCount = parts.watchCount
        watchNodes = Arena(parts.watchNodes)
        freeWatchNode = parts.freeWatchNode
        scopeCells = SlotArray(parts.scopes)
        scopeCount = parts.scopeCount
        coveringScopeCount = parts.coveringScopeCount
        hiddenCount = parts.hiddenCount
        dynamicAsks = SlotArray(parts.dynamicAsks)
        contentLimits = parts.contentLimits
        for trait in 0..<traits.count {
            hashTrait(TraitIndex(rawValue: UInt16(truncatingIfNeeded: trait)))
        }
    }
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
