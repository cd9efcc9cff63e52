// Which manager has set or made what: values, nodes, registrations, scopes and definitions of applies, by the
// manager that each apply named. A table beside the engine, since resolving values needs to know nothing of
// it. It is part of the state: log entries name the manager, snapshots hold the table, and the state's
// digest counts it.

import JSONCodec
import TraitEngine

/// Something that has a manager: a value, a node, or something that has a name.
struct ManagedPlace: Hashable, Sendable {
    /// The kind of part that is managed. The raw values are parts of digests.
    enum Kind: UInt8, CaseIterable {
        case overrides, supplied
        case node
        /// Of a node.
        case environment, scope, registration
        /// Of the session.
        case trait, environmentKey, color, image

        /// The member of a document that has them.
        var member: StaticString {
            switch self {
            case .overrides: "overrides"
            case .supplied: "supplied"
            case .node: "node"
            case .environment: "environment"
            case .scope: "scopes"
            case .registration: "registrations"
            case .trait: "traits"
            case .environmentKey: "environmentKeys"
            case .color: "colors"
            case .image: "images"
            }
        }

        static let ofNodes: [Kind] = [.environment, .scope, .registration]
        static let ofSessions: [Kind] = [.trait, .environmentKey, .color, .image]
    }

    /// 0 for what belongs to no node.
    let node: Int32
    /// Of a value; else 0.
    let trait: UInt16
    let kind: Kind
    /// Empty for values of traits, and for nodes.
    let name: String

    init(_ node: NodeIndex, _ layer: ValueLayer, _ trait: TraitIndex) {
        self.node = node.rawValue
        self.trait = trait.rawValue
        kind = layer == .overrides ? .overrides : .supplied
        name = ""
    }

    /// The node itself.
    init(_ node: NodeIndex) {
        self.node = node.rawValue
        trait = 0
        kind = .node
        name = ""
    }

    /// The value of an environment key, a scope or a registration of a node.
    init(_ node: NodeIndex, _ kind: Kind, _ name: String) {
        self.node = node.rawValue
        trait = 0
        self.kind = kind
        self.name = name
    }

    /// A definition.
    init(_ kind: Kind, _ name: String) {
        node = 0
        trait = 0
        self.kind = kind
        self.name = name
    }

    var isNode: Bool { kind == .node }
    /// The layer of a value of a trait; nil for everything else.
    var valueLayer: ValueLayer? {
        switch kind {
        case .overrides: .overrides
        case .supplied: .supplied
        default: nil
        }
    }

    /// An order that every process gives the places of one node.
    static func precedes(_ one: ManagedPlace, _ other: ManagedPlace) -> Bool {
        (one.kind.rawValue, one.trait, one.name) < (other.kind.rawValue, other.trait, other.name)
    }
}

/// The table of one session.
struct ManagerTable: Sendable {
    private struct Change {
        let place: ManagedPlace
        let old: Int32?
    }

    /// The names of the managers. `entries` has their indices.
    private(set) var names: [String] = []
    private var numbers: [String: Int32] = [:]
    /// How many of the names commits have used.
    private var namesSealed = 0
    private(set) var entries: [Int32: [ManagedPlace: Int32]] = [:]
    private(set) var count = 0
    private var changes = TableChanges<Change>()

    var isEmpty: Bool { count == 0 }

    /// The table's part of the digest of the state. It has no part in the digest of the content, as
    /// a copy of the session has no managers.
    var digest: StateDigest { changes.digest }

    /// Bytes of the table, about. A name has at most 128 bytes, and is in two tables.
    var heldBytes: Int { entries.count * 160 + count * 56 + names.count * 256 }

    /// The manager of a place. O(1).
    func manager(of place: ManagedPlace) -> String? {
        entries[place.node]?[place].map { names[Int($0)] }
    }

    /// Calls `body` with every managed place, in an order that every process gives the places of one node. O(table).
    func forEachPlace(_ body: (ManagedPlace, String) -> Void) {
        for node in entries.keys.sorted() {
            for (place, manager) in places(at: NodeIndex(rawValue: node)) { body(place, manager) }
        }
    }

    /// All places of a manager, in no order. O(table).
    func places(of manager: String) -> [ManagedPlace] {
        guard let number = numbers[manager] else { return [] }
        return entries.values.flatMap { $0.filter { $0.value == number }.keys }
    }

    /// The managed places of a node, sorted by kind, trait and name; for nil, the managed definitions.
    func places(at node: NodeIndex?) -> [(place: ManagedPlace, manager: String)] {
        (entries[node?.rawValue ?? 0] ?? [:]).sorted { ManagedPlace.precedes($0.key, $1.key) }
            .map { ($0.key, names[Int($0.value)]) }
    }

    // MARK: - Changes, inside of a transaction

    /// Sets the manager of a place; nil removes it.
    mutating func set(_ place: ManagedPlace, _ manager: String?, in hierarchy: Hierarchy) {
        if manager == nil, count == 0 { return }
        var number: Int32?
        if let manager { number = addedNumber(of: manager) }
        let old = entries[place.node]?[place]
        if old == number { return }
        changes.add(Change(place: place, old: old))
        if let old { changes.digest.remove(fact(place, names[Int(old)], hierarchy)) }
        if let number { changes.digest.add(fact(place, names[Int(number)], hierarchy)) }
        put(place, number)
    }

    /// The number of a manager, a new one for a new manager. `checkRoom` bounds how many there are.
    private mutating func addedNumber(of manager: String) -> Int32 {
        if let known = numbers[manager] { return known }
        let number = Int32(truncatingIfNeeded: names.count)
        names.append(manager)
        numbers[manager] = number
        return number
    }

    /// Removes the managers of a node that is deleted, and of its values.
    mutating func forget(_ node: NodeIndex, in hierarchy: Hierarchy) {
        guard let places = entries[node.rawValue]?.keys else { return }
        for place in Array(places) { set(place, nil, in: hierarchy) }
    }

    /// - Throws: `quota` for a manager beyond `managersMax`.
    func checkRoom(for manager: String, max: Int) throws(SessionError) {
        guard names.count >= max, numbers[manager] == nil else { return }
        throw .limit(
            .quota,
            "The session has had managersMax=\(max) managers. Apply under a name that it knows: one for each program that applies, not for each run.",
            name: "managersMax", value: max)
    }

    private mutating func put(_ place: ManagedPlace, _ number: Int32?) {
        let before = entries[place.node]?.count ?? 0
        entries[place.node, default: [:]][place] = number
        let after = entries[place.node]?.count ?? 0
        if after == 0 { entries[place.node] = nil }
        count += after - before
    }

    private func fact(
        _ place: ManagedPlace, _ manager: String, _ hierarchy: Hierarchy
    ) -> StateDigest {
        let node =
            place.node == 0 ? "" : hierarchy.identifier(of: NodeIndex(rawValue: place.node))
        let name =
            place.valueLayer == nil
            ? place.name : hierarchy.definitions[TraitIndex(rawValue: place.trait)].key
        var hash = FactHash.mix(1_003, UInt64(place.kind.rawValue))
        for part in [node, name, manager] { hash = FactHash.mix(hash, FactHash.hash(part)) }
        return StateDigest(full: hash, content: 0)
    }

    /// Whether the open transaction changes the manager of a place in the end. O(changes).
    @inline(__always)
    var hasOpenChanges: Bool { !changes.open.isEmpty && hasOtherManagers }

    private var hasOtherManagers: Bool {
        var seen: Set<ManagedPlace> = []
        return changes.open.contains { change in
            seen.insert(change.place).inserted
                && entries[change.place.node]?[change.place] != change.old
        }
    }

    // MARK: - Rolling back

    /// Rolls back the open transaction.
    mutating func rollback() {
        for change in changes.rollback() { put(change.place, change.old) }
        // The names that only this transaction has used do not count.
        while names.count > namesSealed { numbers[names.removeLast()] = nil }
    }

    /// Ends the open transaction, which became the commit of that revision.
    @inline(__always)
    mutating func seal(_ revision: Int64) {
        if changes.seal(revision) { namesSealed = names.count }
    }

    /// Undoes the changes of commits after the revision.
    mutating func undo(after revision: Int64) {
        for change in changes.undo(after: revision) { put(change.place, change.old) }
    }

    /// Forgets how to undo commits up to the revision.
    @inline(__always)
    mutating func acknowledge(through revision: Int64) {
        _ = changes.acknowledge(through: revision)
    }

    /// Adds the managers of a document, outside of any transaction.
    mutating func restore(
        _ found: [(place: ManagedPlace, manager: String)], in hierarchy: Hierarchy
    ) {
        for (place, manager) in found { set(place, manager, in: hierarchy) }
        changes.forgetOpen()
        namesSealed = names.count
    }
}
