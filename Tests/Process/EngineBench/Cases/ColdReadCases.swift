// Reads that find nothing prepared: on a path never read before, and right after a commit.

import SeededRandom
import TraitEngine

enum FirstReads: BenchCase {
    static let name = "first-reads"
    static let measures = ["resolve.one.first"]

    /// The bottom of a chain that was not read yet, a trait that is set nowhere.
    static func run(_ bench: Bench) throws {
        let depth = bench.settings.chainDepth
        for percent in bench.settings.overridingPercents {
            var random = bench.random(5)
            let values = try bench.repeated(51) { _ in
                let plan = Tree.Plan(shape: .chain, nodes: depth, overridingPercent: percent)
                let tree = try Tree(plan, &random)
                let trait = tree.traits.all[tree.traits.all.count - 1]
                return read(tree.hierarchy, trait, tree.nodes[depth - 1], bench.ticks) / 1_000
            }
            let subject = Subject(.chain, nodes: depth, overridingPercent: percent)
            bench.record("resolve.one.first", subject, .microseconds, values)
        }
    }
}

enum ReadsAfterCommits: BenchCase {
    static let name = "reads-after-commits"
    static let measures = ["resolve.one.after-commit"]

    static func run(_ bench: Bench) throws {
        for shape in [Shape.wide, .chain] where bench.settings.shapes.contains(shape) {
            let size = shape == .chain ? bench.settings.chainDepth : bench.settings.largest
            for percent in bench.settings.overridingPercents {
                var random = bench.random(6)
                let tree = try Tree(
                    Tree.Plan(shape: shape, nodes: size, overridingPercent: percent), &random)
                for node in tree.nodes {
                    consume(tree.hierarchy.word(of: tree.traits.theme, at: node))
                }
                try measureReads(tree, afterCommitAt: "an unrelated node", percent, bench, &random)
                try measureReads(tree, afterCommitAt: "the root", percent, bench, &random)
            }
        }
    }

    private static func measureReads(
        _ tree: Tree, afterCommitAt place: String, _ percent: Int, _ bench: Bench,
        _ random: inout SeededRandom
    ) throws {
        let size = tree.nodes.count
        let values = tree.traits.values[tree.traits.themePosition]
        let count = 2_001
        let (reads, writes) = (
            RandomReads(tree, count: count, &random), RandomReads(tree, count: count, &random)
        )
        let times = try bench.repeated(count) { number in
            let node = place == "the root" ? tree.root : writes.node(number)
            _ = try tree.hierarchy.write(node, tree.traits.theme, values[number & 1 + 1])
            return read(tree.hierarchy, reads.trait(number), reads.node(number), bench.ticks)
        }
        bench.record(
            "resolve.one.after-commit",
            Subject(tree.shape, nodes: size, overridingPercent: percent, "after one at \(place)"),
            .nanoseconds, times)
    }
}

/// Nanoseconds of one read.
private func read(
    _ hierarchy: Hierarchy, _ trait: TraitIndex, _ node: NodeIndex, _ ticks: Ticks
) -> Double {
    var word: UInt64 = 0
    let elapsed = ticks.time { word = hierarchy.word(of: trait, at: node) }
    consume(word)
    return elapsed
}
