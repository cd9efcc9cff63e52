// Tracked scopes: by slot, by node and name, and in the order in which they were first set.

/// The stored data of a tracked scope.
///
/// Hidden registrations notify a scope: one on its node, and for controllers one on each view
/// directly inside. They follow from the scope and the trait tree, so the undo log does not store
/// them. A stale scope has them, too.
struct Scope {
    let node: Int32
    /// Whether the scope covers the views directly inside of its node.
    let coversViews: Bool
    /// Rises in the order in which scopes were first set.
    let order: UInt64
    let name: String
    var reads: TraitSet
    var revision: Int64
    var isStale = false
    /// False between the commit that ended it and that commit's acknowledgement.
    fileprivate(set) var isAlive = true
    /// The first of its registrations, linked through `nextOfScope`; -1 for none.
    var first: Int32 = -1
}

struct ScopeTable: ~Copyable {
    /// Scopes that are alive, and ended ones until they are freed.
    private var cells: SlotArray<Scope>
    /// Scopes that are alive, armed or stale.
    private(set) var count: Int
    /// Those that cover views.
    private(set) var coveringCount: Int
    private var nextOrder: UInt64
    // Not in a snapshot, which finds scopes by their registrations and in the order of their slots.
    /// Scopes as they were, for the undo log.
    private var copies = SlotArray<Scope>()
    /// Scopes that are alive, by node and name.
    private var index = HashIndex()
    /// By scope.
    private var links = Arena<Link>()
    private var first: Int32 = -1
    /// The newest scope that is alive; -1 for none.
    private(set) var last: Int32 = -1

    /// Neighbours among the scopes that are alive, in their order.
    private struct Link: BitwiseCopyable {
        var earlier: Int32 = -1
        var later: Int32 = -1
    }

    init() {
        cells = SlotArray()
        count = 0
        coveringCount = 0
        nextOrder = 1
    }

    init(copying other: inout ScopeTable, _ copies: inout SnapshotCopies) {
        cells = SlotArray(copying: &other.cells, &copies)
        count = other.count
        coveringCount = other.coveringCount
        nextOrder = other.nextOrder
    }

    // MARK: - Reading

    /// A scope that is alive, or ended and not yet freed.
    subscript(scope: Int32) -> Scope? { cells[scope] }

    /// The scope of that node and name. Not for snapshots. O(length of the name).
    func find(_ node: Int32, _ name: String) -> Int32? {
        index.find(Self.hash(node, name)) { hasName($0, node, name) }
    }

    /// Whether a scope belongs to a node and has that name, byte by byte.
    func hasName(_ scope: Int32, _ node: Int32, _ name: String) -> Bool {
        guard let cell = cells[scope] else { return false }
        return cell.node == node && cell.name.utf8.elementsEqual(name.utf8)
    }

    /// Scopes that are alive, in their order. O(n log n).
    var inOrder: [Int32] {
        (0..<Int32(truncatingIfNeeded: cells.slotCount))
            .compactMap { slot in cells[slot].map { (slot, $0) } }
            .filter { $0.1.isAlive }
            .sorted { $0.1.order < $1.1.order }.map(\.0)
    }

    /// The neighbours of a scope that is alive; -1 for none. Not for snapshots.
    func neighbours(of scope: Int32) -> (earlier: Int32, later: Int32) {
        (links[scope].earlier, links[scope].later)
    }

    /// The scope that comes after another one, -1 for the first. Not for snapshots.
    func later(than earlier: Int32) -> Int32 { earlier < 0 ? first : links[earlier].later }

    /// Bytes that it takes of the process's memory, about, without names.
    var heldBytes: Int {
        cells.heldBytes &+ copies.heldBytes &+ index.byteCount &+ links.heldBytes
    }

    // MARK: - Changing

    /// Makes a scope, which is not yet alive: `enlist` is to follow.
    mutating func make(
        _ node: Int32, _ name: String, coversViews: Bool, reads: TraitSet, revision: Int64
    ) -> Int32 {
        defer { nextOrder += 1 }
        return cells.insert(
            Scope(
                node: node, coversViews: coversViews, order: nextOrder, name: name, reads: reads,
                revision: revision, isAlive: false))
    }

    /// Changes what a scope reads, its state or its registrations.
    mutating func replace(_ index: Int32, _ scope: Scope) { cells.replace(index, scope) }

    /// Makes a scope alive, behind an earlier one; -1 for the first place.
    mutating func enlist(_ scope: Int32, behind earlier: Int32) {
        setAlive(scope, true)
        while links.count <= Int(scope) { _ = links.append(Link()) }
        let later = later(than: earlier)
        links[scope] = Link(earlier: earlier, later: later)
        if earlier < 0 { first = scope } else { links[earlier].later = scope }
        if later < 0 { last = scope } else { links[later].earlier = scope }
    }

    /// Ends a scope; its slot stays until `remove`.
    mutating func delist(_ scope: Int32) {
        setAlive(scope, false)
        let link = links[scope]
        if link.earlier < 0 { first = link.later } else { links[link.earlier].later = link.later }
        if link.later < 0 { last = link.earlier } else { links[link.later].earlier = link.earlier }
    }

    private mutating func setAlive(_ scope: Int32, _ isAlive: Bool) {
        guard var cell = cells[scope] else { return }
        cell.isAlive = isAlive
        cells.replace(scope, cell)
        let hash = Self.hash(cell.node, cell.name)
        if isAlive { index.insert(hash, scope) } else { index.remove(hash, scope) }
        count += isAlive ? 1 : -1
        if cell.coversViews { coveringCount += isAlive ? 1 : -1 }
    }

    /// Frees the slot of a scope that has ended.
    mutating func remove(_ scope: Int32) { cells.remove(scope) }

    private static func hash(_ node: Int32, _ name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(node)
        hasher.combine(name)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    // MARK: - Copies for the undo log

    mutating func storeCopy(_ scope: Scope) -> Int32 { copies.insert(scope) }

    /// Takes a copy out.
    @discardableResult
    mutating func takeCopy(_ copy: Int32) -> Scope? { copies.remove(copy) }

    // MARK: - Invariants

    /// The first thing wrong; nil when all is well. `ended` and `copied` are what the undo log
    /// holds. Not for snapshots. O(scopes).
    func fault(ended: Int, copied: Int) -> String? {
        let alive = inOrder
        if alive.count != count { return "\(alive.count) scopes, \(count) counted" }
        if alive.count(where: { cells[$0]?.coversViews == true }) != coveringCount {
            return "covering scopes miscounted"
        }
        if cells.count != count + ended { return "scopes leaked" }
        if copies.count != copied { return "copies of scopes leaked" }
        if index.count != count { return "\(index.count) scopes in the index" }
        if let fault = index.fault { return "index of scopes: \(fault)" }
        var earlier: Int32 = -1
        for scope in alive {
            if later(than: earlier) != scope || links[scope].earlier != earlier {
                return "scopes out of line"
            }
            guard let cell = cells[scope], find(cell.node, cell.name) == scope else {
                return "a scope is not found by its name"
            }
            earlier = scope
        }
        return last == earlier ? nil : "the last scope is another"
    }
}
