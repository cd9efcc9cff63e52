// Random scripts through oracle and engine: every notification, value, explanation and order.

import Testing
import TraitEngine

@Suite struct RandomScriptTests {
    /// One test's share of the scripts: seeds `first ..< first + count`.
    struct Batch: Sendable, CustomTestStringConvertible {
        let plan: ScriptGenerator.Plan
        let first: UInt64
        let count: Int
        let stepCount: Int

        var testDescription: String {
            "\(plan.shape.rawValue), seeds \(first)..<\(first + UInt64(count))"
                + (plan.hasManyTraits ? ", many traits" : "")
        }
    }

    static let wide = (0..<4).map { part in
        Batch(
            plan: .init(shape: .wide, nodesMax: 24), first: 1_000 * UInt64(part), count: 110,
            stepCount: 12)
    }

    static let deep = (0..<4).map { part in
        Batch(
            plan: .init(shape: .deep, chainLength: 14, nodesMax: 34),
            first: 10_000 + 1_000 * UInt64(part), count: 110, stepCount: 10)
    }

    static let special = [
        Batch(
            plan: .init(shape: .wide, hasManyTraits: true, nodesMax: 16), first: 20_000, count: 100,
            stepCount: 12),
        Batch(
            plan: .init(shape: .deep, hasManyTraits: true, nodesMax: 24), first: 30_000, count: 100,
            stepCount: 12),
        Batch(
            plan: .init(shape: .deep, chainLength: 280, nodesMax: 320), first: 40_000, count: 6,
            stepCount: 16),
    ]

    @Test(
        "Engine and rules agree after every step of a random script",
        arguments: wide + deep + special)
    func agree(_ batch: Batch) {
        var tally: [String: Int] = [:]
        for seed in batch.first..<batch.first + UInt64(batch.count) {
            guard let counts = run(seed, batch) else { return }
            tally.merge(counts) { $0 + $1 }
        }
        for what in ["commit", "rollback", "undo", "watch", "nothing", "move", "detach"] {
            #expect(tally[what, default: 0] >= batch.count / 4, "\(what) in \(batch)")
        }
        #expect(tally["told", default: 0] >= batch.count / 2)
        let structures =
            ["deep with tops"] + (batch.plan.shape == .wide ? ["grouped children"] : [])
        for what in ["shielded", "detached listener"] + structures {
            #expect(tally[what, default: 0] > 0, "\(what) in \(batch)")
        }
        if batch.plan.shape == .deep {
            #expect(tally["deepest", default: 0] >= batch.plan.chainLength * batch.count)
        }
    }

    /// Runs one script; nil after a failure, which is recorded.
    private func run(_ seed: UInt64, _ batch: Batch) -> [String: Int]? {
        var generator = ScriptGenerator(seed: seed, plan: batch.plan)
        let propagation: Propagation = seed % 4 == 3 ? .legacy : .unified
        let sizes: StructureSizes = seed % 2 == 0 ? .tiny : .init()
        let updates: UpdateMode = seed % 8 < 4 ? .layout : .immediate
        var script = Script(
            propagation: propagation, updates: updates, steps: [], sizes: sizes)
        var lockstep = Lockstep(propagation: propagation, updates: updates, sizes: sizes)
        do {
            for number in 0..<batch.stepCount {
                let step =
                    switch number {
                    case 0: generator.start()
                    case 1: generator.populate(lockstep.oracle)
                    default: generator.next(lockstep.oracle)
                    }
                script.steps.append(step)
                let before = lockstep.oracle.state
                let outcome = try lockstep.take(step)
                note(step, outcome, before, lockstep.oracle.state, &generator.tally)
                note(lockstep.engine, &generator.tally)
            }
            return generator.tally
        } catch {
            let shrunk = script.shrunk()
            let failure = shrunk.failure() ?? "\(error), not when run again"
            Issue.record("seed \(seed) of \(batch)\n\(failure)\n\(shrunk)")
            return nil
        }
    }

    /// Counts the uses of what only large trees need.
    private func note(_ engine: EngineDriver?, _ tally: inout [String: Int]) {
        guard let hierarchy = engine?.hierarchy else { return }
        if hierarchy.topCount > 1 { tally["deep with tops", default: 0] += 1 }
        if hierarchy.visitedWatchGroups > 0 { tally["grouped children", default: 0] += 1 }
    }

    /// Counts what makes a script worth running.
    private func note(
        _ step: Step, _ outcome: Outcome?, _ before: OracleState, _ state: OracleState,
        _ tally: inout [String: Int]
    ) {
        guard case .transaction(let operations, _) = step, let outcome else { return }
        tally["told", default: 0] += outcome.told.count
        let parents = state.traitParents()
        let paths = state.nodes.keys.map { [$0] + state.ancestors(of: $0, parents) }
        if before.nodes.isEmpty {
            tally["deepest", default: 0] += paths.map(\.count).max() ?? 0
        }
        let told = Set(outcome.told.map(\.listener))
        for (id, listener) in state.registrations {
            let path = [listener.node] + state.ancestors(of: listener.node, parents)
            if let root = path.last, !state.isRoot(root) {
                tally["detached listener", default: 0] += 1
            }
            for case .set(_, let node, let trait, _) in operations
            where listener.traits.contains(trait) && !told.contains(id) {
                guard let position = path.firstIndex(of: node) else { continue }
                let between = path[..<position]
                if between.contains(where: { state.nodes[$0]?.overrides[trait] != nil }) {
                    tally["shielded", default: 0] += 1
                }
            }
        }
    }
}
