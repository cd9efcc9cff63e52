// A share of the random scripts, in the build that the other tests use.

import SessionScripts
import Testing

struct RandomScriptTests {
    @Test("A session, its follower and what its log rebuilds are the same, revision for revision")
    func scripts() {
        let outcome = ScriptOutcome(of: 1..<13, thoroughEvery: 8)
        #expect(outcome.failure == nil)
    }
}

struct RandomApplyTests {
    @Test(
        "A plan says what the apply of a random document does, and a second apply has nothing to do"
    )
    func applies() {
        var tally: [String: Int] = [:]
        for seed in UInt64(1)..<61 {
            var run = ApplyRun(seed: seed)
            let failure = run.run()
            #expect(failure == nil)
            tally.merge(run.tally) { $0 + $1 }
        }
        #expect(tally["apply accepted", default: 0] >= 60, "\(tally)")
        #expect(tally["apply of a stale plan refused", default: 0] >= 10, "\(tally)")
    }
}

struct RandomPairTests {
    @Test("Whatever two valid documents are, applying one and then the other leads to the other")
    func pairs() {
        // All modes and kinds; `make gate` runs 500 pairs, half of them on disk, and `make nightly` the rest of 5,000.
        // The last two once compared sessions with detached trees that showed a deleted trait.
        for seed in Array(UInt64(0)..<40) + [1_011, 2_239] {
            let failure = PairRun(seed: seed).run()
            #expect(failure == nil)
        }
    }
}
