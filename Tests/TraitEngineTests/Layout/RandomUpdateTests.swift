// Random updates step by step, with handlers that write, move, make, delete, register and update
// in between. Some here; the command TraitOracle runs more and longer ones.

import Testing

@testable import TraitOracle

@Suite struct RandomUpdateTests {
    static let batches = (0..<4).map { part in
        ScriptBatch(
            plan: .init(shape: .wide, nodesMax: 18, isStepwise: true),
            first: UInt64(part) * 10_000, count: 40, stepCount: 18)
    }

    @Test("Updates whose handlers change anything go as the rules say", arguments: batches)
    func agree(_ batch: ScriptBatch) {
        let outcome = batch.run()
        if let failure = outcome.failure { Issue.record("\(failure)") }
        for lack in batch.lacks(in: outcome.tally) { Issue.record("\(lack)") }
    }
}
