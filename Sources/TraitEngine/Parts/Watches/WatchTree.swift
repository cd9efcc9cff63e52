// The tree of watch nodes: the nodes of the trait tree with a registration at or below them. A
// walk for notifications visits only these, and ends at a nearer override.

/// A node with a registration or watch at or below it: one cache line, which is all that a walk
/// reads of a node with a single registration.
struct WatchNode: BitwiseCopyable {
    /// Traits watched here or deeper; may have bits too many, never too few.
    var below: UInt64 = 0
    /// Traits watched here; likewise.
    var own: UInt64 = 0
    /// A copy of the mask of the node's record.
    var overrides: UInt64 = 0
    /// The order of the only registration or watch on the node, if it is not hidden and its traits
    /// are below 64; `own` is then exact. Else 0.
    var onlyOrder: UInt64 = 0
    var node: Int32
    var parent: Int32 = -1
    /// First child among watch nodes, in no order; of a node with many the top of their groups.
    var first: Int32 = -1
    /// The next child of the parent; where it has many, this one's slot in their groups.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// First registration or watch on the node.
    var firstRegistration: Int32 = -1
    /// Children among watch nodes.
    var childCount: Int32 = 0
    var flags: WatchFlags = []
}

struct WatchFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// The transaction changed the node, and that was not compared yet.
    static let pending = WatchFlags(rawValue: 1)
    /// The children are in groups, see `WatchGroups`.
    static let grouped = WatchFlags(rawValue: 2)
    /// Bits of `below` may stand for traits from 64 on, so the node's values hide none of them.
    static let folded = WatchFlags(rawValue: 4)
}

/// Children are a list while they are few, groups by trait beyond.
///
/// A group has the watched traits of a child without those that the child's own values hide. What
/// these are is given by the caller, as the exact mask of the traits below 64 that a node sets.
struct WatchTree: ~Copyable {
    private var cells: Arena<WatchNode>
    private var firstFree: Int32
    private var groups = WatchGroups()

    typealias OwnTraits = (_ node: Int32) -> UInt64

    init() {
        cells = Arena()
        firstFree = -1
    }

    init(copying other: inout WatchTree, _ copies: inout SnapshotCopies) {
        cells = Arena(copying: &other.cells, &copies)
        firstFree = other.firstFree
    }

    // MARK: - Reading

    @inline(__always)
    subscript(watch: Int32) -> WatchNode { cells[watch] }

    /// For walks: valid until a watch node is made.
    var reader: Arena<WatchNode>.Reader { cells.reader }

    /// Watch nodes in use and free ones.
    var slotCount: Int { cells.count }

    var byteCount: Int { cells.byteCount + groups.byteCount }
    var heldBytes: Int { cells.heldBytes &+ groups.byteCount }

    /// Of a node with grouped children: the traits for which these are to be visited or hidden.
    func knownBelow(_ node: WatchNode) -> UInt64 {
        groups.union(of: node.first) | groups.hidden(in: node.first)
    }

    /// Finds the grouped children that ask for one of the traits (folded): they are at the end of
    /// `found`, and the answer is where. Its lower bound is how many groups were entered.
    @inline(__always)
    func search(
        _ node: WatchNode, for traits: UInt64, _ found: inout ContiguousArray<Int32>
    ) -> Range<Int> {
        groups.search(node.first, count: node.childCount, for: traits, &found)
    }

    /// All children of a watch node. O(children).
    func children(of node: WatchNode) -> [Int32] {
        if node.flags.contains(.grouped) {
            return groups.children(of: node.first, count: node.childCount)
        }
        var children: [Int32] = []
        var child = node.first
        while child >= 0 {
            children.append(child)
            child = cells[child].next
        }
        return children
    }

    // MARK: - Watch nodes

    /// A watch node without parent, children and registrations; `overrides` is the mask of the
    /// node's record.
    mutating func make(_ node: Int32, overrides: UInt64) -> Int32 {
        var new = WatchNode(node: node)
        new.overrides = overrides
        if firstFree < 0 { return cells.append(new) }
        let watch = firstFree
        firstFree = cells[watch].next
        cells[watch] = new
        return watch
    }

    /// Frees a watch node without parent, children and registrations.
    mutating func free(_ watch: Int32) {
        cells[watch] = WatchNode(node: -1)
        cells[watch].next = firstFree
        firstFree = watch
    }

    /// The registrations on the node have changed.
    mutating func setRegistrations(
        _ watch: Int32, first: Int32, own: UInt64, onlyOrder: UInt64
    ) {
        cells[watch].firstRegistration = first
        cells[watch].own = own
        cells[watch].onlyOrder = onlyOrder
    }

    /// A walk has seen all registrations on the node.
    mutating func setOwn(_ watch: Int32, _ own: UInt64) { cells[watch].own = own }

    /// The node's values have changed.
    @inline(__always)
    mutating func setOverrides(_ watch: Int32, _ mask: UInt64, _ ownTraits: OwnTraits) {
        cells[watch].overrides = mask
        refreshGroup(of: watch, ownTraits)
    }

    /// The transaction has changed the node, or that was compared.
    mutating func setPending(_ watch: Int32, _ isPending: Bool, _ ownTraits: OwnTraits) {
        if isPending {
            cells[watch].flags.insert(.pending)
        } else {
            cells[watch].flags.remove(.pending)
        }
        refreshGroup(of: watch, ownTraits)
    }

    /// Adds traits that are watched at or below to all watch nodes from here up. O(levels that lack
    /// some of them).
    mutating func raise(
        _ watch: Int32, _ traits: UInt64, isFolded: Bool, _ ownTraits: OwnTraits
    ) {
        let flags: WatchFlags = isFolded ? .folded : []
        var index = watch
        while index >= 0 {
            let node = cells[index]
            if node.below & traits == traits, node.flags.isSuperset(of: flags) { return }
            cells[index].below |= traits
            cells[index].flags.formUnion(flags)
            refreshGroup(of: index, ownTraits)
            index = node.parent
        }
    }

    /// A walk has seen all children: clears the bits of former ones.
    mutating func clearBelow(_ watch: Int32, _ traits: UInt64, _ ownTraits: OwnTraits) {
        cells[watch].below &= ~traits
        refreshGroup(of: watch, ownTraits)
    }

    // MARK: - Children

    /// Adds a watch node that has no parent. O(1), and O(levels of groups) among many.
    mutating func insert(
        _ child: Int32, below parent: Int32, listedMax: Int32, _ ownTraits: OwnTraits
    ) {
        cells[child].parent = parent
        if cells[parent].flags.contains(.grouped) {
            appendToGroups(child, of: parent, ownTraits)
        } else {
            insertIntoList(child, of: parent)
            if cells[parent].childCount > listedMax { groupChildren(of: parent, ownTraits) }
        }
    }

    mutating func remove(_ child: Int32, listedMax: Int32) {
        let parent = cells[child].parent
        cells[child].parent = -1
        if cells[parent].flags.contains(.grouped) {
            removeFromGroups(child, of: parent)
            // Not at `listedMax`: one child that comes and goes must not regroup all others each
            // time.
            if cells[parent].childCount <= listedMax / 2 { listChildren(of: parent) }
        } else {
            removeFromList(child, of: parent)
        }
    }

    private mutating func insertIntoList(_ child: Int32, of parent: Int32) {
        let first = cells[parent].first
        cells[child].previous = -1
        cells[child].next = first
        if first >= 0 { cells[first].previous = child }
        cells[parent].first = child
        cells[parent].childCount &+= 1
    }

    private mutating func removeFromList(_ child: Int32, of parent: Int32) {
        let node = cells[child]
        if node.next >= 0 { cells[node.next].previous = node.previous }
        if node.previous >= 0 {
            cells[node.previous].next = node.next
        } else {
            cells[parent].first = node.next
        }
        cells[parent].childCount &-= 1
    }

    // MARK: - Groups

    private mutating func appendToGroups(
        _ child: Int32, of parent: Int32, _ ownTraits: OwnTraits
    ) {
        let (top, count) = (cells[parent].first, cells[parent].childCount)
        let asked = wantedOfParent(child, ownTraits)
        let place = groups.append(child, asked.mask, to: top, count: count)
        groups.noteHidden(asked.hidden, in: place.top)
        cells[child].next = place.slot
        cells[child].previous = -1
        cells[parent].first = place.top
        cells[parent].childCount = count &+ 1
    }

    private mutating func removeFromGroups(_ child: Int32, of parent: Int32) {
        let (top, count) = (cells[parent].first, cells[parent].childCount)
        let slot = cells[child].next
        let outcome = groups.remove(slot, from: top, count: count)
        if outcome.moved >= 0 { cells[outcome.moved].next = slot }
        cells[parent].first = outcome.top
        cells[parent].childCount = count &- 1
    }

    private mutating func groupChildren(of parent: Int32, _ ownTraits: OwnTraits) {
        var child = cells[parent].first
        cells[parent].first = groups.makeTree()
        cells[parent].childCount = 0
        cells[parent].flags.insert(.grouped)
        while child >= 0 {
            let next = cells[child].next
            appendToGroups(child, of: parent, ownTraits)
            child = next
        }
    }

    private mutating func listChildren(of parent: Int32) {
        let (top, count) = (cells[parent].first, cells[parent].childCount)
        let children = groups.children(of: top, count: count)
        groups.release(tree: top, count: count)
        cells[parent].first = -1
        cells[parent].childCount = 0
        cells[parent].flags.remove(.grouped)
        for child in children { insertIntoList(child, of: parent) }
    }

    /// The mask of a child's slot: the traits watched at or below it that its own values do not
    /// hide. A pending child must be visited in any case.
    private func wantedOfParent(
        _ child: Int32, _ ownTraits: OwnTraits
    ) -> (mask: UInt64, hidden: UInt64) {
        let watch = cells[child]
        if watch.overrides & watch.below == 0 || !watch.flags.isDisjoint(with: [.folded, .pending])
        {
            return (watch.below, 0)
        }
        let own = ownTraits(watch.node)
        return (watch.below & ~own, watch.below & own)
    }

    /// Updates the groups that a watch node is in, if any, after its watched traits changed.
    @inline(__always)
    private mutating func refreshGroup(of watch: Int32, _ ownTraits: OwnTraits) {
        let parent = cells[watch].parent
        guard parent >= 0, cells[parent].flags.contains(.grouped) else { return }
        setWanted(watch, parent, ownTraits)
    }

    @inline(never)
    private mutating func setWanted(_ watch: Int32, _ parent: Int32, _ ownTraits: OwnTraits) {
        let asked = wantedOfParent(watch, ownTraits)
        groups.setMask(cells[watch].next, asked.mask)
        groups.noteHidden(asked.hidden, in: cells[parent].first)
    }

    // MARK: - Invariants

    /// The first thing wrong with lists and groups of children, when `used` are the watch nodes in
    /// use; nil when all is well. A snapshot has no groups. O(watch nodes).
    func fault(
        used: [Int32], listedMax: Int32, isSnapshot: Bool, _ ownTraits: OwnTraits
    ) -> String? {
        var (groupCount, free) = (0, 0)
        for watch in used {
            if !cells[watch].flags.contains(.grouped) {
                if let fault = listFault(watch, listedMax) { return fault }
            } else if !isSnapshot {
                if let fault = groupFault(watch, listedMax, ownTraits) { return fault }
                groupCount += WatchGroups.groupCount(cells[watch].childCount)
            }
        }
        var watch = firstFree
        while watch >= 0 { (free, watch) = (free + 1, cells[watch].next) }
        if free + used.count != cells.count { return "watch nodes leaked" }
        return groupCount + groups.freeCount == groups.groupCount ? nil : "watch groups leaked"
    }

    private func listFault(_ watch: Int32, _ listedMax: Int32) -> String? {
        let parent = cells[watch]
        var (child, previous, count) = (parent.first, Int32(-1), 0)
        while child >= 0 {
            let cell = cells[child]
            if cell.parent != watch || cell.previous != previous {
                return "a broken list of watched children"
            }
            if cell.below & ~parent.below != 0 { return "a parent knows less than a child" }
            (previous, child, count) = (child, cell.next, count + 1)
        }
        let isCounted = count == parent.childCount && count <= listedMax
        return isCounted ? nil : "\(count) watched children in a list"
    }

    private func groupFault(
        _ watch: Int32, _ listedMax: Int32, _ ownTraits: OwnTraits
    ) -> String? {
        let parent = cells[watch]
        let children = groups.children(of: parent.first, count: parent.childCount)
        if children.count != parent.childCount || parent.childCount <= listedMax / 2 {
            return "\(children.count) watched children in groups, \(parent.childCount) counted"
        }
        if groups.brokenSlot(of: parent.first, count: parent.childCount) != nil {
            return "a group lies"
        }
        let hidden = groups.hidden(in: parent.first)
        for child in children {
            let asked = wantedOfParent(child, ownTraits)
            if cells[child].parent != watch || groups.mask(cells[child].next) != asked.mask {
                return "a group asks for something else"
            }
            if asked.hidden & ~hidden != 0 { return "a child hides what its parent does not know" }
            if cells[child].below & ~parent.below != 0 { return "a parent knows less than a child" }
        }
        return nil
    }
}
