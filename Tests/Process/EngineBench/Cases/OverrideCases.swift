// Setting, changing and removing one override at the root, with and without registrations that are
// notified.

import TraitEngine

enum Overrides: BenchCase {
    static let name = "overrides"
    static let measures = ["override.new", "override.change", "override.remove"]

    static func run(_ bench: Bench) throws {
        for shape in [Shape.wide, .random] where bench.settings.shapes.contains(shape) {
            for size in bench.settings.sizes {
                for percent in size == bench.settings.largest ? [0, 30] : [0] {
                    try measureOverrides(shape, size, percent, bench)
                }
            }
        }
    }

    private static func measureOverrides(
        _ shape: Shape, _ size: Int, _ percent: Int, _ bench: Bench
    ) throws {
        var random = bench.random(10)
        let plan = Tree.Plan(shape: shape, nodes: size, overridingPercent: percent)
        let tree = try Tree(plan, &random)
        for registrations in [0, min(1_000, size)] {
            let places = random.distinct(registrations, below: size)
            try tree.register(at: places) { _ in [tree.traits.theme] }
            for emptied in [false, true] where !emptied || size == bench.settings.largest {
                let subject = Subject(
                    shape, nodes: size, overridingPercent: percent, registrations: registrations,
                    emptied ? "at the root, caches emptied" : "at the root")
                try measure(tree, subject, emptied, bench)
            }
        }
    }

    /// One commit after the other, each timed by itself.
    private static func measure(
        _ tree: Tree, _ subject: Subject, _ emptied: Bool, _ bench: Bench
    ) throws {
        let (hierarchy, root, theme) = (tree.hierarchy, tree.root, tree.traits.theme)
        let values = tree.traits.values[tree.traits.themePosition]
        var times: [[Double]] = [[], [], []]
        func time(_ place: Int, _ write: () throws(OperationError) -> Int) throws {
            if emptied { bench.emptyCaches() }
            var count = 0
            times[place].append(
                try bench.ticks.time { () throws(OperationError) in count = try write() })
            if subject.overridingPercent == 0, count != subject.registrations {
                throw BenchError("\(count) notified instead of \(subject.registrations)")
            }
        }
        for _ in 0..<bench.settings.repetitions(emptied ? 31 : 301) {
            _ = hierarchy.remove(root, theme)
            bench.awaitCore()
            try time(0) { () throws(OperationError) in try hierarchy.write(root, theme, values[3]) }
            try time(1) { () throws(OperationError) in try hierarchy.write(root, theme, values[2]) }
            try time(2) { hierarchy.remove(root, theme) }
            _ = try hierarchy.write(root, theme, values[1])
        }
        for (name, values) in zip(measures, times) {
            bench.record(name, subject, .nanoseconds, values)
        }
    }
}
