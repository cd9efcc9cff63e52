// Taking a snapshot, and what one that is alive costs the writes beside it.

import SeededRandom
import TraitEngine

enum Snapshots: BenchCase {
    static let name = "snapshot"
    static let measures = [
        "snapshot.take", "snapshot.materialize", "snapshot.writes", "snapshot.restore",
    ]

    static func run(_ bench: Bench) throws {
        var random = bench.random(21)
        let size = bench.settings.largest
        let plan = Tree.Plan(shape: .wide, nodes: size, overridingPercent: 30)
        let tree = try Tree(plan, &random)
        let subject = Subject(.wide, nodes: size, overridingPercent: 30)
        let takes = try bench.repeated(101) { _ in
            var snapshot: HierarchySnapshot?
            let elapsed = try bench.ticks.time { () throws(OperationError) in
                snapshot = try tree.hierarchy.snapshot()
            }
            snapshot?.cancel()
            return elapsed / 1_000
        }
        bench.record("snapshot.take", subject, .microseconds, takes)
        let copies = try bench.repeated(5) { _ in
            let snapshot = try tree.hierarchy.snapshot()
            var count = 0
            let elapsed = try bench.ticks.time { () throws(SnapshotError) in
                count = try snapshot.materialize().nodeCount
            }
            if count != size { throw BenchError("\(count) nodes in the snapshot of \(size)") }
            return elapsed / 1_000
        }
        bench.record("snapshot.materialize", subject, .microseconds, copies)
        // In turn, so that both meet the same machine; the first writes to a fresh snapshot's
        // pages are the ones that save something, so each round takes a fresh one.
        let ratios = try bench.repeated(31) { number in
            let without = try writing(tree, number, bench, &random)
            let snapshot = try tree.hierarchy.snapshot()
            let with = try writing(tree, number + 1, bench, &random)
            snapshot.cancel()
            return with / without
        }
        bench.record("snapshot.writes", subject, .ratio, ratios)
        let frozen = try tree.hierarchy.snapshot().materialize()
        let restorations = try bench.repeated(5) { _ in
            var elapsed = 0.0
            let restored = try restore(frozen, bench, &elapsed)
            if restored.digest.content != frozen.digest.content {
                throw BenchError("what was restored has another digest")
            }
            return elapsed / 1_000
        }
        bench.record("snapshot.restore", subject, .microseconds, restorations)
    }

    /// What restoring takes, without reading the facts.
    private static func restore(
        _ frozen: Hierarchy, _ bench: Bench, _ elapsed: inout Double
    ) throws -> Hierarchy {
        var restorer = HierarchyRestorer(hashSeed: 1)
        let definitions = frozen.definitions
        for trait in definitions.customInOrder { _ = try restorer.define(definitions[trait]) }
        var nodes: [NodeIndex] = []
        frozen.forEachNode { node, _ in
            nodes.append(node)
            return .descend
        }
        let facts = nodes.map { node in
            var facts: [StoredFact] = []
            frozen.forEachStoredValue(of: node) { facts.append($0) }
            return facts
        }
        var places = [NodeIndex?](repeating: nil, count: nodes.count + 1)
        elapsed = try bench.ticks.time { () throws(OperationError) in
            for (position, node) in nodes.enumerated() {
                let parent = frozen.traitParent(of: node).flatMap { places[Int($0.rawValue)] }
                let kind = frozen.kind(of: node)
                let made = try frozen.withIdentifier(of: node) {
                    (bytes) throws(OperationError) in
                    try restorer.addNode(bytes, kind: kind, traitParent: parent)
                }
                places[Int(node.rawValue)] = made
                for fact in facts[position] { try restorer.setValue(made, fact) }
            }
        }
        let (rest, restored) = try finish(restorer, frozen.revision)
        elapsed += rest
        return restored
    }

    private static func finish(
        _ restorer: consuming HierarchyRestorer, _ revision: Int64
    ) throws(OperationError) -> (Double, Hierarchy) {
        let start = ContinuousClock.now
        let hierarchy = try restorer.finish(revision: revision)
        let elapsed = ContinuousClock.now - start
        return (Double(elapsed.components.attoseconds) / 1e9, hierarchy)
    }

    /// A thousand overrides at random nodes, a commit for each.
    private static func writing(
        _ tree: Tree, _ number: Int, _ bench: Bench, _ random: inout SeededRandom
    ) throws(OperationError) -> Double {
        let places = (0..<1_000).map { _ in tree.nodes[random.below(tree.nodes.count)] }
        let value = tree.traits.values[tree.traits.themePosition][number % 3 + 1]
        return try bench.ticks.time { () throws(OperationError) in
            for place in places { _ = try tree.hierarchy.write(place, tree.traits.theme, value) }
        }
    }
}
