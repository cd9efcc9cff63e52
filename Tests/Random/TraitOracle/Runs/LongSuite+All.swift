// The suites of the command. The debug tests run a little of each.

extension LongSuite {
    static let names = ["short", "snapshots", "trees", "scripts"]

    /// The suites that go by a name of the command line.
    static func suites(_ name: String, _ options: Command.Options) -> [LongSuite] {
        switch name {
        case "short": [shortScripts]
        case "snapshots": [snapshots]
        case "trees": [smallTrees, deepTrees]
        default: longScripts(options)
        }
    }

    private static let shortScripts = LongSuite(
        name: "Short random scripts",
        parts: ScriptBatch.short.map { batch in
            LongRun("\(batch)") {
                var outcome = batch.run()
                if outcome.failure == nil { outcome.failure = batch.lacks(in: outcome.tally).first }
                return outcome
            }
        })

    private static let snapshots = LongSuite(
        name: "Snapshots of random scripts",
        parts: (1...4 as ClosedRange<UInt64>).map { seed in
            LongRun("a large hierarchy, seed \(seed)", doing: { try ChurnRun(seed: seed).run() })
        }
            + (0..<4 as Range<UInt64>).map { part in
                let run = SnapshotRun(first: part * 1_000)
                return LongRun(
                    "scripts, seeds \(run.first)..<\(run.first + UInt64(run.count))",
                    doing: run.run)
            })

    private static let smallTrees = LongSuite(
        name: "Every small tree",
        parts: SmallTreesRun.starts.map { start in
            LongRun("\(start)") {
                // With an update in each commit five nodes take too long.
                _ = try SmallTreesRun.run(start, countMax: start.updates == .immediate ? 5 : 4)
                return ScriptOutcome()
            }
        })

    private static let deepTrees = LongSuite(
        name: "Deep trees",
        parts: [
            LongRun("ten thousand levels", doing: { try DeepTreeRun.bottom(levelCount: 10_000) })
        ]
            + (1...3 as ClosedRange<UInt64>).map { seed in
                LongRun("two chains, seed \(seed)", doing: DeepTreeRun(seed: seed).run)
            })

    /// A suite for each plan.
    private static func longScripts(_ options: Command.Options) -> [LongSuite] {
        let batches = ScriptBatch.shares(
            of: options.scripts, after: options.after, stepCount: options.steps,
            first: UInt64(options.seed), thoroughEvery: options.thorough)
        let plans = Dictionary(grouping: batches, by: \.plan.name)
        return plans.sorted { $0.key < $1.key }.map { name, all in
            var whole = all[0]
            whole.count = all.reduce(0) { $0 + $1.count }
            return LongSuite(
                name: "Scripts, \(name)",
                parts: all.map { batch in LongRun("\(batch)") { batch.run() } },
                lacks: { [whole] in whole.lacks(in: $0) })
        }
    }
}
