// Notifying many: what a commit costs for each registration that it notifies, beside the naive
// engine, and where the engine must not even look.

import TraitEngine

/// A root override by how many registrations it notifies, for both engines on the same tree.
enum Comparison: BenchCase {
    static let name = "comparison"
    static let measures = ["commit.root", "commit.root.naive", "commit.root.ratio"]

    static func run(_ bench: Bench) throws {
        let size = bench.settings.middle
        var registrations = 1
        while registrations <= size {
            var random = bench.random(11)
            let tree = try Tree(Tree.Plan(shape: .wide, nodes: size), &random)
            let places = random.distinct(registrations, below: size)
            try tree.register(at: places) { _ in [tree.traits.theme] }
            let naive = NaiveTree(tree)
            naive.register(at: places)
            if registrations <= 1_000 { try bench.agreement.check(tree, naive, &random) }
            try compare(tree, naive, registrations, bench)
            registrations *= 10
        }
    }

    private static func compare(
        _ tree: Tree, _ naive: NaiveTree, _ registrations: Int, _ bench: Bench
    ) throws {
        let values = tree.traits.values[tree.traits.themePosition]
        // One engine after the other, so that neither finds the other's data in its caches.
        let engineTimes = try bench.repeatedWarm(51) { round in
            var count = 0
            let elapsed = try bench.ticks.time {
                count = try tree.hierarchy.write(
                    tree.root, tree.traits.theme, values[round & 1 + 2])
            }
            try check(count, registrations)
            return elapsed / 1_000
        }
        let naiveTimes = try bench.repeatedWarm(11) { round in
            var count = 0
            let elapsed = bench.ticks.time { count = naive.write(0, round & 1 + 2) }
            try check(count, registrations)
            return elapsed / 1_000
        }
        let subject = Subject(.wide, nodes: tree.nodes.count, registrations: registrations)
        bench.record("commit.root", subject, .microseconds, engineTimes)
        bench.record("commit.root.naive", subject, .microseconds, naiveTimes)
        let engineMedian = Sample(engineTimes).median
        bench.record("commit.root.ratio", subject, .ratio, naiveTimes.map { $0 / engineMedian })
    }

    private static func check(_ count: Int, _ registrations: Int) throws {
        if count != registrations {
            throw BenchError("\(count) notified instead of \(registrations)")
        }
    }

}

enum Notifying: BenchCase {
    static let name = "notifying"
    static let measures = ["notify.each"]

    static func run(_ bench: Bench) throws {
        let settings = bench.settings
        let many = settings.largest
        for (size, registrations) in [(settings.middle, settings.middle), (many, settings.middle)] {
            var random = bench.random(12)
            let tree = try Tree(Tree.Plan(shape: .wide, nodes: size), &random)
            try tree.register(at: random.distinct(registrations, below: size)) { _ in
                [tree.traits.theme]
            }
            let subject = Subject(.wide, nodes: size, registrations: registrations, "one trait")
            try measureEach(tree, [tree.traits.themePosition], subject, bench)
        }
        var random = bench.random(13)
        let tree = try Tree(Tree.Plan(shape: .wide, nodes: many), &random)
        let watched = (0..<many).map { _ in random.below(tree.traits.all.count) }
        try tree.register(at: 0..<many) { [tree.traits.all[watched[$0]]] }
        let subject = Subject(.wide, nodes: many, registrations: many, "42 traits")
        try measureEach(tree, Array(tree.traits.all.indices), subject, bench)
    }

    /// Overrides at the root, of one of the traits after the other.
    private static func measureEach(
        _ tree: Tree, _ positions: [Int], _ subject: Subject, _ bench: Bench
    ) throws {
        let times = try bench.repeated(max(21, positions.count)) { number in
            let position = positions[number % positions.count]
            let trait = tree.traits.all[position]
            let former = tree.hierarchy.value(of: trait, at: tree.root)
            let other = tree.traits.values[position].first { $0 != former } ?? former
            var count = 0
            let elapsed = try bench.ticks.time {
                count = try tree.hierarchy.write(tree.root, trait, other)
            }
            if count == 0 { throw BenchError("no registration was notified of \(trait)") }
            return elapsed / Double(count)
        }
        bench.record("notify.each", subject, .nanoseconds, times)
    }

}

enum CrowdedParent: BenchCase {
    static let name = "crowded-parent"
    static let measures = ["notify.crowded"]

    static func run(_ bench: Bench) throws {
        var random = bench.random(14)
        let size = bench.settings.largest
        let tree = try Tree(Tree.Plan(shape: .star, nodes: size), &random)
        let wanted = min(1_000, size / 2)
        var watchesTheme = [Bool](repeating: false, count: size)
        for position in random.distinct(wanted, below: size - 1) {
            watchesTheme[position + 1] = true
        }
        let other = tree.traits.all[1]
        try tree.register(at: 1..<size) {
            [watchesTheme[$0 + 1] ? tree.traits.theme : other]
        }
        let values = tree.traits.values[tree.traits.themePosition]
        let times = try bench.repeated(31) { number in
            var count = 0
            let elapsed = try bench.ticks.time {
                count = try tree.hierarchy.write(
                    tree.root, tree.traits.theme, values[number & 1 + 2])
            }
            guard count == wanted else { throw BenchError("\(count) notified, not \(wanted)") }
            return elapsed / 1_000
        }
        bench.record(
            "notify.crowded",
            Subject(.star, nodes: size, registrations: size - 1, "\(wanted) of them reached"),
            .microseconds, times)
    }

}

enum Shields: BenchCase {
    static let name = "shields"
    static let measures = ["shielded.visits"]

    static func run(_ bench: Bench) throws {
        var random = bench.random(15)
        let size = bench.settings.largest
        let tree = try Tree(Tree.Plan(shape: .wide, nodes: size), &random)
        try tree.register(
            at: random.distinct(min(10_000, size / 2), below: size - 11).map { $0 + 11 }
        ) {
            _ in [tree.traits.theme]
        }
        let values = tree.traits.values[tree.traits.themePosition]
        for child in 1...10 {
            _ = try tree.hierarchy.write(tree.nodes[child], tree.traits.theme, values[3])
        }
        let visits = try bench.repeated(301) { number in
            let count = try tree.hierarchy.write(
                tree.root, tree.traits.theme, values[number & 1 + 1])
            if count > 0 { throw BenchError("\(count) notified behind shields") }
            return Double(tree.hierarchy.visitedWatchNodes)
        }
        let subject = Subject(
            .wide, nodes: size, registrations: min(10_000, size / 2), "all ten children override")
        bench.record("shielded.visits", subject, .visits, visits)
    }
}
