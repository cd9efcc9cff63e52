// Random scripts through oracle and engine, many in a row, and what they were made of.

import TraitEngine

/// A share of scripts of one plan: seeds `first ..< first + count`.
struct ScriptBatch: Sendable, CustomStringConvertible {
    var plan: ScriptGenerator.Plan
    var first: UInt64
    var count: Int
    var stepCount: Int
    /// Everything is compared after so many steps, and at the end; in between the notifications of a step
    /// and what it could have touched.
    var thoroughEvery = 1

    var description: String {
        "\(plan.name), seeds \(first)..<\(first + UInt64(count))"
    }

    /// What a batch must have done and notified, and how much of it at least in 1,000 steps: else its
    /// scripts prove nothing.
    private var wanted: [String: Int] {
        if plan.isStepwise {
            return [
                "called": 70, "environment": 300, "handler": 100, "nested": 12, "cancelled": 4,
                "of one node": 40, "another pass": 8,
            ]
        }
        var wanted = [
            "commit": 400, "rollback": 25, "undo": 15, "watch": 20, "nothing": 25, "told": 170,
            "move": 55, "detach": 12,
            "detached listener": 100, "set": 200,
            "remove": 60, "register": 100, "invalidation": 20, "setScope": 50,
            "setEnvironment": 20, "updateTraits": 50, "predict": 15, "limits": 15,
            "legacyStyle": 15, "legacyCollection": 15, "deep with tops": 100,
        ]
        wanted["shielded"] = stepCount < 100 ? 12 : 30
        if plan.chainLength > 128 {
            wanted = ["commit": 300, "told": 60, "move": 60, "beyond 128 levels": 120]
        }
        if stepCount >= 100, plan.chainLength < 128 {
            let rare = [
                "refused": 2, "delete": 25, "unregister": 15, "removeScope": 8,
                "colour or image": 8, "removeEnvironment": 6, "deleteTrait": 1, "deleteKey": 1,
                "deleteDynamic": 1,
            ]
            wanted.merge(rare) { $1 }
            wanted["grouped children"] = 1
        }
        return wanted
    }

    /// What a batch should have done more of.
    func lacks(in tally: [String: Int]) -> [String] {
        let steps = count * stepCount
        return wanted.sorted { $0.key < $1.key }.compactMap { what, least in
            let number = tally[what, default: 0]
            if number * 1_000 >= least * steps { return nil }
            return "\(self): \(number) of \(what) in \(steps) steps, wanted \(least) in 1000"
        }
    }

    /// Runs the scripts one after another, up to the first that fails.
    func run() -> ScriptOutcome {
        var outcome = ScriptOutcome()
        for seed in first..<first + UInt64(count) {
            let (failure, tally) = plan.isStepwise ? runUpdates(seed) : runScript(seed)
            outcome.failure = failure
            outcome.tally.merge(tally) { $0 + $1 }
            if outcome.failure != nil { return outcome }
        }
        return outcome
    }

    private func runScript(_ seed: UInt64) -> (failure: String?, tally: [String: Int]) {
        var script = ScriptRun(seed: seed, self)
        let failure = script.run()
        return (failure, script.tally)
    }

    private func runUpdates(_ seed: UInt64) -> (failure: String?, tally: [String: Int]) {
        var updates = UpdateRun(seed: seed, self)
        let failure = updates.run()
        return (failure, updates.tally)
    }
}

struct ScriptOutcome: Sendable {
    /// How often which kind of thing was done and notified.
    var tally: [String: Int] = [:]
    /// The first script that failed, cut down, for people to read.
    var failure: String?
}
