// Random scripts through oracle and engine: every notification, value, explanation and order. A
// handful here, with all that a debug build checks; the command TraitOracle runs thousands.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct RandomScriptTests {
    static let batches = ScriptGenerator.Plan.all.enumerated().map { number, plan in
        ScriptBatch(
            plan: plan, first: UInt64(number) * 10_000, count: plan.chainLength > 128 ? 1 : 8,
            stepCount: 12, thoroughEvery: 4)
    }

    @Test(
        "Engine and rules agree on what every step of a random script tells and touches",
        arguments: batches)
    func agree(_ batch: ScriptBatch) {
        if let failure = batch.run().failure { Issue.record("\(failure)") }
    }
}
