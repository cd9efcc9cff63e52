// Takes a script step by step through the oracle and the engine and stops at the first answer
// that differs.

import TraitEngine

/// What the engine said and what the rules say.
struct Mismatch: Error, CustomStringConvertible {
    let what: String
    let engine: String
    let rules: String

    var description: String { "\(what)\n    engine: \(engine)\n    rules:  \(rules)" }
}

/// Oracle and, unless a test is about the oracle alone, the engine.
struct Lockstep {
    var oracle: Oracle
    let engine: EngineDriver?
    /// Operations that a rule refused, and undone commits: proof that a script does something.
    private(set) var refusedCount = 0
    /// Everything is compared after so many steps; after the others what they could have touched.
    var thoroughEvery = 1 {
        didSet { stepsLeft = thoroughEvery }
    }
    private var stepsLeft = 1

    init(
        propagation: Propagation, updates: UpdateMode = .immediate, withEngine: Bool = true,
        limits: HierarchyLimits = .init(), sizes: StructureSizes = .init()
    ) {
        oracle = Oracle(propagation: propagation, updates: updates)
        engine =
            withEngine
            ? EngineDriver(
                propagation: propagation, updates: updates, limits: limits, sizes: sizes) : nil
    }

    /// Runs the whole script; whatever names something that is not there is left out.
    static func check(_ script: Script) throws {
        var lockstep = Lockstep(
            propagation: script.propagation, updates: script.updates, sizes: script.sizes)
        for step in script.steps { _ = try lockstep.take(step) }
    }

    /// Takes one step, compares its notifications and then everything there is to see.
    /// - Returns: the outcome of a commit.
    mutating func take(_ step: Step) throws -> Outcome? {
        var outcome: Outcome?
        switch step {
        case .transaction(let operations, let keep): outcome = try transact(operations, keep)
        case .watch(let name, let node, let traits):
            guard oracle.state.nodes[node] != nil, oracle.watches[name] == nil,
                traits.allSatisfy({ oracle.state.traits[$0] != nil })
            else { break }
            if let known = oracle.watch(of: node, traits) {
                try engine?.watchAgain(known, node, traits)
            } else {
                oracle.watch(name, node, traits)
                try engine?.watch(name, node, traits)
            }
        case .unwatch(let name):
            guard oracle.watches[name] != nil else { break }
            oracle.unwatch(name)
            engine?.unwatch(name)
        case .undo:
            if oracle.undo() { engine?.undo() }
        case .acknowledge:
            oracle.acknowledge()
            engine?.acknowledge(Set(oracle.watches.keys))
        }
        try compare(step, outcome)
        return outcome
    }

    private mutating func compare(_ step: Step, _ outcome: Outcome?) throws {
        guard let engine else { return }
        stepsLeft -= 1
        if stepsLeft == 0 {
            stepsLeft = thoroughEvery
            return try engine.compareEverything(with: oracle)
        }
        let touched = oracle.touched(by: step, outcome)
        try engine.compare(touched.nodes, touched.traits, with: oracle)
    }

    /// At the end of a script.
    func compareEverything() throws { try engine?.compareEverything(with: oracle) }

    private mutating func transact(_ operations: [Operation], _ keep: Bool) throws -> Outcome? {
        oracle.begin()
        engine?.hierarchy.begin()
        for operation in operations where oracle.state.knowsNames(in: operation) {
            let refusals = oracle.apply(operation)
            let rule = try engineRefusal(of: operation)
            let isAgreed = rule.map(refusals.contains) ?? refusals.isEmpty
            if engine != nil, !isAgreed {
                throw Mismatch(
                    what: "\(operation)", engine: rule ?? "done",
                    rules: refusals.isEmpty ? "done" : "\(refusals.sorted())")
            }
            if refusals.isEmpty { continue }
            refusedCount += 1
            oracle.rollback()
            engine?.hierarchy.rollback()
            return nil
        }
        guard keep else {
            oracle.rollback()
            engine?.hierarchy.rollback()
            return nil
        }
        let told = engine?.commit()
        let expected = oracle.commit()
        if let told { try expect("commit", told, expected) }
        return expected
    }

    private func engineRefusal(of operation: Operation) throws -> String? {
        do {
            try engine?.apply(operation)
            return nil
        } catch let error as OperationError {
            return error.rule
        }
    }

    private func expect(_ what: String, _ engine: Outcome, _ rules: Outcome) throws {
        if engine == rules { return }
        if engine.revision != rules.revision || engine.isUnchanged != rules.isUnchanged {
            throw Mismatch(
                what: what, engine: "revision \(engine.revision) unchanged \(engine.isUnchanged)",
                rules: "revision \(rules.revision) unchanged \(rules.isUnchanged)")
        }
        if engine.ended != rules.ended {
            throw Mismatch(what: "ended", engine: "\(engine.ended)", rules: "\(rules.ended)")
        }
        let position =
            zip(engine.told, rules.told).enumerated().first { $1.0 != $1.1 }?.offset
            ?? min(engine.told.count, rules.told.count)
        throw Mismatch(
            what: "notification \(position) of revision \(rules.revision)",
            engine: engine.told.dropFirst(position).first.map { "\($0)" } ?? "none",
            rules: rules.told.dropFirst(position).first.map { "\($0)" } ?? "none")
    }
}

extension OracleState {
    /// Whether everything an operation refers to is there: scripts that were cut down may name
    /// what was never made.
    func knowsNames(in operation: Operation) -> Bool {
        func known(_ id: String?) -> Bool { id.map { nodes[$0] != nil } ?? true }
        func known(_ change: Change<String>) -> Bool {
            if case .set(let id) = change { return known(id) }
            return true
        }
        switch operation {
        case .define: return true
        case .deleteTrait(let key): return traits[key] != nil
        case .create(_, _, let parent, let controller, _): return known(parent) && known(controller)
        case .update(let id, let parent, let controller, _):
            return known(id) && known(parent) && known(controller)
        case .delete(let id): return known(id)
        case .order(let id, let sibling): return known(id) && known(sibling)
        case .set(_, let id, let trait, _), .remove(_, let id, let trait):
            return known(id) && traits[trait] != nil
        case .register(_, let id, let keys, _, _), .setScope(let id, _, let keys):
            return known(id) && keys.allSatisfy { traits[$0] != nil }
        case .removeScope(let id, _), .setEnvironment(let id, _, _), .removeEnvironment(let id, _):
            return known(id)
        case .defineKey(let key): return key.bridgedTrait.map { traits[$0] != nil } ?? true
        case .defineDynamic(let definition):
            return definition.variants.allSatisfy { $0.when.keys.allSatisfy { traits[$0] != nil } }
        case .deleteKey, .deleteDynamic: return true
        case .unregister(let id): return registrations[id] != nil
        case .updateTraits(let id): return known(id)
        case .legacyStyle(let id, _), .limits(let id, _, _): return known(id)
        case .legacyCollection(let id, let values), .predict(let id, let values):
            return known(id) && values.keys.allSatisfy { traits[$0] != nil }
        }
    }
}
