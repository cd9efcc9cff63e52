// What the engine promises: one table of targets, held against the figures of a run. Each bar is
// held by the worst of the medians it names. Five bars were widened with the optimisations that
// only they needed; docs/performance/README.md has the figures.

import Glibc

struct Bar {
    let title: String
    let target: Double
    let unit: Unit
    /// At least, not at most.
    var isFloor = false
    /// The figure to compare; nil when the run did not measure it.
    let measured: ([Measurement]) -> Double?

    struct Verdict {
        let bar: Bar
        let measured: Double
        var holds: Bool { bar.isFloor ? measured >= bar.target : measured <= bar.target }
    }

    static func verdicts(on measurements: [Measurement]) -> [Verdict] {
        all.compactMap { bar in
            bar.measured(measurements).map { Verdict(bar: bar, measured: $0) }
        }
    }

    static func printVerdicts(on measurements: [Measurement]) {
        let verdicts = verdicts(on: measurements)
        if verdicts.isEmpty { return }
        print("\n" + "bar".padded(72) + "target".padded(16) + "measured")
        for verdict in verdicts {
            let target =
                (verdict.bar.isFloor ? "≥ " : "≤ ") + verdict.bar.target.readable + " "
                + verdict.bar.unit.rawValue
            print(
                verdict.bar.title.padded(72) + target.padded(16)
                    + verdict.measured.readable.padded(10)
                    + (verdict.holds ? "holds" : "DOES NOT HOLD"))
        }
    }
}

extension Bar {
    /// A bar that is held by the largest median among the figures of these names that meet the
    /// condition.
    private init(
        _ title: String, atMost target: Double, _ unit: Unit, _ names: [String],
        _ condition: @escaping (Subject) -> Bool = { _ in true }
    ) {
        self.init(title: title, target: target, unit: unit) {
            Self.worst($0, names, condition)
        }
    }

    /// A bar of nodes a second.
    private init(
        _ title: String, atLeast target: Double, _ rate: @escaping ([Measurement]) -> Double?
    ) {
        self.init(title: title, target: target, unit: .perSecond, isFloor: true, measured: rate)
    }

    private static func worst(
        _ measurements: [Measurement], _ names: [String], _ condition: (Subject) -> Bool
    ) -> Double? {
        measurements.filter { names.contains($0.name) && condition($0.subject) }
            .map(\.sample.median).max()
    }

    /// Nodes a second out of nanoseconds a node.
    private static func buildRate(_ shape: Shape) -> ([Measurement]) -> Double? {
        { worst($0, ["build"]) { $0.shape == shape && isMillion($0) }.map { 1e9 / $0 } }
    }

    /// By how much the largest tree reads slower than the smallest, at the worst share of
    /// overriding nodes.
    private static func growth(_ measurements: [Measurement]) -> Double? {
        [0, 1, 30].compactMap { percent -> Double? in
            let figures = measurements.filter {
                $0.name == "resolve.one.isolated" && $0.subject.shape == .wide
                    && $0.subject.overridingPercent == percent
            }
            guard let small = figures.first(where: { $0.subject.nodes == 1_000 }),
                let large = figures.first(where: { isMillion($0.subject) })
            else { return nil }
            return large.sample.median / small.sample.median
        }.max()
    }

    private static func isMillion(_ tree: Subject) -> Bool { tree.nodes == 1_000_000 }

    private static func isWide(_ tree: Subject) -> Bool { tree.shape == .wide && isMillion(tree) }

    private static func isChain(_ tree: Subject) -> Bool {
        tree.shape == .chain && tree.nodes == 10_000
    }

    /// Where a tenth of the largest tree is moved or deleted.
    private static func isTenth(_ tree: Subject) -> Bool { tree.nodes > 90_000 }

    static var all: [Bar] { reading + writing + structure }

    private static var reading: [Bar] {
        [
            Bar(
                "one trait of 1,000,000 nodes, isolated", atMost: 150, .nanoseconds,
                ["resolve.one.isolated"], isWide),
            Bar(
                "one trait of 1,000,000 nodes, overlapping", atMost: 60, .nanoseconds,
                ["resolve.one.overlapping"], isWide),
            Bar(
                "one trait of 1,000,000 nodes, right after a commit", atMost: 250, .nanoseconds,
                ["resolve.one.after-commit"], isWide),
            Bar(
                title: "one trait, 1,000,000 nodes against 1,000", target: 6, unit: .ratio,
                measured: growth),
            Bar(
                "one trait in a chain of 10,000, warm", atMost: 1_000, .nanoseconds,
                ["resolve.one.isolated", "resolve.absent.isolated"], isChain),
            Bar(
                "first read of a path of 10,000", atMost: 60, .microseconds,
                ["resolve.one.first"], isChain),
            Bar(
                "all 42 traits of 1,000,000 nodes, isolated", atMost: 400, .nanoseconds,
                ["resolve.all.isolated"], isWide),
            Bar(
                "all 42 traits in a chain of 10,000", atMost: 4_000, .nanoseconds,
                ["resolve.all.isolated"], isChain),
            Bar(
                "identifier of 8 bytes among up to 100,000, isolated", atMost: 60, .nanoseconds,
                ["lookup.isolated"]
            ) { $0.detail == "8 bytes" && $0.nodes <= 100_000 },
            Bar(
                "identifier of 8 bytes among 1,000,000, isolated", atMost: 150, .nanoseconds,
                ["lookup.isolated"]
            ) { $0.detail == "8 bytes" && isMillion($0) },
        ]
    }

    private static var writing: [Bar] {
        let overrides = Overrides.measures
        func notifies(_ detail: String) -> (Subject) -> Bool {
            {
                isWide($0) && $0.registrations == 1_000 && $0.overridingPercent == 0
                    && $0.detail == detail
            }
        }
        return [
            Bar(
                "root override, 1,000,000 nodes, 1,000 notified, warm", atMost: 150_000,
                .nanoseconds, overrides, notifies("at the root")),
            Bar(
                "root override, 1,000,000 nodes, 1,000 notified, caches emptied", atMost: 250_000,
                .nanoseconds, overrides, notifies("at the root, caches emptied")),
            Bar(
                "root override, 1,000,000 nodes, nothing watched", atMost: 250, .nanoseconds,
                overrides
            ) { isMillion($0) && $0.registrations == 0 && $0.detail == "at the root" },
            Bar(
                "each of 100,000 notified on 100,000 nodes", atMost: 150, .nanoseconds,
                ["notify.each"]
            ) { $0.nodes == 100_000 && $0.registrations == 100_000 },
            Bar(
                "each of 100,000 notified on 1,000,000 nodes", atMost: 250, .nanoseconds,
                ["notify.each"]
            ) { isMillion($0) && $0.registrations == 100_000 },
            Bar(
                "each notified of 1,000,000 registrations for 42 traits", atMost: 500,
                .nanoseconds, ["notify.each"]
            ) { $0.registrations == 1_000_000 },
            Bar(
                "one parent of 1,000,000 watched children, 1,000 reached", atMost: 300,
                .microseconds, ["notify.crowded"], isMillion),
            Bar(
                "watched nodes visited when all ten children shield", atMost: 11, .visits,
                ["shielded.visits"]),
            Bar(
                "taking a snapshot of 1,000,000 nodes", atMost: 100, .microseconds,
                ["snapshot.take"], isMillion),
            Bar(
                "writes while a snapshot is alive, against without", atMost: 1.5, .ratio,
                ["snapshot.writes"], isMillion),
        ]
    }

    private static var structure: [Bar] {
        [
            Bar("building 1,000,000 nodes in order", atLeast: 3e6, buildRate(.wide)),
            Bar(
                "building 1,000,000 nodes below random parents", atLeast: 1.5e6,
                buildRate(.random)),
            Bar("loading a file of 1,000,000 nodes", atLeast: 4e5) {
                worst($0, ["load.nodes-per-second"], isMillion)
            },
            Bar(
                "used bytes a node, 1,000,000 nodes", atMost: 72, .bytes, ["memory.used"],
                isMillion),
            Bar(
                "longest single creation up to 1,000,000 nodes", atMost: 1_000, .microseconds,
                ["create.worst"], isMillion),
            Bar("moving 100,000 nodes, up to depth 100", atMost: 1_000, .nanoseconds, ["move"]) {
                isTenth($0) && $0.registrations == 0
            },
            Bar(
                "deleting 100,000 nodes, a node, until gone", atMost: 300, .nanoseconds,
                ["delete.gone"], isTenth),
            Bar(
                "reclaiming deleted nodes, a node", atMost: 350, .nanoseconds,
                ["delete.reclaim"], isTenth),
            Bar(
                "longest slice of reclaiming", atMost: 100, .microseconds,
                ["delete.slice.worst"], isTenth),
        ]
    }
}
