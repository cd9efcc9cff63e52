// Random scripts through oracle and engine: every notification, value, explanation and order. Some
// hundred here; the command TraitOracle runs thousands.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct RandomScriptTests {
    static let wide = (0..<4).map { part in
        ScriptBatch(
            plan: .init(shape: .wide, nodesMax: 24), first: 1_000 * UInt64(part), count: 225,
            stepCount: 12, thoroughEvery: 4)
    }

    static let deep = (0..<4).map { part in
        ScriptBatch(
            plan: .init(shape: .deep, chainLength: 14, nodesMax: 34),
            first: 10_000 + 1_000 * UInt64(part), count: 225, stepCount: 10)
    }

    static let special = [
        ScriptBatch(
            plan: .init(shape: .wide, hasManyTraits: true, nodesMax: 16), first: 20_000, count: 100,
            stepCount: 12, thoroughEvery: 4),
        ScriptBatch(
            plan: .init(shape: .deep, hasManyTraits: true, nodesMax: 24), first: 30_000, count: 100,
            stepCount: 12, thoroughEvery: 4),
        ScriptBatch(
            plan: .init(shape: .deep, chainLength: 280, nodesMax: 320), first: 40_000, count: 6,
            stepCount: 16, thoroughEvery: 4),
    ]

    @Test(
        "Engine and rules agree on what every step of a random script tells and touches",
        arguments: wide + deep + special)
    func agree(_ batch: ScriptBatch) {
        let outcome = batch.run()
        if let failure = outcome.failure { Issue.record("\(failure)") }
        for lack in batch.lacks(in: outcome.tally) { Issue.record("\(lack)") }
    }
}
