// Registrations: named ones in the order in which they were made, watches by node and traits, and
// hidden ones of scopes, colours and images.

/// A registration or a watch.
struct Registration: BitwiseCopyable {
    /// Its traits, folded (trait modulo 64): exact while all are below 64.
    var mask: UInt64
    /// The order in which registrations were made.
    var order: UInt64
    /// The revision of the commit that made it; of a watch the revision at the time; of a hidden
    /// one that came back by undo 0.
    var createdRevision: Int64
    var node: Int32
    // Neighbours on the same node, in no order.
    var next: Int32 = -1
    var previous: Int32 = -1
    // Neighbours among all named registrations, in their order.
    var laterRegistration: Int32 = -1
    var earlierRegistration: Int32 = -1
    /// The slot of its traits if there are some from 64 on; -1.
    var wide: Int32 = -1
    var role: Role
    var state: State = .alive

    enum Role: BitwiseCopyable {
        case named
        /// A named registration with colours or images: the slot of what it names.
        case namedDynamic(Int32)
        /// A watch, and how often it was requested.
        case watch(requests: Int32)
        /// A hidden registration of a scope.
        case scope(Int32)
        /// The hidden registration of a registration that names colours or images.
        case dynamics(Int32)
    }

    enum State: UInt8, BitwiseCopyable {
        case alive
        /// Ended by a commit that is not yet acknowledged.
        case ended
        /// In the free list.
        case free
    }

    @inline(__always)
    var isWatch: Bool { if case .watch = role { true } else { false } }

    /// Belongs to a scope, or to a registration that names colours or images.
    @inline(__always)
    var isHidden: Bool {
        switch role {
        case .scope, .dynamics: true
        case .named, .namedDynamic, .watch: false
        }
    }

    /// The scope of a hidden registration.
    var scope: Int32? { if case .scope(let scope) = role { scope } else { nil } }

    /// The slot of the colours and images that a registration names; -1 for none.
    var dynamics: Int32 { if case .namedDynamic(let slot) = role { slot } else { -1 } }

    /// Of a scope's registration the next one of the same scope; -1 for none. Shares its place with
    /// a link that hidden registrations do not need.
    fileprivate(set) var nextOfScope: Int32 {
        get { earlierRegistration }
        set { earlierRegistration = newValue }
    }
}

struct RegistrationTable: ~Copyable {
    private var cells: Arena<Registration>
    private var wideTraits: SlotArray<TraitSet>
    private var names: IdentifierStore
    private var firstFree: Int32
    /// The oldest named registration that is alive; -1 for none.
    private(set) var first: Int32
    private(set) var last: Int32
    private(set) var nextOrder: UInt64
    /// Named ones that are alive.
    private(set) var namedCount: Int
    private(set) var watchCount: Int
    private(set) var hiddenCount: Int
    /// Watches by node and traits; a snapshot has none.
    private var watchIndex = HashIndex()

    init(hashSeed: UInt64) {
        cells = Arena()
        wideTraits = SlotArray()
        names = IdentifierStore(seed: hashSeed)
        firstFree = -1
        first = -1
        last = -1
        nextOrder = 1
        namedCount = 0
        watchCount = 0
        hiddenCount = 0
    }

    init(copying other: inout RegistrationTable, _ copies: inout SnapshotCopies) {
        cells = Arena(copying: &other.cells, &copies)
        wideTraits = SlotArray(copying: &other.wideTraits, &copies)
        names = IdentifierStore(copying: &other.names, &copies)
        firstFree = other.firstFree
        first = other.first
        last = other.last
        nextOrder = other.nextOrder
        namedCount = other.namedCount
        watchCount = other.watchCount
        hiddenCount = other.hiddenCount
    }

    // MARK: - Reading

    @inline(__always)
    subscript(index: Int32) -> Registration { cells[index] }

    /// For walks: valid until a registration is added.
    var reader: Arena<Registration>.Reader { cells.reader }

    /// All that are alive.
    var aliveCount: Int { namedCount + watchCount + hiddenCount }

    /// Indices in use and free ones.
    var indices: Range<Int32> { 0..<Int32(truncatingIfNeeded: cells.count) }

    /// The traits of a registration. O(1), and O(words) with traits from 64 on.
    func traits(of index: Int32) -> TraitSet {
        wideTraits(of: cells[index]) ?? TraitSet(word: cells[index].mask)
    }

    /// The traits of a registration with traits from 64 on; nil for others.
    func wideTraits(of registration: Registration) -> TraitSet? { wideTraits[registration.wide] }

    /// The named registration that is alive. O(length of the name) expected.
    func find(_ name: UnsafeRawBufferPointer) -> Int32? {
        let cells = cells.reader
        return names.find(name) { cells[$0].state == .alive }
    }

    /// The watch of these traits at a node. O(traits).
    func findWatch(_ node: Int32, _ traits: TraitSet) -> Int32? {
        let cells = cells.reader
        return watchIndex.find(Self.watchHash(node, traits)) {
            cells[$0].node == node && self.traits(of: $0) == traits
        }
    }

    /// The name of a named registration.
    func name(of index: Int32) -> String { names.string(of: index) }

    /// The bytes of the name of a named registration, valid inside `body` only.
    func withName<R>(of index: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        names.withBytes(of: index, body)
    }

    var nameHeldBytes: Int { names.heldBytes }
    /// Bytes that it takes of the process's memory, about, without names.
    var heldBytes: Int { cells.heldBytes &+ wideTraits.heldBytes &+ watchIndex.byteCount }
    /// Bytes in use, names included.
    var byteCount: Int { cells.byteCount + names.byteCount }

    // MARK: - Making

    /// Makes a registration that is alive; `enter` is to follow for named ones.
    mutating func add(
        _ node: Int32, _ traits: TraitSet, _ createdRevision: Int64, _ role: Registration.Role
    ) -> Int32 {
        var new = Registration(
            mask: traits.folded, order: nextOrder, createdRevision: createdRevision, node: node,
            role: role)
        nextOrder += 1
        if traits.wordCount > 1 { new.wide = wideTraits.insert(traits) }
        let index: Int32
        if firstFree >= 0 {
            index = firstFree
            firstFree = cells[index].next
            cells[index] = new
        } else {
            index = cells.append(new)
        }
        if new.isHidden { hiddenCount += 1 }
        if new.isWatch { enterWatch(index) }
        return index
    }

    /// Changes the traits of a registration that is no watch.
    mutating func setTraits(of index: Int32, _ traits: TraitSet) {
        wideTraits.remove(cells[index].wide)
        cells[index].mask = traits.folded
        cells[index].wide = traits.wordCount > 1 ? wideTraits.insert(traits) : -1
    }

    /// Names a registration and makes it the last of all.
    mutating func enter(_ index: Int32, _ name: UnsafeRawBufferPointer) {
        names.insert(name, names.hash(name), at: index)
        enlist(index, behind: last)
    }

    private mutating func enterWatch(_ index: Int32) {
        watchCount += 1
        watchIndex.insert(watchHash(index), index)
    }

    /// For a state that is loaded.
    mutating func setCreatedRevision(_ index: Int32, _ revision: Int64) {
        cells[index].createdRevision = revision
    }

    /// A watch is requested once more.
    mutating func request(_ watch: Int32) {
        if case .watch(let requests) = cells[watch].role {
            cells[watch].role = .watch(requests: requests + 1)
        }
    }

    /// A request of a watch ends. True when it was the last one.
    mutating func withdraw(_ watch: Int32) -> Bool {
        guard case .watch(let requests) = cells[watch].role, requests > 1 else { return true }
        cells[watch].role = .watch(requests: requests - 1)
        return false
    }

    /// Puts a scope's registration before another one of the same scope.
    mutating func setNextOfScope(_ index: Int32, _ next: Int32) { cells[index].nextOfScope = next }

    // MARK: - The list of a node

    /// Puts a registration before the first of its node.
    mutating func push(_ index: Int32, before first: Int32) {
        cells[index].previous = -1
        cells[index].next = first
        if first >= 0 { cells[first].previous = index }
    }

    /// Removes a registration from its node's list, which began with `first`. Returns the new first one.
    mutating func unlink(_ index: Int32, first: Int32) -> Int32 {
        let cell = cells[index]
        if cell.next >= 0 { cells[cell.next].previous = cell.previous }
        if cell.previous < 0 { return cell.next }
        cells[cell.previous].next = cell.next
        return first
    }

    // MARK: - Ending

    /// Ends a registration or watch; its slot and its name stay until `free`.
    mutating func end(_ index: Int32) {
        cells[index].state = .ended
        switch cells[index].role {
        case .scope, .dynamics: hiddenCount -= 1
        case .watch:
            watchCount -= 1
            watchIndex.remove(watchHash(index), index)
        case .named, .namedDynamic: delist(index)
        }
    }

    /// Undoes `end`; `earlier` is the one before it among all named ones.
    mutating func revive(_ index: Int32, behind earlier: Int32) {
        cells[index].state = .alive
        if cells[index].isWatch { enterWatch(index) } else { enlist(index, behind: earlier) }
    }

    /// An ended watch is not to come back: `free` remains to be done when its end is undone.
    mutating func abandon(_ watch: Int32) { cells[watch].state = .free }

    mutating func free(_ index: Int32) {
        let freed = cells[index]
        if !freed.isWatch, !freed.isHidden { names.remove(index) }
        wideTraits.remove(freed.wide)
        cells[index].wide = -1
        cells[index].state = .free
        cells[index].next = firstFree
        firstFree = index
    }

    private mutating func enlist(_ index: Int32, behind earlier: Int32) {
        let later = earlier < 0 ? first : cells[earlier].laterRegistration
        cells[index].earlierRegistration = earlier
        cells[index].laterRegistration = later
        if earlier < 0 { first = index } else { cells[earlier].laterRegistration = index }
        if later < 0 { last = index } else { cells[later].earlierRegistration = index }
        namedCount += 1
    }

    private mutating func delist(_ index: Int32) {
        let (earlier, later) = (cells[index].earlierRegistration, cells[index].laterRegistration)
        if earlier < 0 { first = later } else { cells[earlier].laterRegistration = later }
        if later < 0 { last = earlier } else { cells[later].earlierRegistration = earlier }
        namedCount -= 1
    }

    // MARK: - The index of watches

    private func watchHash(_ watch: Int32) -> UInt64 {
        Self.watchHash(cells[watch].node, traits(of: watch))
    }

    private static func watchHash(_ node: Int32, _ traits: TraitSet) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(node)
        hasher.combine(traits)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Makes the names of a snapshot findable. O(names).
    mutating func makeIndex() { names.makeIndex() }

    // MARK: - Invariants

    /// The first thing wrong; nil when all is well. A snapshot has no index of watches.
    /// O(registrations).
    func fault(isSnapshot: Bool) -> String? {
        if let fault = names.fault { return "index of names: \(fault)" }
        var (named, alive, watches, hidden) = (0, 0, 0, 0)
        for index in indices where cells[index].state != .free {
            let cell = cells[index]
            if !cell.isWatch, !cell.isHidden { named += 1 }
            if cell.state != .alive { continue }
            if cell.isHidden {
                hidden += 1
            } else if cell.isWatch {
                watches += 1
                if !isSnapshot, findWatch(cell.node, traits(of: index)) != index {
                    return "a watch is not found"
                }
            } else {
                alive += 1
            }
        }
        if named != names.count { return "names of registrations leaked" }
        if hidden != hiddenCount { return "\(hidden) hidden registrations, \(hiddenCount) counted" }
        if watches != watchCount || !isSnapshot && watchIndex.count != watchCount {
            return "watches miscounted"
        }
        if alive != namedCount { return "\(alive) registrations counted wrongly" }
        return orderFault
    }

    private var orderFault: String? {
        var (listed, index, earlier) = (0, first, Int32(-1))
        while index >= 0 {
            let cell = cells[index]
            if cell.state != .alive { return "an ended registration is listed" }
            if cell.earlierRegistration != earlier { return "registrations out of line" }
            if earlier >= 0, cells[earlier].order >= cell.order {
                return "registrations out of order"
            }
            if withName(of: index, { find($0) }) != index {
                return "a registration is not found by its name"
            }
            (listed, earlier, index) = (listed + 1, index, cell.laterRegistration)
        }
        return listed == namedCount && earlier == last ? nil : "registrations are lost"
    }
}
