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
    ]

    /// Of 1,000 scripts.
    fileprivate static let shares = [400, 390, 50, 50, 10, 60, 40]

    var name: String {
        "\(shape.rawValue), \(chainLength) levels" + (hasManyTraits ? ", many traits" : "")
            + (isStepwise ? ", updated step by step" : "")
    }
}

extension ScriptBatch {
    /// So many scripts of all plans, in batches that take about as long; never a seed twice.
    static func shares(
        of count: Int, stepCount: Int, first: UInt64, thoroughEvery: Int
    ) -> [ScriptBatch] {
        var batches: [ScriptBatch] = []
        for (number, plan) in ScriptGenerator.Plan.all.enumerated() {
            var left = max(1, count * ScriptGenerator.Plan.shares[number] / 1_000)
            var seed = first + UInt64(number) * 1_000_000
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
}
