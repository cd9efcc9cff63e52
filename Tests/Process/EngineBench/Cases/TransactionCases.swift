// Many operations in one commit.

import SeededRandom
import TraitEngine

enum Transactions: BenchCase {
    static let name = "transaction"
    static let measures = ["transaction.overrides", "transaction.mixed"]

    static func run(_ bench: Bench) throws {
        let size = bench.settings.largest
        let count = min(10_000, size)
        for registrations in [0, min(1_000, size)] {
            var random = bench.random(18)
            let tree = try Tree(
                Tree.Plan(shape: .wide, nodes: size, spareNames: 1_000_000), &random)
            try tree.register(at: random.distinct(registrations, below: size)) { _ in
                [tree.traits.theme]
            }
            let subject = Subject(
                .wide, nodes: size, registrations: registrations, "\(count) operations")
            let overrides = try bench.repeated(31) { number in
                try setting(tree, count, number, bench.ticks, &random)
            }
            bench.record("transaction.overrides", subject, .nanoseconds, overrides)
            var script = MixedScript(tree, size)
            let mixed = try bench.repeated(31) { _ in
                try script.commit(count, bench.ticks, &random)
            }
            bench.record("transaction.mixed", subject, .nanoseconds, mixed)
        }
    }

    /// Overrides at random nodes; nanoseconds each, from opening until acknowledged.
    private static func setting(
        _ tree: Tree, _ count: Int, _ number: Int, _ ticks: Ticks, _ random: inout SeededRandom
    ) throws(OperationError) -> Double {
        let places = (0..<count).map { _ in tree.nodes[random.below(tree.nodes.count)] }
        let value = tree.traits.values[tree.traits.themePosition][number % 3 + 1]
        let (hierarchy, theme) = (tree.hierarchy, tree.traits.theme)
        let elapsed = try ticks.time { () throws(OperationError) in
            hierarchy.begin()
            for place in places { try hierarchy.setOverride(place, theme, value) }
            hierarchy.finish()
        }
        return elapsed / Double(count)
    }
}

/// Of ten operations six set, one removes, one creates a leaf, one moves a leaf and one deletes one
/// that an earlier commit made.
private struct MixedScript {
    private let tree: Tree
    private let size: Int
    private var made: [NodeIndex] = []
    private var number: Int

    init(_ tree: Tree, _ size: Int) {
        self.tree = tree
        self.size = size
        number = size
    }

    mutating func commit(
        _ count: Int, _ ticks: Ticks, _ random: inout SeededRandom
    ) throws(OperationError) -> Double {
        let places = (0..<count).map { _ in tree.nodes[random.below(size)] }
        let value = tree.traits.values[tree.traits.themePosition][random.below(4)]
        let (hierarchy, theme) = (tree.hierarchy, tree.traits.theme)
        let elapsed = try ticks.time { () throws(OperationError) in
            hierarchy.begin()
            for (position, place) in places.enumerated() {
                switch position % 10 {
                case 0...5: try hierarchy.setOverride(place, theme, value)
                case 6: hierarchy.removeOverride(place, theme)
                case 7:
                    made.append(
                        try hierarchy.createNode(tree.names[number], kind: .view, parent: place))
                    number += 1
                case 8:
                    if let leaf = made.last { try hierarchy.updateNode(leaf, parent: .set(place)) }
                default: if made.count > count { try hierarchy.deleteNode(made.removeLast()) }
                }
            }
            hierarchy.finish()
        }
        while hierarchy.reclaimSlice() {}
        return elapsed / Double(count)
    }
}
