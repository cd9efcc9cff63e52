// Random streams compared with the model. `.ci/checked RunSessionScripts` runs the same in a release build, thousands of
// times, and `Tests/Random/Museum/sessions` plants faults that the comparison must notice.

import SessionScripts
import Testing

@Suite("Random streams")
struct RandomStreamTests {
    @Test("Streams send what the model expects, with the right digests", arguments: 0..<4)
    func model(share: UInt64) {
        var tally: [String: Int] = [:]
        for seed in share * 25..<share * 25 + 25 {
            var run = StreamRun(seed: seed)
            let failure = run.run()
            #expect(failure == nil)
            if failure != nil { return }
            tally.merge(run.tally) { $0 + $1 }
        }
        // With fewer records the comparison would prove little.
        for (what, least) in [
            ("revision", 500), ("digest", 300), ("bookmark", 200), ("reset", 30), ("gap", 5),
            ("resumed", 18), ("refused", 1), ("end", 3),
        ] {
            #expect(tally[what, default: 0] >= least, "\(what): \(tally)")
        }
    }

    // A bookmark with the digest of a smaller set; a client that left before the state of a returned watch.
    @Test("Scripts that once differed do so no more", arguments: [707, 782] as [UInt64])
    func pastFaults(seed: UInt64) {
        var run = StreamRun(seed: seed)
        let failure = run.run()
        #expect(failure == nil)
    }
}
