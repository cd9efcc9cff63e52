// Makes scripts that a hierarchy can take, step by step from what is there, all from one seed.

import SeededRandom
import TraitEngine

/// Makes the steps of one random script.
struct ScriptGenerator {
    enum Shape: String, Sendable, CaseIterable {
        /// Many siblings, a few levels.
        case wide
        /// Long chains, so that shortcuts of deep trees are used.
        case deep
    }

    struct Plan: Sendable {
        var shape: Shape
        var chainLength = 12
        /// So many custom traits that sets of traits need a second word.
        var hasManyTraits = false
        var nodesMax = 40
        /// Updates go step by step, with handlers in between.
        var isStepwise = false
        /// What is predicted for is attached and detached again within one commit.
        var attachesPredicted = false
    }

    var random: SeededRandom
    let plan: Plan
    var madeCount = 0
    /// Steps that belong together, the next one last.
    private var following: [Step] = []
    /// What was produced, for tests that a script does what it is for.
    var tally: [String: Int] = [:]

    init(seed: UInt64, plan: Plan) {
        random = SeededRandom(seed: seed)
        self.plan = plan
    }

    mutating func name(_ prefix: String) -> String {
        madeCount += 1
        // Long names are stored elsewhere than short ones.
        return "\(prefix)\(madeCount)" + (random.chance(20) ? "-with-a-longer-name" : "")
    }

    mutating func count(_ what: String) { tally[what, default: 0] += 1 }

    // MARK: - Steps

    /// A scene with a window, a controller with its view, and custom traits.
    mutating func start() -> Step {
        var operations: [Operation] = customTraits().map(Operation.define) + firstDefinitions()
        operations += [
            .create("scene", .windowScene, parent: nil, controller: nil, label: nil),
            .create("window", .window, parent: "scene", controller: nil, label: "main"),
            .create("host", .viewController, parent: "window", controller: nil, label: nil),
            .create("view", .view, parent: "window", controller: "host", label: nil),
        ]
        if plan.shape == .deep {
            var above = "view"
            for _ in 0..<plan.chainLength {
                let id = name("v")
                operations.append(
                    .create(id, .view, parent: above, controller: nil, label: nil))
                above = id
            }
        }
        return .transaction(operations, keep: true)
    }

    /// More nodes, and registrations to notify.
    mutating func populate(_ oracle: Oracle) -> Step {
        var scratch = oracle
        scratch.begin()
        var operations: [Operation] = []
        for number in 0..<20 {
            let made =
                switch number {
                case ..<10: create(scratch.state)
                case ..<15: register(scratch.state)
                case ..<18: scope(scratch.state)
                default: dynamics(scratch.state)
                }
            for operation in made where scratch.apply(operation).isEmpty {
                operations.append(operation)
            }
        }
        return .transaction(operations, keep: true)
    }

    mutating func next(_ oracle: Oracle) -> Step {
        let state = oracle.state
        if let step = following.popLast() { return step }
        if !plan.isStepwise, random.chance(2) { return undoneTrait(state) }
        let roll = random.below(100)
        if roll < 6, oracle.undoableCount > 1 {
            count("undo")
            return .undo
        }
        if roll < 12 { return .acknowledge }
        if roll < 18, let node = pickNode(state) {
            count("watch")
            return .watch(name("w"), node, pickTraits(state))
        }
        if roll < 21, let watch = random.pick(oracle.watches.keys.sorted()) {
            return .unwatch(watch)
        }
        if roll < 27, let step = nothing(state) { return step }
        return transaction(oracle)
    }

    /// A trait that is defined, watched and taken back, all before anything is acknowledged.
    private mutating func undoneTrait(_ state: OracleState) -> Step {
        let definition = TraitDefinition(key: name("u"), type: .int, defaultValue: .int(0))
        if let node = pickNode(state) {
            count("undone trait")
            following = [.undo, .watch(name("w"), node, [definition.key])]
        }
        return .transaction([.define(definition)], keep: true)
    }

    /// A transaction that takes everything back itself.
    private mutating func nothing(_ state: OracleState) -> Step? {
        guard let node = pickNode(state), let its = state.nodes[node] else { return nil }
        count("nothing")
        if random.chance(30), its.kind != .windowScene {
            let back: Change<String> = its.parent.map(Change.set) ?? .clear
            return .transaction(
                [.update(node, parent: .clear), .update(node, parent: back)], keep: true)
        }
        if random.chance(30) {
            let id = name("t")
            let made = Operation.create(id, .environment, parent: nil, controller: nil, label: nil)
            return .transaction([made, .delete(id)], keep: true)
        }
        if state.updates == .layout, random.chance(40), let step = setAgain(state) { return step }
        guard let trait = pickTrait(state), let value = pickValue(trait, state) else { return nil }
        let layer = pickLayer()
        let back: Operation =
            its[layer][trait].map { .set(layer, node, trait, $0.value) }
            ?? .remove(layer, node, trait)
        return .transaction([.set(layer, node, trait, value), back], keep: true)
    }

    /// A value that is set and reverted around updates, with a scope that is set again in between.
    private mutating func setAgain(_ state: OracleState) -> Step? {
        let armed = state.scopes.filter { !$0.value.isStale }.map(\.key)
        guard let scope = random.pick(armed.sorted { ($0.node, $0.name) < ($1.node, $1.name) }),
            let reads = state.scopes[scope]?.reads.sorted(),
            let above = random.pick(
                [scope.node] + state.ancestors(of: scope.node, state.traitParents())),
            let trait = random.pick(reads), let value = pickValue(trait, state)
        else { return nil }
        count("set again")
        let layer = pickLayer()
        let back: Operation =
            state.nodes[above]?[layer][trait].map { .set(layer, above, trait, $0.value) }
            ?? .remove(layer, above, trait)
        return .transaction(
            [
                .set(layer, above, trait, value), .updateTraits(nil),
                .setScope(scope.node, scope.name, reads), back, .updateTraits(nil),
            ], keep: true)
    }

    private mutating func transaction(_ oracle: Oracle) -> Step {
        var scratch = oracle
        scratch.begin()
        var operations: [Operation] = []
        let wanted = 1 + random.below(random.chance(20) ? 12 : 4)
        let acceptsRefusal = random.chance(6)
        for _ in 0..<wanted * 3 where operations.count < wanted {
            for operation in makeOperations(scratch.state)
            where scratch.state.knowsNames(in: operation) {
                let before = scratch.state
                if scratch.apply(operation).isEmpty {
                    operations.append(operation)
                    note(operation, before)
                } else if acceptsRefusal {
                    count("refused")
                    return .transaction(operations + [operation], keep: true)
                }
            }
        }
        if scratch.state.updates == .layout, random.chance(25) {
            operations.append(.updateTraits(nil))
        }
        let keep = !random.chance(8)
        count(keep ? "commit" : "rollback")
        return .transaction(operations, keep: keep)
    }

    private mutating func note(_ operation: Operation, _ state: OracleState) {
        guard case .update(let id, let parent, _, _) = operation else { return }
        switch parent {
        case .keep: break
        case .clear: if state.nodes[id]?.parent != nil { count("detach") }
        case .set(let parent): if state.nodes[id]?.parent != parent { count("move") }
        }
    }

    // MARK: - Picking

    mutating func pickNode(_ state: OracleState) -> String? {
        random.pick(state.nodes.keys.sorted())
    }

    mutating func pickLayer() -> InputLayer { random.chance(70) ? .override : .supplied }

    /// Few traits, so that overrides meet; the first custom ones most of all.
    mutating func pickTrait(_ state: OracleState) -> String? {
        if random.chance(25) {
            return random.pick([
                "userInterfaceStyle", "displayScale", "typesettingLanguage", "listEnvironment",
            ])
        }
        let custom = state.customTraits
        if plan.hasManyTraits, random.chance(50) { return custom.last }
        return random.pick(plan.hasManyTraits ? custom : Array(custom.prefix(5)))
    }

    mutating func pickTraits(_ state: OracleState) -> [String] {
        let some = (0...random.below(3)).compactMap { _ in pickTrait(state) }
        if !random.chance(8) { return Set(some).sorted() }
        return state.traits.keys.filter { !state.isHidden($0) }.sorted()
    }

    /// Three or so values a trait, its default among them.
    mutating func pickValue(_ trait: String, _ state: OracleState) -> TraitValue? {
        guard let definition = state.traits[trait]?.definition else { return nil }
        let values: [TraitValue] =
            switch definition.type {
            case .bool: [.bool(false), .bool(true)]
            case .int: [.int(0), .int(1), .int(.min), .int(.max)]
            case .double: [.double(0), .double(1), .double(-2.5)]
            case .string: [.string(""), .string("de"), .string("a language with a long tag")]
            case .enumeration(let cases): cases.prefix(3).map { .int($0.raw) }
            case .stringEnumeration(let cases): cases.prefix(3).map { .string($0.raw) }
            case .structure:
                [.structure([.int(1), .string("x")]), .structure([.int(2), .string("x")])]
            case .json: [.json("[]"), .json(#"{"a":1}"#), .json("1")]
            case .opaque: [.opaque(OpaqueValue([1])), .opaque(OpaqueValue([2]))]
            }
        return random.pick(values + (definition.isNullable ? [.null] : []))
    }
}
