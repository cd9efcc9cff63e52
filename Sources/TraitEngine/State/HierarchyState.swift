// The state of a hierarchy, as parts. A part owns its storage: code outside of its folder uses its
// methods only, and no part knows another one (`.ci/tidy` checks both). What involves several parts
// is in the extensions of `Hierarchy`.

/// Everything that a snapshot copies.
///
/// A property without a default value cannot be forgotten in `init(copying:_:)`: the compiler
/// refuses an initializer that leaves one out. So parts and their copies have no lists of fields to
/// keep in step.
struct HierarchyState: ~Copyable {
    /// 0 before the creating commit, which makes it 1.
    var revision: Int64
    var definitions: TraitDefinitions
    var nodes: NodeTable
    var records: RecordTable
    var traits: TraitTable
    var pool: ValuePool
    /// Limits of the content size category, by node. Few nodes have any, so a snapshot shares them
    /// until the next one is set.
    var contentLimits: [Int32: ContentSizeLimits]
    var registrations: RegistrationTable
    var watches: WatchTree
    var scopes: ScopeTable
    var dynamics: DynamicTable
    var digest: DigestSums

    init(definitions: TraitDefinitions, hashSeed: UInt64) {
        revision = 0
        self.definitions = definitions
        nodes = NodeTable(hashSeed: hashSeed)
        records = RecordTable()
        traits = TraitTable()
        pool = ValuePool()
        contentLimits = [:]
        registrations = RegistrationTable(hashSeed: hashSeed ^ 0x5851_F42D_4C95_7F2D)
        watches = WatchTree()
        scopes = ScopeTable()
        dynamics = DynamicTable()
        digest = DigestSums()
    }

    /// The state as it is now, for a snapshot. O(1): arenas are copied later.
    init(copying other: inout HierarchyState, _ copies: inout SnapshotCopies) {
        revision = other.revision
        definitions = other.definitions
        // Arenas with the most writes are copied first, so that their owner has the fewest granules to save.
        nodes = NodeTable(copying: &other.nodes, &copies)
        records = RecordTable(copying: &other.records, &copies)
        pool = ValuePool(copying: &other.pool, &copies)
        traits = TraitTable(copying: &other.traits, &copies)
        contentLimits = other.contentLimits
        watches = WatchTree(copying: &other.watches, &copies)
        registrations = RegistrationTable(copying: &other.registrations, &copies)
        scopes = ScopeTable(copying: &other.scopes, &copies)
        dynamics = DynamicTable(copying: &other.dynamics, &copies)
        digest = other.digest
    }
}

struct Transaction: ~Copyable {
    var isOpen = false
    var journal = Journal()
    var summary = TransactionSummary()
    /// Empty unless `hasLists`, so that a transaction without any frees none.
    private var storedLists = TransactionLists()
    private var hasLists = false
    var log = UndoLog()
    var definitionCopies = SlotArray<TraitDefinitions>()
    /// Names that nodes and traits had before operations that renamed them, for the undo log.
    var formerNames = SlotArray<String>()
    var redefinitions = SlotArray<Redefinition>()
    /// In the order of their positions.
    var poolings: [Pooling] = []
    /// Words of the pool that the open transaction has a reference to.
    var heldWords: [UInt64] = []
    /// The digest's sums before the open transaction.
    var sumsBefore = StateDigest()
    /// While operations are being undone.
    var isUndoing = false
    /// Whether operations that are being undone gave other names.
    var undoesNames = false
    /// Values of one node, unpacked for a moment.
    var entries: ContiguousArray<RecordEntry> = []
    /// Whether indices of deleted traits wait to be used again.
    var hasRetiredTraits = false

    var lists: TransactionLists {
        _read { yield storedLists }
        _modify {
            hasLists = true
            yield &storedLists
        }
    }

    /// The next transaction has done nothing yet. O(1), and what the lists of this one take to
    /// free.
    mutating func startAnew() {
        journal.removeAll()
        summary = TransactionSummary()
        if hasLists {
            storedLists = TransactionLists()
            hasLists = false
            log.forgetTranslations()
        }
    }
}
