// One random script: made step by step while it runs, cut down when it fails.

import TraitEngine

/// A script that grows from its seed.
struct ScriptRun {
    private let seed: UInt64
    private let batch: ScriptBatch
    private var generator: ScriptGenerator
    private var script: Script
    private(set) var tally: [String: Int] = [:]

    init(seed: UInt64, _ batch: ScriptBatch) {
        self.seed = seed
        self.batch = batch
        generator = ScriptGenerator(seed: seed, plan: batch.plan)
        script = Script(
            propagation: seed % 4 == 3 ? .legacy : .unified,
            updates: seed % 8 < 4 ? .layout : .immediate, steps: [],
            sizes: seed % 2 == 0 ? .tiny : .init())
    }

    /// The failure, cut down; nil when engine and rules agree.
    mutating func run() -> String? {
        var lockstep = Lockstep(
            propagation: script.propagation, updates: script.updates, sizes: script.sizes)
        lockstep.thoroughEvery = batch.thoroughEvery
        do {
            for number in 0..<batch.stepCount {
                let step =
                    switch number {
                    case 0: generator.start()
                    case 1: generator.populate(lockstep.oracle)
                    default: generator.next(lockstep.oracle)
                    }
                script.steps.append(step)
                let outcome = try lockstep.take(step)
                note(step, outcome, lockstep.oracle.state)
                note(lockstep.engine)
            }
            try lockstep.compareEverything()
            tally.merge(generator.tally) { $0 + $1 }
            return nil
        } catch {
            let shrunk = script.shrunk()
            let failure = shrunk.failure() ?? "\(error), not when run again"
            return "seed \(seed) of \(batch)\n\(failure)\n\(shrunk)"
        }
    }

    private mutating func count(_ what: String, _ number: Int = 1) {
        tally[what, default: 0] += number
    }

    /// Counts the uses of what only large trees need.
    private mutating func note(_ engine: EngineDriver?) {
        guard let hierarchy = engine?.hierarchy else { return }
        if hierarchy.topCount > 1 { count("deep with tops") }
        if hierarchy.visitedWatchGroups > 0 { count("grouped children") }
    }

    /// Counts what makes a script worth running.
    private mutating func note(_ step: Step, _ outcome: Outcome?, _ state: OracleState) {
        guard case .transaction(let operations, _) = step, let outcome else { return }
        if !outcome.isUnchanged { for operation in operations { count(operation.word) } }
        count("told", outcome.told.count)
        count("colour or image", outcome.told.count { !$0.dynamics.isEmpty })
        count("invalidation", outcome.invalidations.count)
        let parents = state.traitParents()
        if batch.plan.chainLength > 128,
            state.nodes.keys.contains(where: { state.ancestors(of: $0, parents).count >= 128 })
        {
            count("beyond 128 levels")
        }
        let told = Set(outcome.told.map(\.listener))
        for (id, listener) in state.registrations {
            let path = [listener.node] + state.ancestors(of: listener.node, parents)
            if let root = path.last, !state.isRoot(root) { count("detached listener") }
            for case .set(_, let node, let trait, _) in operations
            where listener.traits.contains(trait) && !told.contains(id) {
                guard let position = path.firstIndex(of: node) else { continue }
                let between = path[..<position]
                if between.contains(where: { state.nodes[$0]?.overrides[trait] != nil }) {
                    count("shielded")
                }
            }
        }
    }
}
