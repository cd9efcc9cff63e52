// One random hierarchy with updates step by step, whose handlers write, move, make, delete,
// register and update in between: engine and rules must name the same steps in the same order.

import TraitEngine

/// A script of commits and stepwise updates that grows from its seed. It is not cut down when it
/// fails, as what a handler does hangs on the step that it is called for.
struct UpdateRun {
    private let seed: UInt64
    private let batch: ScriptBatch
    private var lockstep: Lockstep
    private var generator: ScriptGenerator
    private var actionsLeft = 0
    private var stepsLeft: Int
    /// Everything is compared after so many updates, and at the end; after the others the steps
    /// were compared, and what the transactions touched.
    private var updatesLeft = 1
    private var isOver: Bool { stepsLeft <= 0 }
    private(set) var tally: [String: Int] = [:]
    /// What was done, for a person to read.
    private var record: [String] = []

    init(seed: UInt64, _ batch: ScriptBatch) {
        self.seed = seed
        self.batch = batch
        stepsLeft = batch.stepCount
        generator = ScriptGenerator(seed: seed, plan: batch.plan)
        lockstep = Lockstep(
            propagation: seed % 4 == 3 ? .legacy : .unified, updates: .layout,
            sizes: seed % 2 == 0 ? .tiny : .init())
        lockstep.thoroughEvery = batch.thoroughEvery
        record.append("propagation \(lockstep.oracle.state.propagation)")
    }

    /// The failure with everything that led to it; nil when engine and rules agree.
    mutating func run() -> String? {
        do {
            try take(generator.start())
            try take(generator.populate(lockstep.oracle))
            try update(of: nil, level: 0)
            while !isOver {
                try take(generator.next(lockstep.oracle))
                try take(generator.next(lockstep.oracle))
                actionsLeft = 4
                let isOne = generator.random.chance(30)
                let node = isOne ? generator.pickNode(lockstep.oracle.state) : nil
                try update(of: node, level: 0)
            }
            try lockstep.compareEverything()
            return nil
        } catch {
            return "seed \(seed) of \(batch)\n\(error)\n\(record.joined(separator: "\n"))"
        }
    }

    /// Transactions only; everything is final at once.
    private mutating func take(_ step: Step) throws {
        stepsLeft -= 1
        guard case .transaction(let all, _) = step else { return }
        let operations = all.filter {
            if case .updateTraits = $0 { return false }
            return true
        }
        record += operations.map { "\($0)" } + ["commit"]
        _ = try lockstep.take(.transaction(operations, keep: true))
        _ = try lockstep.take(.acknowledge)
    }

    private mutating func update(of node: String?, level: Int) throws {
        guard let engine = lockstep.engine else { return }
        stepsLeft -= 1
        record.append("update \(node ?? "everything") {")
        let climbs = node != nil && generator.random.chance(30)
        let update = engine.hierarchy.startUpdate(of: try node.map(engine.node), climbs: climbs)
        var rules = OracleUpdate(of: node, climbs: climbs, lockstep.oracle.state)
        if node != nil { count(climbs ? "of one node and above" : "of one node") }
        var told: Set<String> = []
        while true {
            let expected = rules.next(&lockstep.oracle)
            let step = try engine.next(update)
            if step != expected {
                throw Mismatch(
                    what: "step of \(node ?? "everything")",
                    engine: step.map { "\($0)" } ?? "none",
                    rules: expected.map { "\($0)" } ?? "none")
            }
            guard let step else { break }
            record.append("step \(step.node) \(step.listener ?? "-") \(step.changed)")
            if step.listener != nil { count("called") }
            let isFirst = step.listener == nil && step.isFirst
            if isFirst { count("environment") }
            if isFirst, !told.insert(step.node).inserted { count("another pass") }
            if generator.random.chance(35) { try handle(level) }
            if generator.random.chance(2) {
                count("cancelled")
                record.append("cancel")
                update.cancel()
                break
            }
        }
        record.append("}")
        updatesLeft -= 1
        if updatesLeft > 0 { return }
        updatesLeft = batch.thoroughEvery
        try engine.compareEverything(with: lockstep.oracle)
    }

    private mutating func handle(_ level: Int) throws {
        if actionsLeft == 0 { return }
        actionsLeft -= 1
        count("handler")
        if level < 2, generator.random.chance(25) {
            count("nested")
            return try update(of: generator.pickNode(lockstep.oracle.state), level: level + 1)
        }
        if generator.random.chance(20), try replace() { return }
        try take(generator.next(lockstep.oracle))
    }

    /// A node goes, and a new one gets its place in memory. Whether there is a node that can go so.
    private mutating func replace() throws -> Bool {
        let state = lockstep.oracle.state
        guard let id = generator.pickNode(state),
            let node = state.nodes[id],
            let parent = node.parent
        else { return false }
        count("replaced")
        try take(.transaction([.delete(id)], keep: true))
        let new = Operation.create(
            generator.name("n"), node.kind, parent: parent, controller: nil, label: nil)
        try take(.transaction([new], keep: true))
        return true
    }

    private mutating func count(_ what: String) { tally[what, default: 0] += 1 }
}

extension EngineDriver {
    /// The next step in names.
    fileprivate func next(_ update: TraitUpdate) throws -> UpdateStep? {
        guard let step = try update.next() else { return nil }
        var listener: String?
        if case .registration(let registration) = step.reason {
            listener = hierarchy.registrationInfo(registration).identifier
        }
        let changed = step.changed.map { hierarchy.definitions[$0].key }.sorted()
        let isFirst = step.reason == .environment
        return UpdateStep(
            listener: listener, isFirst: isFirst,
            isLast: isFirst ? !step.hasRegistrations : step.reason == .notified,
            node: name(step.node), previous: values(step.previous),
            current: values(step.current), changed: changed,
            dynamics: step.dynamicChanges.map(Self.describe),
            invalidations: step.invalidations.map(describe))
    }

    private func values(_ collection: TraitCollection) -> [String: TraitValue] {
        var values: [String: TraitValue] = [:]
        for trait in collection.nonDefaultTraits {
            values[hierarchy.definitions[trait].key] = collection[trait]
        }
        return values
    }
}
