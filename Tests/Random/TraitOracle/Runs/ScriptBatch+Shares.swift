// Which scripts there are: trees of several shapes.

extension ScriptGenerator.Plan {
    static let all = [
        ScriptGenerator.Plan(shape: .wide, nodesMax: 24),
        ScriptGenerator.Plan(shape: .deep, chainLength: 14, nodesMax: 34),
        ScriptGenerator.Plan(shape: .wide, hasManyTraits: true, nodesMax: 16),
        ScriptGenerator.Plan(shape: .deep, hasManyTraits: true, nodesMax: 24),
        ScriptGenerator.Plan(shape: .deep, chainLength: 280, nodesMax: 300),
        ScriptGenerator.Plan(shape: .wide, nodesMax: 18, isStepwise: true),
        ScriptGenerator.Plan(shape: .deep, nodesMax: 30, isStepwise: true),
        ScriptGenerator.Plan(shape: .wide, nodesMax: 20, attachesPredicted: true),
    ]

    /// Of 1,000 scripts; the last are more.
    fileprivate static let shares = [400, 390, 50, 50, 10, 60, 40, 20]

    /// How many of this plan are among so many scripts. Updates, predictions and many traits are cheap
    /// and find what nothing else does: those of the first 5,000 scripts all come with the first 1,000.
    fileprivate func count(amongFirst scripts: Int, share: Int) -> Int {
        let isEarly = isStepwise || attachesPredicted || hasManyTraits
        let all = isEarly && scripts < 5_000 ? min(scripts * 5, 5_000) : scripts
        return all * share / 1_000
    }

    var name: String {
        "\(shape.rawValue), \(chainLength) levels" + (hasManyTraits ? ", many traits" : "")
            + (isStepwise ? ", updated step by step" : "")
            + (attachesPredicted ? ", predictions" : "")
    }
}

extension ScriptBatch {
    /// So many scripts of all plans, in batches that take about as long; never a seed twice. They
    /// are those that come after the first `skipped` ones, which another run has had.
    static func shares(
        of count: Int, after skipped: Int, stepCount: Int, first: UInt64, thoroughEvery: Int
    ) -> [ScriptBatch] {
        var batches: [ScriptBatch] = []
        for (number, plan) in ScriptGenerator.Plan.all.enumerated() {
            let before = plan.count(amongFirst: skipped, share: ScriptGenerator.Plan.shares[number])
            let all = plan.count(
                amongFirst: skipped + count, share: ScriptGenerator.Plan.shares[number])
            var left = skipped > 0 ? all - before : max(1, all)
            var seed = first + UInt64(number) * 1_000_000 + UInt64(before)
            let size = plan.chainLength > 100 ? 5 : 50
            while left > 0 {
                let some = min(left, size)
                batches.append(
                    ScriptBatch(
                        plan: plan, first: seed, count: some, stepCount: stepCount,
                        thoroughEvery: thoroughEvery))
                seed += UInt64(some)
                left -= some
            }
        }
        return batches.sorted { $0.plan.chainLength > $1.plan.chainLength }
    }

    /// Many short ones: what a script does first is done from many seeds, and compared more often.
    static let short: [ScriptBatch] = {
        let wide = (0..<4 as Range<UInt64>).map { part in
            ScriptBatch(
                plan: .init(shape: .wide, nodesMax: 24), first: 1_000 * part, count: 225,
                stepCount: 12, thoroughEvery: 4)
        }
        let deep = (0..<4 as Range<UInt64>).map { part in
            ScriptBatch(
                plan: .init(shape: .deep, chainLength: 14, nodesMax: 34),
                first: 10_000 + 1_000 * part, count: 225, stepCount: 10)
        }
        let special = [
            ScriptBatch(
                plan: .init(shape: .wide, hasManyTraits: true, nodesMax: 16), first: 20_000,
                count: 100, stepCount: 12, thoroughEvery: 4),
            ScriptBatch(
                plan: .init(shape: .deep, hasManyTraits: true, nodesMax: 24), first: 30_000,
                count: 100, stepCount: 12, thoroughEvery: 4),
            ScriptBatch(
                plan: .init(shape: .deep, chainLength: 280, nodesMax: 320), first: 40_000,
                count: 6, stepCount: 16, thoroughEvery: 4),
        ]
        let stepwise = (0..<4 as Range<UInt64>).map { part in
            ScriptBatch(
                plan: .init(shape: .wide, nodesMax: 18, isStepwise: true), first: 10_000 * part,
                count: 40, stepCount: 18)
        }
        return wide + deep + special + stepwise
    }()
}
