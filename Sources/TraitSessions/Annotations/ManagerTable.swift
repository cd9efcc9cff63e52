// Which manager has set or made what: values, nodes, registrations, scopes and definitions of applies, by the
// manager that each apply named. A table beside the engine, since resolving values needs to know nothing of
// it. It is part of the state: log entries name the manager, snapshots hold the table, and the state's
// digest counts it.

import JSONCodec
import TraitEngine
import TraitJSON

/// Something that has a manager: a value, a node, or something that has a name.
package struct ManagedPlace: Hashable, Sendable {
    /// The kind of part that is managed. The raw values are parts of digests.
    package enum Kind: UInt8, CaseIterable {
        case overrides, supplied
        case node
        /// Of a node.
        case environment, scope, registration
        /// Of the session.
        case trait, environmentKey, color, image

        /// The member of a document that has them.
        package var member: StaticString {
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

    /// Nil for what belongs to no node.
    package let node: NodeIndex?
    /// Of a value; else the first.
    package let trait: TraitIndex
    package let kind: Kind
    /// Empty for values of traits, and for nodes.
    package let name: String

    /// The value of an environment key, a scope or a registration of a node; without a node a definition.
    package init(
        _ node: NodeIndex?, _ kind: Kind, _ name: String,
        trait: TraitIndex = TraitIndex(rawValue: 0)
    ) {
        self.node = node
        self.trait = trait
        self.kind = kind
        self.name = name
    }

    package init(_ node: NodeIndex, _ layer: ValueLayer, _ trait: TraitIndex) {
        self.init(node, layer == .overrides ? .overrides : .supplied, "", trait: trait)
    }

    /// The node itself.
    package init(_ node: NodeIndex) { self.init(node, .node, "") }

    /// A definition.
    package init(_ kind: Kind, _ name: String) { self.init(nil, kind, name) }

    package var isNode: Bool { kind == .node }
    /// The layer of a value of a trait; nil for everything else.
    package var valueLayer: ValueLayer? {
        switch kind {
        case .overrides: .overrides
        case .supplied: .supplied
        default: nil
        }
    }

    /// The key of the trait, or the name of another part; empty for a node.
    func name(in hierarchy: Hierarchy) -> String {
        valueLayer == nil ? name : hierarchy.definitions[trait].key
    }

    /// The identifier of the node; nil for a definition.
    package func nodeName(in hierarchy: Hierarchy) -> String? {
        node.map(hierarchy.identifier(of:))
    }

    /// An order that every process gives the places of one node.
    package static func precedes(_ one: ManagedPlace, _ other: ManagedPlace) -> Bool {
        (one.kind.rawValue, one.trait, one.name) < (other.kind.rawValue, other.trait, other.name)
    }
}

/// The table of one session. `Annotations` changes it, and takes changes back.
package struct ManagerTable: Sendable {
    /// The names of the managers. `entries` has their indices.
    private(set) var names: [String] = []
    private var numbers: [String: Int32] = [:]
    /// How many of the names commits have used.
    private var namesSealed = 0
    private(set) var entries: [NodeIndex?: [ManagedPlace: Int32]] = [:]
    private(set) var count = 0

    package var isEmpty: Bool { count == 0 }

    /// Bytes of the table, about. A name has at most 128 bytes, and is in two tables.
    var heldBytes: Int { entries.count * 160 + count * 56 + names.count * 256 }

    /// The manager of a place. O(1).
    package func manager(of place: ManagedPlace) -> String? {
        number(of: place).map { names[Int($0)] }
    }

    /// The number of the manager of a place. O(1).
    package func number(of place: ManagedPlace) -> Int32? { entries[place.node]?[place] }

    /// Calls `body` with every managed place, in an order that every process gives the places of one node. O(table).
    package func forEachPlace(_ body: (ManagedPlace, String) -> Void) {
        for node in entries.keys.sorted(by: { $0?.rawValue ?? 0 < $1?.rawValue ?? 0 }) {
            for (place, manager) in places(at: node) { body(place, manager) }
        }
    }

    /// All places of a manager, in no order. O(table).
    package func places(of manager: String) -> [ManagedPlace] {
        guard let number = numbers[manager] else { return [] }
        return entries.values.flatMap { $0.filter { $0.value == number }.keys }
    }

    /// The managed places of a node, sorted by kind, trait and name; for nil, the managed definitions.
    package func places(at node: NodeIndex?) -> [(place: ManagedPlace, manager: String)] {
        (entries[node] ?? [:]).sorted { ManagedPlace.precedes($0.key, $1.key) }
            .map { ($0.key, names[Int($0.value)]) }
    }

    /// - Throws: `quota` for a manager beyond `managersMax`.
    package func checkRoom(for manager: String, max: Int) throws(SessionError) {
        guard names.count >= max, numbers[manager] == nil else { return }
        throw .limit(
            .quota,
            "The session has had managersMax=\(max) managers. Apply under a name that it knows: one for each program that applies, not for each run.",
            name: "managersMax", value: max)
    }

    // MARK: - Changes

    /// Sets the manager of a place, which has a number of its own from then on. `checkRoom` bounds how many there are.
    mutating func put(_ place: ManagedPlace, _ manager: String?) {
        guard let manager else { return put(place, number: nil) }
        if numbers[manager] == nil {
            numbers[manager] = Int32(truncatingIfNeeded: names.count)
            names.append(manager)
        }
        put(place, number: numbers[manager])
    }

    mutating func put(_ place: ManagedPlace, number: Int32?) {
        let before = entries[place.node]?.count ?? 0
        entries[place.node, default: [:]][place] = number
        let after = entries[place.node]?.count ?? 0
        if after == 0 { entries[place.node] = nil }
        count += after - before
    }

    /// The names so far count, as a commit has used them.
    mutating func seal() { namesSealed = names.count }

    /// Drops the names that only a transaction has used that was rolled back.
    mutating func dropUnsealed() {
        while names.count > namesSealed { numbers[names.removeLast()] = nil }
    }

    /// The fact that a place has a manager, for the digest of the state.
    static func fact(
        _ place: ManagedPlace, _ manager: String, _ hierarchy: Hierarchy
    ) -> StateDigest {
        var hash = FactHash.mix(1_003, UInt64(place.kind.rawValue))
        for part in [place.nodeName(in: hierarchy) ?? "", place.name(in: hierarchy), manager] {
            hash = FactHash.mix(hash, FactHash.hash(part))
        }
        return StateDigest(full: hash, content: 0)
    }
}
