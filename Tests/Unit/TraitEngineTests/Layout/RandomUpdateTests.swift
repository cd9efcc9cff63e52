// Random updates step by step, with handlers that write, move, make, delete, register and update
// in between. A few here; the command TraitOracle runs more and longer ones.

import Testing

@testable import TraitOracle

@Suite struct RandomUpdateTests {
    @Test("Updates whose handlers change anything go as the rules say")
    func agree() {
        let batch = ScriptBatch(
            plan: .init(shape: .wide, nodesMax: 18, isStepwise: true), first: 0, count: 12,
            stepCount: 18)
        if let failure = batch.run().failure { Issue.record("\(failure)") }
    }
}
