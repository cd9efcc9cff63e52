// A map from (node, trait) to a value with its digest. The digest is a running sum, so that a change costs two
// hashes at most, and a bookmark one comparison.

package struct CachedValues: Sendable {
    private struct Entry: Sendable {
        var value: TraitValue
        let hash: UInt64
        let bytes: Int
    }

    /// What a pair counts beside its text.
    private static let pairBytes = 64

    private var nodes: [String: [String: Entry]] = [:]
    /// The bytes of all names and values, about as memory holds them.
    private(set) var bytes = 0
    private(set) var digest: UInt64 = 0

    package func value(_ trait: String, at node: String) -> TraitValue? {
        nodes[node]?[trait]?.value
    }

    package var snapshot: [String: [String: TraitValue]] {
        nodes.mapValues { $0.mapValues(\.value) }
    }

    enum Outcome {
        case added
        case replaced(TraitValue)
        case equal
    }

    /// Sets the value and says what it was before. Values with the same canonical form are equal.
    mutating func set(_ value: TraitValue, _ trait: String, at node: String) -> Outcome {
        let canonical = value.canonicalBytes
        let hash = pairHash(node: node, trait: trait, canonical: canonical)
        let size = node.utf8.count + trait.utf8.count + canonical.count + Self.pairBytes
        let before = nodes[node, default: [:]].updateValue(
            Entry(value: value, hash: hash, bytes: size), forKey: trait)
        digest &+= hash
        bytes += size
        guard let before else { return .added }
        digest &-= before.hash
        bytes -= before.bytes
        let isEqual = before.hash == hash && before.value.canonicalBytes == canonical
        return isEqual ? .equal : .replaced(before.value)
    }

    /// The pairs that `other` lacks, in the order of their names.
    func pairs(missingIn other: CachedValues) -> [(node: String, trait: String)] {
        var missing: [(node: String, trait: String)] = []
        for (node, traits) in nodes {
            let others = other.nodes[node]
            for trait in traits.keys where others?[trait] == nil { missing.append((node, trait)) }
        }
        return missing.sorted { ($0.node, $0.trait) < ($1.node, $1.trait) }
    }
}
