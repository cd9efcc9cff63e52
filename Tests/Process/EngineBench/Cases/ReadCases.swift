// Reading resolved values by handle: one trait and all of them, at random nodes.

import SeededRandom
import TraitEngine

/// Random reads, made before anything is timed: every repetition has its own, so that none finds
/// its cache lines warm because the repetition before read the same nodes.
struct RandomReads {
    private var nodes: [NodeIndex] = []
    private var traits: [TraitIndex] = []

    init(_ tree: Tree, count: Int, _ random: inout SeededRandom) {
        nodes.reserveCapacity(count)
        traits.reserveCapacity(count)
        for _ in 0..<count {
            nodes.append(tree.nodes[random.below(tree.nodes.count)])
            traits.append(tree.traits.all[random.below(tree.traits.all.count)])
        }
    }

    @inline(__always) func node(_ position: Int) -> NodeIndex { nodes[position] }
    @inline(__always) func trait(_ position: Int) -> TraitIndex { traits[position] }
}

enum Reads: BenchCase {
    static let name = "reads"
    static let measures = [
        "resolve.one.isolated", "resolve.one.overlapping", "resolve.all.isolated",
        "resolve.absent.isolated",
    ]

    static func run(_ bench: Bench) throws {
        for shape in bench.settings.shapes {
            for size in bench.settings.sizes(of: shape) {
                for percent in bench.settings.overridingPercents {
                    var random = bench.random(2)
                    let plan = Tree.Plan(shape: shape, nodes: size, overridingPercent: percent)
                    let tree = try Tree(plan, &random)
                    let subject = Subject(shape, nodes: size, overridingPercent: percent)
                    measureOne(tree, subject, bench)
                    measureAll(tree, subject, bench)
                    if shape == .chain { measureAbsent(tree, subject, bench) }
                }
            }
        }
    }

    /// Repetitions of so many reads each. The first round puts shortcuts where they belong and
    /// fills the caches with what they hold; it is not counted.
    @inline(__always)
    private static func measure(
        _ name: String, _ subject: Subject, _ bench: Bench, count: Int,
        _ round: (Range<Int>) -> Double
    ) {
        let values = bench.repeatedWarm(31) { round($0 * count..<($0 + 1) * count) }
        bench.record(name, subject, .nanoseconds, values)
    }

    private static func measureOne(_ tree: Tree, _ subject: Subject, _ bench: Bench) {
        var random = bench.random(3)
        let (hierarchy, ticks) = (tree.hierarchy, bench.ticks)
        let count = bench.settings.readCount
        let reads = RandomReads(
            tree, count: count * (bench.settings.repetitions(31) + 1), &random)
        measure("resolve.one.isolated", subject, bench, count: count) { range in
            ticks.isolated(range) { hierarchy.word(of: reads.trait($0), at: reads.node($0)) }
        }
        measure("resolve.one.overlapping", subject, bench, count: count) { range in
            ticks.overlapping(range) { hierarchy.word(of: reads.trait($0), at: reads.node($0)) }
        }
    }

    private static func measureAll(_ tree: Tree, _ subject: Subject, _ bench: Bench) {
        var random = bench.random(4)
        let (hierarchy, ticks, traits) = (tree.hierarchy, bench.ticks, tree.traits.set)
        let count = bench.settings.readCount / 4
        let reads = RandomReads(
            tree, count: count * (bench.settings.repetitions(31) + 1), &random)
        measure("resolve.all.isolated", subject, bench, count: count) { range in
            ticks.isolated(range) {
                var sum: UInt64 = 0
                hierarchy.words(of: traits, at: reads.node($0)) { _, word in sum &+= word }
                return sum
            }
        }
    }

    /// A chain's worst read: at the bottom, of a trait that nothing sets.
    private static func measureAbsent(_ tree: Tree, _ subject: Subject, _ bench: Bench) {
        guard let bottom = tree.nodes.last, let trait = tree.traits.all.last else { return }
        let (hierarchy, ticks) = (tree.hierarchy, bench.ticks)
        let count = bench.settings.readCount / 10
        measure("resolve.absent.isolated", subject, bench, count: count) { range in
            ticks.isolated(range) { _ in hierarchy.word(of: trait, at: bottom) }
        }
    }
}
