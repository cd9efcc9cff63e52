// Hierarchies that acknowledge at other moments, or that were restored from a snapshot's facts,
// follow a script: a few here, thousands with `TraitOracle --followed`.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct FollowedTests {
    @Test(
        "What follows a script tells the same and has the same digest at each revision",
        arguments: 0..<8 as Range<UInt64>)
    func follow(_ part: UInt64) {
        var (restored, compared) = (0, 0)
        for seed in part * 100..<part * 100 + 4 {
            let plan = ScriptGenerator.Plan.all[Int(seed % 4)]
            var run = FollowedRun(seed: seed + part, plan, stepCount: 40)
            if let failure = run.run() {
                Issue.record("\(failure)")
                return
            }
            restored += run.restoredCount
            compared += run.comparedCount
        }
        #expect(restored >= 12 && compared > 150)
    }
}
