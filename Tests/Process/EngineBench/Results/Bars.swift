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
    /// The largest median among the figures of these names that meet the condition.
    private static func worst(
        _ names: [String], _ condition: @escaping (Subject) -> Bool = { _ in true }
    ) -> ([Measurement]) -> Double? {
        { measurements in
            measurements.filter { names.contains($0.name) && condition($0.subject) }
                .map(\.sample.median).max()
        }
    }

    /// Nodes a second out of nanoseconds a node.
    private static func buildRate(_ shape: Shape) -> ([Measurement]) -> Double? {
        { measurements in
            worst(["build"]) { $0.shape == shape && $0.nodes == 1_000_000 }(measurements)
                .map { 1e9 / $0 }
        }
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
                let large = figures.first(where: { $0.subject.nodes == 1_000_000 })
            else { return nil }
            return large.sample.median / small.sample.median
        }.max()
    }

    private static let million = 1_000_000

    static var all: [Bar] { reading + writing + structure }

    private static var reading: [Bar] {
        [
            Bar(
                title: "one trait of 1,000,000 nodes, isolated", target: 150, unit: .nanoseconds,
                measured: worst(["resolve.one.isolated"]) {
                    $0.shape == .wide && $0.nodes == million
                }),
            Bar(
                title: "one trait of 1,000,000 nodes, overlapping", target: 60, unit: .nanoseconds,
                measured: worst(["resolve.one.overlapping"]) {
                    $0.shape == .wide && $0.nodes == million
                }),
            Bar(
                title: "one trait of 1,000,000 nodes, right after a commit", target: 250,
                unit: .nanoseconds,
                measured: worst(["resolve.one.after-commit"]) {
                    $0.shape == .wide && $0.nodes == million
                }),
            Bar(
                title: "one trait, 1,000,000 nodes against 1,000", target: 6, unit: .ratio,
                measured: growth),
            Bar(
                title: "one trait in a chain of 10,000, warm", target: 1_000, unit: .nanoseconds,
                measured: worst(["resolve.one.isolated", "resolve.absent.isolated"]) {
                    $0.shape == .chain && $0.nodes == 10_000
                }),
            Bar(
                title: "first read of a path of 10,000", target: 60, unit: .microseconds,
                measured: worst(["resolve.one.first"]) { $0.nodes == 10_000 && $0.detail.isEmpty }),
            Bar(
                title: "all 42 traits of 1,000,000 nodes, isolated", target: 400,
                unit: .nanoseconds,
                measured: worst(["resolve.all.isolated"]) {
                    $0.shape == .wide && $0.nodes == million
                }),
            Bar(
                title: "all 42 traits in a chain of 10,000", target: 4_000, unit: .nanoseconds,
                measured: worst(["resolve.all.isolated"]) {
                    $0.shape == .chain && $0.nodes == 10_000
                }),
            Bar(
                title: "identifier of 8 bytes among up to 100,000, isolated", target: 60,
                unit: .nanoseconds,
                measured: worst(["lookup.isolated"]) {
                    $0.detail == "8 bytes" && $0.nodes <= 100_000
                }),
            Bar(
                title: "identifier of 8 bytes among 1,000,000, isolated", target: 150,
                unit: .nanoseconds,
                measured: worst(["lookup.isolated"]) {
                    $0.detail == "8 bytes" && $0.nodes == million
                }),
        ]
    }

    private static let overrideNames = ["override.new", "override.change", "override.remove"]

    private static var writing: [Bar] {
        [
            Bar(
                title: "root override, 1,000,000 nodes, 1,000 notified, warm", target: 150_000,
                unit: .nanoseconds,
                measured: worst(overrideNames) {
                    $0.shape == .wide && $0.nodes == million && $0.registrations == 1_000
                        && $0.overridingPercent == 0 && $0.detail == "at the root"
                }),
            Bar(
                title: "root override, 1,000,000 nodes, 1,000 notified, caches emptied",
                target: 250_000, unit: .nanoseconds,
                measured: worst(overrideNames) {
                    $0.shape == .wide && $0.nodes == million && $0.registrations == 1_000
                        && $0.overridingPercent == 0 && $0.detail == "at the root, caches emptied"
                }),
            Bar(
                title: "root override, 1,000,000 nodes, nothing watched", target: 250,
                unit: .nanoseconds,
                measured: worst(overrideNames) {
                    $0.nodes == million && $0.registrations == 0 && $0.detail == "at the root"
                }),
            Bar(
                title: "each of 100,000 notified on 100,000 nodes", target: 150, unit: .nanoseconds,
                measured: worst(["notify.each"]) {
                    $0.nodes == 100_000 && $0.registrations == 100_000
                }),
            Bar(
                title: "each of 100,000 notified on 1,000,000 nodes", target: 250,
                unit: .nanoseconds,
                measured: worst(["notify.each"]) {
                    $0.nodes == million && $0.registrations == 100_000
                }),
            Bar(
                title: "each notified of 1,000,000 registrations for 42 traits", target: 500,
                unit: .nanoseconds, measured: worst(["notify.each"]) { $0.registrations == million }
            ),
            Bar(
                title: "one parent of 1,000,000 watched children, 1,000 reached", target: 300,
                unit: .microseconds,
                measured: worst(["notify.crowded"]) { $0.nodes == million }),
            Bar(
                title: "watched nodes visited when all ten children shield", target: 11,
                unit: .visits,
                measured: worst(["shielded.visits"])),
            Bar(
                title: "taking a snapshot of 1,000,000 nodes", target: 100, unit: .microseconds,
                measured: worst(["snapshot.take"]) { $0.nodes == million }),
            Bar(
                title: "writes while a snapshot is alive, against without", target: 1.5,
                unit: .ratio,
                measured: worst(["snapshot.writes"]) { $0.nodes == million }),
        ]
    }

    private static var structure: [Bar] {
        [
            Bar(
                title: "building 1,000,000 nodes in order", target: 3e6, unit: .perSecond,
                isFloor: true, measured: buildRate(.wide)),
            Bar(
                title: "building 1,000,000 nodes below random parents", target: 1.5e6,
                unit: .perSecond,
                isFloor: true, measured: buildRate(.random)),
            Bar(
                title: "loading a file of 1,000,000 nodes", target: 4e5, unit: .perSecond,
                isFloor: true,
                measured: { measurements in
                    measurements.first {
                        $0.name == "load.nodes-per-second" && $0.subject.nodes == million
                    }?.sample.median
                }),
            Bar(
                title: "used bytes a node, 1,000,000 nodes", target: 72, unit: .bytes,
                measured: worst(["memory.used"]) { $0.nodes == million }),
            Bar(
                title: "longest single creation up to 1,000,000 nodes", target: 1_000,
                unit: .microseconds, measured: worst(["create.worst"]) { $0.nodes == million }),
            Bar(
                title: "moving 100,000 nodes, up to depth 100", target: 1_000, unit: .nanoseconds,
                measured: worst(["move"]) { $0.nodes > 100_000 && $0.registrations == 0 }),
            Bar(
                title: "deleting 100,000 nodes, a node, until gone", target: 300,
                unit: .nanoseconds,
                measured: worst(["delete.gone"]) { $0.nodes > 90_000 }),
            Bar(
                title: "reclaiming deleted nodes, a node", target: 350, unit: .nanoseconds,
                measured: worst(["delete.reclaim"]) { $0.nodes > 90_000 }),
            Bar(
                title: "longest slice of reclaiming", target: 100, unit: .microseconds,
                measured: worst(["delete.slice.worst"]) { $0.nodes > 90_000 }),
        ]
    }
}
