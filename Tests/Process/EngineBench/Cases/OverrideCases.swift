// Setting and removing one override: at the root, in the middle and at a leaf, with and without
// a registration that is notified.

import SeededRandom
import TraitEngine

enum Overrides: BenchCase {
    static let name = "overrides"
    static let measures = [
        "override.new", "override.change", "override.remove", "override.consecutive",
    ]

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
        try measureConsecutive(
            tree, Subject(shape, nodes: size, overridingPercent: percent, "at the root"), bench)
        for registrations in [0, min(1_000, size)] {
            let places = random.distinct(registrations, below: size)
            try tree.register(at: places) { _ in [tree.traits.theme] }
            let subject = Subject(
                shape, nodes: size, overridingPercent: percent, registrations: registrations)
            for place in Place.allCases {
                for emptied in [false, true] where !emptied || size == bench.settings.largest {
                    var detail = subject
                    detail.detail = place.rawValue + (emptied ? ", caches emptied" : "")
                    try OverrideWrites(tree, place, detail, emptied, bench).measure(&random)
                }
            }
        }
    }

    /// A thousand commits one after the other that notify no registration.
    private static func measureConsecutive(
        _ tree: Tree, _ subject: Subject, _ bench: Bench
    ) throws {
        let values = tree.traits.values[tree.traits.themePosition]
        let times = try bench.repeated(31) { _ in
            try bench.ticks.time { () throws(OperationError) in
                for number in 0..<1_000 {
                    _ = try tree.hierarchy.write(
                        tree.root, tree.traits.theme, values[number & 1 + 1])
                }
            } / 1_000
        }
        bench.record("override.consecutive", subject, .nanoseconds, times)
    }
}

private enum Place: String, CaseIterable {
    case root = "at the root"
    case middle = "in the middle"
    case leaf = "at a leaf"
}

/// Writes of one kind, one commit after the other, each timed by itself.
private struct OverrideWrites {
    let tree: Tree
    let place: Place
    let subject: Subject
    let emptied: Bool
    let bench: Bench
    private var parents = Set<Int32>()
    private var depthMax = 0

    init(_ tree: Tree, _ place: Place, _ subject: Subject, _ emptied: Bool, _ bench: Bench) {
        self.tree = tree
        self.place = place
        self.subject = subject
        self.emptied = emptied
        self.bench = bench
        if place == .leaf { parents = Set(tree.parents) }
        if place == .middle { depthMax = tree.depth(tree.nodes.count - 1) }
    }

    func measure(_ random: inout SeededRandom) throws {
        let values = tree.traits.values[tree.traits.themePosition]
        let (hierarchy, theme) = (tree.hierarchy, tree.traits.theme)
        var times: [[Double]] = [[], [], []]
        var notified: [Int] = []
        for _ in 0..<bench.settings.repetitions(emptied ? 31 : 301) {
            let node = tree.nodes[position(&random)]
            let former = hierarchy.override(theme, of: node)
            if former != nil { _ = hierarchy.remove(node, theme) }
            bench.awaitCore()
            try time(&times[0], &notified) { () throws(OperationError) in
                try hierarchy.write(node, theme, values[3])
            }
            try time(&times[1], &notified) { () throws(OperationError) in
                try hierarchy.write(node, theme, values[2])
            }
            try time(&times[2], &notified) { () throws(OperationError) in
                hierarchy.remove(node, theme)
            }
            if let former { _ = try hierarchy.write(node, theme, former) }
        }
        if place == .root, subject.overridingPercent == 0,
            let wrong = notified.first(where: { $0 != subject.registrations })
        {
            throw BenchError("\(wrong) notified instead of \(subject.registrations)")
        }
        for (name, values) in zip(Overrides.measures, times) {
            bench.record(name, subject, .nanoseconds, values)
        }
    }

    private func time(
        _ times: inout [Double], _ notified: inout [Int],
        _ write: () throws(OperationError) -> Int
    ) throws(OperationError) {
        if emptied { bench.emptyCaches() }
        var count = 0
        times.append(
            try bench.ticks.time { () throws(OperationError) in count = try write() })
        notified.append(count)
    }

    private func position(_ random: inout SeededRandom) -> Int {
        switch place {
        case .root: return 0
        case .middle:
            // Half way down; a few tries suffice in trees that are no chain.
            while true {
                let position = 1 + random.below(tree.nodes.count - 1)
                if tree.depth(position) == max(1, depthMax / 2) { return position }
            }
        case .leaf:
            while true {
                let position = 1 + random.below(tree.nodes.count - 1)
                if !parents.contains(Int32(position)) { return position }
            }
        }
    }
}
