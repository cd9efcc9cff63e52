// Values below overrides that end: what a manager has set, or another write with `under`, and a temporary override lies
// over. The value below shows again when that override ends. The table is part of the state: log entries and snapshots
// have it, and the state's digest counts it.

import TraitEngine

/// A value that a temporary override lies over.
package struct CoveredValue: Hashable, Sendable {
    package let value: TraitValue
    /// When it ends itself, in milliseconds since 1970; nil for a value that stays.
    package var end: Int64?

    package init(value: TraitValue, end: Int64? = nil) {
        self.value = value
        self.end = end
    }

    /// Whether it shows when the override above ends at that time.
    package func isThere(at time: Int64) -> Bool { end.map { $0 > time } ?? true }
}

/// A covered value and its place.
struct CoveredPlace: Sendable {
    let node: NodeIndex
    let trait: TraitIndex
    let value: CoveredValue
}

/// The table of one session. `Annotations` changes it, and takes changes back. An override without an end covers nothing.
/// The manager of the override's place is that of the value below.
package struct CoveredValues: Sendable {
    private var table: [NodeIndex: [TraitIndex: CoveredValue]] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Bytes of the table, about; without texts and structs.
    var heldBytes: Int { table.count &* 160 &+ count &* 64 }

    /// O(1).
    package subscript(node: NodeIndex, trait: TraitIndex) -> CoveredValue? { table[node]?[trait] }

    /// Those of a node, in the order of their traits' indices.
    func values(at node: NodeIndex) -> [(trait: TraitIndex, covered: CoveredValue)] {
        (table[node] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Those of a trait, in the order of their nodes' indices. O(table).
    func values(of trait: TraitIndex) -> [(node: NodeIndex, covered: CoveredValue)] {
        table.compactMap { node, values in values[trait].map { (node: node, covered: $0) } }
            .sorted { $0.node.rawValue < $1.node.rawValue }
    }

    mutating func put(_ node: NodeIndex, _ trait: TraitIndex, _ value: CoveredValue?) {
        let before = table[node]?.count ?? 0
        table[node, default: [:]][trait] = value
        let after = table[node]?.count ?? 0
        if after == 0 { table[node] = nil }
        count += after - before
    }

    /// The fact that a value is covered, for the digests of the state and of the content.
    static func fact(
        _ node: NodeIndex, _ trait: TraitIndex, _ covered: CoveredValue, _ hierarchy: Hierarchy
    ) -> StateDigest {
        var hash = FactHash.mix(1_005, FactHash.hash(hierarchy.identifier(of: node)))
        hash = FactHash.mix(hash, FactHash.hash(hierarchy.definitions[trait].key))
        hash = FactHash.mix(hash, FactHash.hash(covered.value))
        hash = FactHash.mix(hash, UInt64(bitPattern: covered.end ?? -1))
        return StateDigest(full: hash, content: hash)
    }
}
