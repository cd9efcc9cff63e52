// The nodes: links of both trees, names, labels, kinds, and where each node's record is.
//
// `NodeCells.swift` describes the storage and the two trees.

struct NodeTable: ~Copyable {
    // By node. Index 0 is above all roots: it has no name, sets nothing and never goes.
    private var hotCells: Arena<NodeHot>
    private var linkCells: Arena<NodeLinks>
    private var heightCells: Arena<UInt8>
    private var recordCells: Arena<Int32>
    /// Only for controllers, their views, and nodes with a label.
    private var extras: Arena<NodeExtra>
    private(set) var names: IdentifierStore
    private var labels: SlotArray<String>
    private var firstFree: Int32
    private var firstFreeExtra: Int32
    /// Nodes that are not deleted.
    private(set) var liveCount: Int
    /// Deleted nodes that are not yet reclaimed.
    private(set) var deadCount: Int
    /// Nodes whose structural parent is not their trait parent.
    private(set) var bridgedCount: Int
    /// Bounds of the depth of both trees; see `LevelBounds`.
    var levels: LevelBounds
    /// Rises when the lists of trait children change, and when a label or a name does.
    private(set) var orderVersion: UInt64
    private(set) var labelVersion: UInt64
    /// Deleted nodes below which everything is dead and that can be freed. Not in a snapshot.
    private var reclaimable = PlainBuffer<Int32>()

    init(hashSeed: UInt64) {
        hotCells = Arena()
        linkCells = Arena()
        heightCells = Arena()
        recordCells = Arena()
        extras = Arena()
        names = IdentifierStore(seed: hashSeed)
        labels = SlotArray()
        firstFree = -1
        firstFreeExtra = -1
        liveCount = 0
        deadCount = 0
        bridgedCount = 0
        levels = LevelBounds()
        (orderVersion, labelVersion) = (0, 0)
        _ = hotCells.append(NodeHot(parent: -1))
        hotCells[0].filter = .max
        _ = linkCells.append(NodeLinks(kind: .environment, flags: []))
        _ = heightCells.append(0)
        _ = recordCells.append(0)
    }

    init(copying other: inout NodeTable, _ copies: inout SnapshotCopies) {
        linkCells = Arena(copying: &other.linkCells, &copies)
        heightCells = Arena(copying: &other.heightCells, &copies)
        hotCells = Arena(copying: &other.hotCells, &copies)
        recordCells = Arena(copying: &other.recordCells, &copies)
        names = IdentifierStore(copying: &other.names, &copies)
        extras = Arena(copying: &other.extras, &copies)
        labels = SlotArray(copying: &other.labels, &copies)
        firstFree = other.firstFree
        firstFreeExtra = other.firstFreeExtra
        liveCount = other.liveCount
        deadCount = other.deadCount
        bridgedCount = other.bridgedCount
        levels = other.levels
        (orderVersion, labelVersion) = (other.orderVersion, other.labelVersion)
    }

    // MARK: - Reading

    @inline(__always)
    subscript(node: Int32) -> NodeLinks { linkCells[node] }

    /// The trait parent; 0 for roots, -1 for the node above all roots.
    @inline(__always)
    func parent(of node: Int32) -> Int32 { hotCells[node].parent }

    @inline(__always)
    func hot(of node: Int32) -> NodeHot { hotCells[node] }

    // For walks: valid until a node is made.
    @inline(__always)
    var hot: Arena<NodeHot>.Reader { hotCells.reader }
    @inline(__always)
    var links: Arena<NodeLinks>.Reader { linkCells.reader }
    /// The nodes' records; 0, the record without values of the node above all roots, for none.
    @inline(__always)
    var records: Arena<Int32>.Reader { recordCells.reader }

    /// The node's record; -1 when it sets nothing.
    @inline(__always)
    func record(of node: Int32) -> Int32 {
        hotCells[node].hasRecord ? recordCells[node] : -1
    }

    /// At least the levels below the node, see `NodeHeight`.
    @inline(__always)
    func height(of node: Int32) -> UInt8 { heightCells[node] }

    @inline(__always)
    func extra(at extra: Int32) -> NodeExtra { extras[extra] }

    /// The extra of a node that has one.
    @inline(__always)
    func extra(of node: Int32) -> NodeExtra { extras[linkCells[node].extra] }

    func label(at slot: Int32) -> String? { labels[slot] }

    /// The slot of the node's label; -1 for none.
    func labelSlot(of node: Int32) -> Int32 {
        linkCells[node].extra < 0 ? -1 : extra(of: node).label
    }

    /// Nodes in use, dead and free ones, and the one above all roots.
    @inline(__always)
    var slotCount: Int { hotCells.count }

    /// Whether a node can be made in so many slots.
    func hasRoom(_ slotsMax: Int) -> Bool { firstFree >= 0 || hotCells.count < slotsMax }

    // MARK: - Making and freeing

    /// Makes a node as the last child of its trait parent.
    @inline(__always)
    mutating func make(
        _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash, _ kind: NodeKind,
        parent: Int32
    ) -> Int32 {
        let node = firstFree >= 0 ? firstFree : Int32(truncatingIfNeeded: hotCells.count)
        let link = NodeLinks(kind: kind, flags: .created)
        if firstFree >= 0 {
            firstFree = linkCells[node].next
            hotCells[node] = NodeHot(parent: parent)
            linkCells[node] = link
        } else {
            _ = hotCells.append(NodeHot(parent: parent))
            _ = recordCells.append(0)
            _ = heightCells.append(0)
            _ = linkCells.append(link)
        }
        insert(node, into: parent, behind: nil)
        names.insert(identifier, hash, at: node)
        liveCount += 1
        return node
    }

    /// A node that is alive, and in no list any more, is unmade: its name goes, `free` follows.
    mutating func unmake(_ node: Int32) {
        liveCount -= 1
        names.remove(node)
    }

    /// Frees a node that has no name, no record and is in no list.
    @inline(__always)
    mutating func free(_ node: Int32) {
        let extra = linkCells[node].extra
        if extra >= 0 {
            labels.remove(extras[extra].label)
            extras[extra] = NodeExtra()
            extras[extra].structuralNext = firstFreeExtra
            firstFreeExtra = extra
        }
        linkCells[node] = NodeLinks(next: firstFree, kind: .environment, flags: .free)
        hotCells[node] = NodeHot(parent: -1)
        heightCells[node] = 0
        firstFree = node
    }

    // MARK: - Flags and single fields

    /// The transaction changes a node that was there before it.
    @inline(__always)
    mutating func setTouched(_ node: Int32, _ isTouched: Bool) {
        if isTouched {
            linkCells[node].flags.insert(.touched)
        } else {
            linkCells[node].flags.remove(.touched)
        }
    }

    /// The transaction that made the node is over.
    mutating func clearCreated(_ node: Int32) { linkCells[node].flags.remove(.created) }

    @inline(__always)
    mutating func markDead(_ node: Int32) {
        linkCells[node].flags.insert(.dead)
        liveCount &-= 1
        deadCount &+= 1
    }

    mutating func unmarkDead(_ node: Int32) {
        linkCells[node].flags.remove(.dead)
        liveCount += 1
        deadCount -= 1
    }

    mutating func setWatch(_ node: Int32, _ watch: Int32) { linkCells[node].watch = watch }

    /// The node has a record; its filter says so once it is set.
    @inline(__always)
    mutating func setRecord(_ node: Int32, _ record: Int32) { recordCells[node] = record }

    @inline(__always)
    mutating func setFilter(_ node: Int32, _ filter: UInt8) {
        if hotCells[node].filter != filter { hotCells[node].filter = filter }
    }

    mutating func clearRecord(_ node: Int32) {
        hotCells[node].filter = 0
        recordCells[node] = 0
    }

    /// Replaces the node's label. Returns the slot of the former one, which stays in use.
    mutating func setLabel(_ node: Int32, _ label: String?) {
        let extra = ensureExtra(node)
        labelVersion &+= 1
        extras[extra].label = label.map { labels.insert($0) } ?? -1
    }

    /// Undoes `setLabel`: frees the present label, and the one in this slot is back.
    mutating func restoreLabel(_ node: Int32, _ slot: Int32) {
        let extra = linkCells[node].extra
        labelVersion &+= 1
        labels.remove(extras[extra].label)
        extras[extra].label = slot
    }

    mutating func freeLabel(_ slot: Int32) { labels.remove(slot) }

    /// Raises the heights of a node and those above it where they are too small. Returns whether
    /// one of them was high enough, and its height says something. O(`NodeHeight.max`).
    @discardableResult
    mutating func raiseHeights(from node: Int32, to least: UInt8) -> Bool {
        var height = min(least, NodeHeight.max)
        var index = node
        while index > 0, heightCells[index] < height {
            heightCells[index] = height
            levels.countWalked(1)
            height = min(height &+ 1, NodeHeight.max)
            index = hotCells[index].up
        }
        return index > 0 && heightCells[index] < NodeHeight.max
    }

    // MARK: - Names

    /// Gives a node with a name another one.
    mutating func rename(
        _ node: Int32, _ identifier: UnsafeRawBufferPointer, _ hash: IdentifierHash
    ) {
        labelVersion &+= 1
        names.remove(node)
        names.insert(identifier, hash, at: node)
    }

    mutating func removeName(_ node: Int32) { names.remove(node) }

    /// Makes the names of a snapshot findable. O(names).
    mutating func makeIndex() { names.makeIndex() }

    // MARK: - Reclaiming

    var hasReclaimable: Bool { !reclaimable.isEmpty }

    /// A dead node that is not among its parent's children cannot be restored any more.
    mutating func makeReclaimable(_ node: Int32) {
        // The sibling before it lives on.
        linkCells[node].previous = -1
        reclaimable.append(node)
    }

    @inline(__always)
    mutating func nextReclaimable() -> Int32? { reclaimable.popLast() }

    /// Before a dead node is freed: its last child and the sibling before it can be freed next.
    @inline(__always)
    mutating func makeReclaimable(below node: Int32) {
        let link = linkCells[node]
        if link.last >= 0 { reclaimable.append(link.last) }
        if link.previous >= 0 { reclaimable.append(link.previous) }
        if link.flags.contains(.bridged) { bridgedCount &-= 1 }
        deadCount &-= 1
    }

    // MARK: - Bytes

    /// Bytes in use, names included.
    var byteCount: Int {
        hotCells.byteCount + recordCells.byteCount + linkCells.byteCount + heightCells.byteCount
            + extras.byteCount + names.byteCount
    }

    /// Bytes that it takes of the process's memory, about, without names.
    var heldBytes: Int {
        hotCells.heldBytes &+ recordCells.heldBytes &+ linkCells.heldBytes
            &+ heightCells.heldBytes &+ extras.heldBytes &+ labels.heldBytes
    }

    /// The first thing wrong with counts and free lists; nil when all is well. `labelled` is how
    /// many labels nodes and the undo log hold, which a snapshot does not have. O(nodes).
    func fault(labelled: Int, isSnapshot: Bool) -> String? {
        var (free, dead, bridged, node) = (0, 0, 0, firstFree)
        while node >= 0 {
            if linkCells[node].flags != .free { return "a node in the free list is in use" }
            (free, node) = (free + 1, linkCells[node].next)
        }
        for node in 1..<Int32(max(linkCells.count, 1)) {
            if linkCells[node].flags.contains(.dead) { dead += 1 }
            if linkCells[node].flags.contains(.bridged) { bridged += 1 }
            if !hotCells[node].hasRecord, recordCells[node] != 0 {
                return "a record without values"
            }
        }
        if dead != deadCount { return "\(dead) dead nodes, \(deadCount) counted" }
        if bridged != bridgedCount { return "\(bridged) bridged nodes, \(bridgedCount) counted" }
        let count = linkCells.count
        if free + dead + liveCount + 1 != count { return "nodes leaked from \(count)" }
        if [hotCells.count, recordCells.count, heightCells.count] != [count, count, count] {
            return "two lengths of nodes"
        }
        if names.count != liveCount + deadCount { return "\(names.count) names of nodes" }
        if !isSnapshot, labels.count != labelled {
            return "\(labels.count) labels, \(labelled) held"
        }
        return names.fault.map { "index of names: \($0)" }
    }
}

// MARK: - Lists of children, and the structural tree

extension NodeTable {
    /// The first trait child; -1 for none. Its siblings follow by `next` until that is below 0.
    @inline(__always)
    func firstChild(of node: Int32) -> Int32 {
        let last = linkCells[node].last
        return last < 0 ? -1 : ~linkCells[last].next
    }

    /// Puts a node that is in no list among a trait parent's children, behind `previous`, or first
    /// for -1, or last for nil.
    mutating func insert(_ node: Int32, into parent: Int32, behind previous: Int32?) {
        hotCells[node].parent = parent
        orderVersion &+= 1
        let last = linkCells[parent].last
        if last < 0 {
            linkCells[parent].last = node
            linkCells[node].previous = -1
            linkCells[node].next = ~node
            return
        }
        let before = previous ?? last
        linkCells[node].previous = before
        if before < 0 {
            let first = ~linkCells[last].next
            linkCells[node].next = first
            linkCells[first].previous = node
            linkCells[last].next = ~node
            return
        }
        let next = linkCells[before].next
        linkCells[before].next = node
        linkCells[node].next = next
        if next < 0 { linkCells[parent].last = node } else { linkCells[next].previous = node }
    }

    /// Takes a node out of its trait parent's children; its own parent field stays as it was.
    /// Returns the sibling before it, -1 for none.
    mutating func remove(_ node: Int32) -> Int32 {
        let parent = hotCells[node].parent
        orderVersion &+= 1
        let (next, previous) = (linkCells[node].next, linkCells[node].previous)
        // Of an only child `previous` is -1.
        if next < 0 {
            linkCells[parent].last = previous
        } else {
            linkCells[next].previous = previous
        }
        if previous >= 0 {
            linkCells[previous].next = next
        } else if next >= 0 {
            let last = linkCells[parent].last
            linkCells[last].next = ~next
        }
        return previous
    }

    /// Marks the node as bridged if its structural parent is not its trait parent.
    mutating func addBridge(_ node: Int32, _ structural: Int32) {
        if structural == hotCells[node].parent { return }
        let extra = ensureExtra(node)
        linkCells[node].flags.insert(.bridged)
        bridgedCount += 1
        extras[extra].structuralParent = structural
        enlist(node)
    }

    mutating func removeBridge(_ node: Int32) {
        guard linkCells[node].flags.contains(.bridged) else { return }
        delist(node)
        linkCells[node].flags.remove(.bridged)
        bridgedCount -= 1
        extras[linkCells[node].extra].structuralParent = 0
    }

    /// Puts a bridged node into the list of its structural parent.
    mutating func enlist(_ node: Int32) {
        let extra = linkCells[node].extra
        let parent = extras[extra].structuralParent
        extras[extra].structuralPrevious = -1
        extras[extra].structuralNext = -1
        if parent == 0 { return }
        let parentExtra = ensureExtra(parent)
        let first = extras[parentExtra].structuralFirst
        extras[extra].structuralNext = first
        if first >= 0 { extras[linkCells[first].extra].structuralPrevious = node }
        extras[parentExtra].structuralFirst = node
    }

    mutating func delist(_ node: Int32) {
        let extra = extra(of: node)
        if extra.structuralParent == 0 { return }
        if extra.structuralNext >= 0 {
            extras[linkCells[extra.structuralNext].extra].structuralPrevious =
                extra.structuralPrevious
        }
        if extra.structuralPrevious >= 0 {
            extras[linkCells[extra.structuralPrevious].extra].structuralNext = extra.structuralNext
        } else {
            extras[linkCells[extra.structuralParent].extra].structuralFirst = extra.structuralNext
        }
    }

    /// Gives a view a controller that has no view, or none (-1).
    mutating func setPeer(_ view: Int32, _ controller: Int32) {
        let extra = ensureExtra(view)
        let old = extras[extra].peer
        if old >= 0 { extras[linkCells[old].extra].peer = -1 }
        extras[extra].peer = controller
        if controller >= 0 {
            let other = ensureExtra(controller)
            extras[other].peer = view
        }
    }

    /// The node's extra, made if it has none.
    private mutating func ensureExtra(_ node: Int32) -> Int32 {
        let known = linkCells[node].extra
        if known >= 0 { return known }
        let extra: Int32
        if firstFreeExtra >= 0 {
            extra = firstFreeExtra
            firstFreeExtra = extras[extra].structuralNext
            extras[extra] = NodeExtra()
        } else {
            extra = extras.append(NodeExtra())
        }
        linkCells[node].extra = extra
        return extra
    }
}
