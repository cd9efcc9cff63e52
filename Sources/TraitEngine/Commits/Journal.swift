// What one transaction touched, and how it was before: enough to read the tree as it was, to
// find out whether anything changed, and to tell those who asked.

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

struct Journal: ~Copyable {
    var touched = PlainBuffer<TouchedNode>()
    /// Positions in `touched` by node.
    var nodes = IntegerMap()
    /// Positions in the undo log by node, trait and layer, relative to the transaction's start.
    var values = IntegerMap()

    /// Whether a value was changed that the transaction had changed before: only then may one be
    /// again what it was.
    var changesAgain = false

    /// Whether something beside the hierarchy changed that belongs to its state.
    var changesOutside = false
    /// Whether a node was put at another place among its siblings; and what that and moves changed in
    /// the digest of the siblings' order.
    var ordersSiblings = false
    var orderDelta: UInt64 = 0

    /// Nodes made in the transaction that are still there.
    var createdAlive = 0
    /// Whether nodes were made at all.
    var createdAny = false
    var registeredAlive = 0
    /// Traits defined in the transaction that are still there.
    var defined = TraitSet()
    var changesDefinitions = false
    /// Something from before the transaction was deleted: always a change.
    var endsExisting = false
    var ended: [EndedRegistration] = []
    /// Scopes made in the transaction that are still there.
    var scopesAlive = 0
    /// Scopes set in the transaction: it makes none of them stale.
    var scopesSet: Set<Int32> = []
    /// How scopes from before the transaction were that it set.
    var scopesBefore: [Int32: Scope] = [:]
    /// Views made in the transaction that came to be covered by scopes.
    var joined: [Int32] = []
    /// Environment keys, colours and images defined in the transaction that are still there.
    var named: Set<String> = []
    /// Whether nodes that waited for an update were brought up to date.
    var updatesLayout = false
    /// Nodes made in the transaction for which something was predicted.
    var predicted: [Int32] = []
    /// The traits that nodes inherited, or set, before the transaction; by node, as asked for.
    var inherited: [Int32: TraitSet] = [:]
    /// Limits of the content size category before the transaction, by node.
    var limits: [Int32: ContentSizeLimits] = [:]

    static func key(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> UInt64 {
        UInt64(UInt32(bitPattern: node)) << 24 | UInt64(trait) << 3 | UInt64(layer.rawValue)
    }

    /// Memory is kept from one transaction to the next, but for that of unusually large ones.
    mutating func removeAll() {
        let isLarge = touched.count > 65_536
        touched.removeAll()
        if isLarge { touched.trim(to: 65_536) }
        nodes.removeAll()
        values.removeAll()
        changesAgain = false
        changesOutside = false
        ordersSiblings = false
        orderDelta = 0
        createdAlive = 0
        createdAny = false
        registeredAlive = 0
        if !defined.isEmpty { defined = TraitSet() }
        changesDefinitions = false
        endsExisting = false
        updatesLayout = false
        if !predicted.isEmpty { predicted = [] }
        if !limits.isEmpty { limits = [:] }
        if !inherited.isEmpty { inherited = [:] }
        if !ended.isEmpty { ended = [] }
        scopesAlive = 0
        if !scopesSet.isEmpty { scopesSet = [] }
        if !scopesBefore.isEmpty { scopesBefore = [:] }
        if !joined.isEmpty { joined = [] }
        if !named.isEmpty { named = [] }
    }
}

extension Hierarchy {
    /// Remembers how a node from before the transaction was, once.
    func touch(_ node: Int32) {
        let link = parts.nodes[node]
        if !link.flags.isDisjoint(with: [.touched, .created]) { return }
        parts.nodes.setTouched(node, true)
        transaction.journal.nodes.insert(
            UInt64(UInt32(bitPattern: node)),
            Int32(truncatingIfNeeded: transaction.journal.touched.count))
        let parent = parts.nodes.parent(of: node)
        var touched = TouchedNode(
            node: node, traitParent: parent, structuralParent: parent, peer: -1, label: -1)
        if link.extra >= 0 {
            let extra = parts.nodes.extra(at: link.extra)
            if link.flags.contains(.bridged) { touched.structuralParent = extra.structuralParent }
            touched.peer = extra.peer
            touched.label = extra.label
        }
        transaction.journal.touched.append(touched)
    }

    /// The position of a touched node in the journal.
    func touchedPosition(_ node: Int32) -> Int? {
        transaction.journal.nodes[UInt64(UInt32(bitPattern: node))].map(Int.init)
    }

    /// Remembers the value that a node had before the transaction. False when that was done
    /// before, or when the node was not there: then the old value is the caller's to release.
    func remember(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, _ old: StoredValue?
    ) -> Bool {
        let flags = parts.nodes[node].flags
        if flags.contains(.created) { return false }
        let key = Journal.key(node, trait, layer)
        var position = transaction.journal.touched.count
        if flags.contains(.touched) {
            if transaction.journal.values[key] != nil {
                transaction.journal.changesAgain = true
                return false
            }
            guard let known = touchedPosition(node) else { return false }
            position = known
        } else {
            touch(node)
        }
        // A transaction of two billion values would need a body of as many bytes.
        let relative = Int32(
            truncatingIfNeeded: transaction.log.end - transaction.log.transactionStart)
        transaction.journal.values.insert(key, relative)
        let replaced = ReplacedValue(
            old: old, node: node, next: transaction.journal.touched[position].firstValue,
            trait: trait, layer: layer)
        let isPooled = old != nil && parts.traits.isPooled(trait)
        transaction.log.append(.value(replaced), holdsResources: isPooled)
        transaction.journal.touched[position].firstValue = relative
        return true
    }
}
