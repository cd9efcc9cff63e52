// What came of a number of scripts.

import SessionLog
import SessionLogTestSupport

package struct ScriptOutcome: Sendable {
    package var failure: String?
    /// How often which kind of thing was done.
    package var tally: [String: Int] = [:]

    package init(failure: String) { self.failure = failure }

    /// Runs the scripts of these seeds, up to the first that fails.
    ///
    /// - Parameter disk: a log on disk for every other pair of documents; nil for none.
    package init(
        of seeds: Range<UInt64>, stepCount: Int = 40, thoroughEvery: Int = 5,
        disk: (any SessionLog)? = nil
    ) {
        for seed in seeds {
            var script = ScriptRun(
                seed: seed, stepCount: stepCount, thoroughEvery: thoroughEvery)
            failure = script.run()
            tally.merge(script.tally) { $0 + $1 }
            if failure != nil { return }
            var applying = ApplyRun(seed: seed)
            failure = applying.run()
            tally.merge(applying.tally) { $0 + $1 }
            if failure != nil { return }
            let log = seed / 4 % 2 == 0 ? disk : nil
            failure = PairRun(seed: seed).run(on: log ?? MemoryLog())
            if failure != nil { return }
            tally["pair of documents", default: 0] += 1
            var streaming = StreamRun(seed: seed)
            failure = streaming.run()
            for (what, count) in streaming.tally { tally["stream " + what, default: 0] += count }
            if failure != nil { return }
        }
    }

    /// What scripts should have done more of: else they prove nothing.
    package static func lacks(_ tally: [String: Int], scripts: Int) -> [String] {
        // Of a hundred scripts.
        let wanted = [
            "commit": 1_200, "refused": 300, "dry run": 100, "resumed stream": 400,
            "resumed record": 2_000, "apply accepted": 100, "stream revision": 5_000,
            "stream digest": 1_200, "stream bookmark": 800, "stream reset": 300,
            "stream resumed": 300, "stream gap": 40, "pair of documents": 100, "stream refused": 50,
            "stream end": 100,
        ]
        return wanted.sorted { $0.key < $1.key }.compactMap { what, least in
            let number = tally[what, default: 0]
            return number * 100 >= least * scripts
                ? nil : "\(number) of \(what) in \(scripts) scripts"
        }
    }
}
