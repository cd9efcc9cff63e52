// Taking a snapshot, and what one that is alive costs the writes beside it.

import SeededRandom
import TraitEngine

enum Snapshots: BenchCase {
    static let name = "snapshot"
    static let measures = ["snapshot.take", "snapshot.writes"]

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
