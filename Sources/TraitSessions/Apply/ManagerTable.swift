// Who manages what: values that an apply set, and nodes that it made, by the manager that it named. A table
// beside the engine, since resolving values needs to know nothing of it. It is part of the state: log
// entries name the manager, snapshots hold the table, and the state's digest counts it.

import DequeModule
import JSONCodec
import TraitEngine

/// Something that has a manager. A place of a node that is there.
struct ManagedPlace: Hashable, Sendable {
    let node: Int32
    /// The trait of a value; `made` for the node itself.
    let trait: UInt16
    let layer: UInt8

    static let made = UInt16.max

    init(_ node: NodeIndex, _ layer: ValueLayer, _ trait: TraitIndex) {
        self.node = node.rawValue
        self.trait = trait.rawValue
        self.layer = layer == .overrides ? 0 : 1
    }

    /// The node itself.
    init(_ node: NodeIndex) {
        self.node = node.rawValue
        trait = Self.made
        layer = 2
    }

    var isNode: Bool { trait == Self.made }
    var valueLayer: ValueLayer { layer == 0 ? .overrides : .supplied }
}

/// The table of one session. Confined by the session's lock.
struct ManagerTable: Sendable {
    private struct Change {
        let place: ManagedPlace
        let old: UInt16?
    }

    private struct Sealed {
        let revision: Int64
        let changes: [Change]
        let digestBefore: StateDigest
    }

    /// Managers by the number that stands for them.
    private(set) var names: [String] = []
    private var entries: [Int32: [ManagedPlace: UInt16]] = [:]
    private(set) var count = 0
    /// What the table adds to the digest of the state; a copy of the session has no managers.
    private(set) var digest = StateDigest()
    private var changes: [Change] = []
    private var digestBefore = StateDigest()
    private var sealed = Deque<Sealed>()

    var isEmpty: Bool { count == 0 }

    /// Bytes that it takes, about.
    var heldBytes: Int { entries.count * 160 + count * 24 }

    /// The manager of a place. O(1).
    func manager(of place: ManagedPlace) -> String? {
        entries[place.node]?[place].map { names[Int($0)] }
    }

    /// All places of a manager, in no order. O(table).
    func places(of manager: String) -> [ManagedPlace] {
        guard let number = number(of: manager) else { return [] }
        return entries.values.flatMap { $0.filter { $0.value == number }.keys }
    }

    /// What of a node is managed.
    func places(at node: NodeIndex) -> [(place: ManagedPlace, manager: String)] {
        (entries[node.rawValue] ?? [:]).sorted {
            ($0.key.layer, $0.key.trait) < ($1.key.layer, $1.key.trait)
        }.map { ($0.key, names[Int($0.value)]) }
    }

    private func number(of manager: String) -> UInt16? {
        names.firstIndex(of: manager).map { UInt16($0) }
    }

    // MARK: - Changing, inside of a transaction

    /// Names the manager of a place, nil for none.
    mutating func set(_ place: ManagedPlace, _ manager: String?, in hierarchy: Hierarchy) {
        if manager == nil, count == 0 { return }
        var number: UInt16?
        if let manager {
            number = self.number(of: manager)
            if number == nil, names.count < Self.managersMax {
                names.append(manager)
                number = UInt16(names.count - 1)
            }
        }
        let old = entries[place.node]?[place]
        if old == number { return }
        if changes.isEmpty { digestBefore = digest }
        changes.append(Change(place: place, old: old))
        if let old { digest.remove(fact(place, names[Int(old)], hierarchy)) }
        if let number { digest.add(fact(place, names[Int(number)], hierarchy)) }
        put(place, number)
    }

    /// The node goes, with all that was managed of it.
    mutating func forget(_ node: NodeIndex, in hierarchy: Hierarchy) {
        guard let places = entries[node.rawValue]?.keys else { return }
        for place in Array(places) { set(place, nil, in: hierarchy) }
    }

    static let managersMax = 1_000

    private mutating func put(_ place: ManagedPlace, _ number: UInt16?) {
        let before = entries[place.node]?.count ?? 0
        entries[place.node, default: [:]][place] = number
        let after = entries[place.node]?.count ?? 0
        if after == 0 { entries[place.node] = nil }
        count += after - before
    }

    private func fact(
        _ place: ManagedPlace, _ manager: String, _ hierarchy: Hierarchy
    ) -> StateDigest {
        let node = hierarchy.identifier(of: NodeIndex(rawValue: place.node))
        let trait =
            place.isNode ? "" : hierarchy.definitions[TraitIndex(rawValue: place.trait)].key
        var hash = FactHash.mix(1_003, UInt64(place.layer))
        for part in [node, trait, manager] { hash = FactHash.mix(hash, FactHash.hash(part)) }
        return StateDigest(full: hash, content: 0)
    }

    /// Whether the open transaction leaves another manager somewhere. O(changes).
    var hasOpenChanges: Bool {
        var seen: Set<ManagedPlace> = []
        return changes.contains { change in
            seen.insert(change.place).inserted
                && entries[change.place.node]?[change.place] != change.old
        }
    }

    // MARK: - Going back

    /// The open transaction came to nothing.
    mutating func rollback() {
        if changes.isEmpty { return }
        for change in changes.reversed() { put(change.place, change.old) }
        changes = []
        digest = digestBefore
    }

    /// The open transaction is the commit of that revision.
    mutating func seal(_ revision: Int64) {
        if changes.isEmpty { return }
        sealed.append(
            Sealed(revision: revision, changes: changes, digestBefore: digestBefore))
        changes = []
    }

    /// Takes back what commits after the revision did.
    mutating func undo(after revision: Int64) {
        while let last = sealed.last, last.revision > revision {
            for change in last.changes.reversed() { put(change.place, change.old) }
            digest = last.digestBefore
            sealed.removeLast()
        }
    }

    /// Commits up to the revision are not taken back any more.
    mutating func acknowledge(through revision: Int64) {
        while let first = sealed.first, first.revision <= revision { sealed.removeFirst() }
    }

    /// Takes over what a document says, outside of any transaction.
    mutating func restore(
        _ found: [(place: ManagedPlace, manager: String)], in hierarchy: Hierarchy
    ) {
        for (place, manager) in found { set(place, manager, in: hierarchy) }
        changes = []
    }
}
