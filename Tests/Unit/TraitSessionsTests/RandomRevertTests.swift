// A share of the random reverts, in the build that the other tests use.

import SessionScripts
import Testing

struct RandomRevertTests {
    @Test(
        "A revert leads to the remembered state, whatever came in between, and replays as one commit"
    )
    func reverts() {
        var tally: [String: Int] = [:]
        for seed in UInt64(1)..<71 {
            var run = RevertRun(seed: seed)
            let failure = run.run()
            #expect(failure == nil)
            tally.merge(run.tally) { $0 + $1 }
        }
        #expect(tally["reverted", default: 0] >= 60, "\(tally)")
        #expect(tally["refused in-use", default: 0] >= 1, "\(tally)")
        #expect(tally["gave managers back", default: 0] >= 5, "\(tally)")
        #expect(tally["reverted a part", default: 0] >= 10, "\(tally)")
    }
}
