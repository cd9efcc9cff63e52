// The changes of one transaction and the values before it: enough to read the tree as it was, to decide
// whether anything changed, and to notify registrations.

/// A node that was there before the transaction and whose place or values it changed.
struct TouchedNode: BitwiseCopyable {
    var node: Int32
    // As they were before.
    var traitParent: Int32
    var structuralParent: Int32
    var peer: Int32
    var label: Int32
    /// The newest of the node's value entries in the undo log, relative to the transaction's
    /// start; -1 for none.
    var firstValue: Int32 = -1
}

/// The nodes and values that the open transaction changed, as they were before it.
struct Journal: ~Copyable {
    /// More touched nodes than this are an unusually large transaction, whose memory is given back.
    private static let touchedKeptMax = 65_536

    private(set) var touched = PlainBuffer<TouchedNode>()
    /// Positions in `touched` by node.
    private var positions = IntegerMap()
    /// Positions in the undo log by node, trait and layer, relative to the transaction's start.
    private var values = IntegerMap()

    /// The position of a touched node in `touched`; nil for other nodes.
    func position(of node: Int32) -> Int? {
        positions[UInt64(UInt32(bitPattern: node))].map(Int.init)
    }

    /// Adds a node that is not there. Amortised O(1).
    mutating func add(_ node: TouchedNode) {
        positions.insert(
            UInt64(UInt32(bitPattern: node.node)), Int32(truncatingIfNeeded: touched.count))
        touched.append(node)
    }

    /// The position in the undo log of a value from before the transaction, relative to the
    /// transaction's start; nil when the transaction has not changed the value.
    func value(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> Int32? {
        values[Self.key(node, trait, layer)]
    }

    /// Adds a value of the touched node at `position`, which the undo log stores at `entry`.
    mutating func addValue(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, _ position: Int, _ entry: Int32
    ) {
        values.insert(Self.key(node, trait, layer), entry)
        touched[position].firstValue = entry
    }

    private static func key(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> UInt64 {
        UInt64(UInt32(bitPattern: node)) << 24 | UInt64(trait) << 3 | UInt64(layer.rawValue)
    }

    /// The next transaction uses the same memory.
    mutating func removeAll() {
        let isLarge = touched.count > Self.touchedKeptMax
        touched.removeAll()
        if isLarge { touched.trim(to: Self.touchedKeptMax) }
        positions.removeAll()
        values.removeAll()
    }
}

/// Flags and counts beside the journal that decide whether the open transaction changes anything.
struct TransactionSummary {
    /// Whether a value was changed that the transaction had changed before: only then can a value
    /// be back at what it was.
    var changesAgain = false
    /// Whether something beside the hierarchy changed that belongs to its state.
    var changesOutside = false
    /// Whether a node was put at another place among its siblings.
    var ordersSiblings = false
    /// How much moves and new places among siblings changed the digest of the siblings' order.
    var orderDelta: UInt64 = 0
    /// Nodes made in the transaction that are not deleted.
    var createdAlive = 0
    /// Whether nodes were made at all.
    var createdAny = false
    /// Registrations made in the transaction that have not ended.
    var registeredAlive = 0
    var changesDefinitions = false
    /// Something from before the transaction was deleted: always a change.
    var endsExisting = false
    /// Scopes made in the transaction that have not ended.
    var scopesAlive = 0
    /// Whether nodes that waited for an update were updated.
    var updatesLayout = false
    /// Whether nodes or traits got other names.
    var renames = false
    /// Whether names changed that facts of unknown number have.
    var recountsDigest = false
}

/// Lists that few transactions need: empty after most of them.
struct TransactionLists {
    /// Traits defined in the transaction that are not deleted.
    var defined = TraitSet()
    var ended: [EndedRegistration] = []
    /// Scopes set in the transaction: it makes none of them stale.
    var scopesSet: Set<Int32> = []
    /// Scopes that the transaction set, as they were before it.
    var scopesBefore: [Int32: Scope] = [:]
    /// Views made in the transaction that scopes from before it cover.
    var joined: [Int32] = []
    /// Environment keys, colours and images defined in the transaction that are not deleted.
    var named: Set<String> = []
    /// The names before the transaction of nodes that it renamed.
    var renamed: [Int32: String] = [:]
    /// The keys before the transaction of traits that it renamed.
    var renamedTraits: [UInt16: String] = [:]
    /// Nodes made in the transaction for which a collection was predicted.
    var predicted: [Int32] = []
    /// The traits that nodes inherited or set before the transaction; by node, filled by reads.
    var inherited: [Int32: TraitSet] = [:]
    /// Traits that the transaction redefined.
    var redefined: [UInt16: RedefinedTrait] = [:]
    /// Limits of the content size category before the transaction, by node.
    var limits: [Int32: ContentSizeLimits] = [:]
}

extension Hierarchy {
    /// Remembers how a node from before the transaction was, once.
    func touch(_ node: Int32) {
        let link = parts.nodes[node]
        if !link.flags.isDisjoint(with: [.touched, .created]) { return }
        parts.nodes.setTouched(node, true)
        let parent = parts.nodes.parent(of: node)
        var touched = TouchedNode(
            node: node, traitParent: parent, structuralParent: parent, peer: -1, label: -1)
        if link.extra >= 0 {
            let extra = parts.nodes.extra(at: link.extra)
            if link.flags.contains(.bridged) { touched.structuralParent = extra.structuralParent }
            touched.peer = extra.peer
            touched.label = extra.label
        }
        transaction.journal.add(touched)
    }

    /// Remembers the value that a node had before the transaction. False when that was done
    /// before, or when the node was not there: then the old value is the caller's to release.
    func remember(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, _ old: StoredValue?
    ) -> Bool {
        let flags = parts.nodes[node].flags
        if flags.contains(.created) { return false }
        var position = transaction.journal.touched.count
        if flags.contains(.touched) {
            if transaction.journal.value(node, trait, layer) != nil {
                transaction.summary.changesAgain = true
                return false
            }
            guard let known = transaction.journal.position(of: node) else { return false }
            position = known
        } else {
            touch(node)
        }
        // A transaction of two billion values would need a body of as many bytes.
        let relative = Int32(
            truncatingIfNeeded: transaction.log.end - transaction.log.transactionStart)
        let replaced = ReplacedValue(
            old: old, node: node, next: transaction.journal.touched[position].firstValue,
            trait: trait, layer: layer)
        let isPooled = old != nil && parts.traits.isPooled(trait)
        transaction.log.append(.value(replaced), holdsResources: isPooled)
        transaction.journal.addValue(node, trait, layer, position, relative)
        return true
    }
}
