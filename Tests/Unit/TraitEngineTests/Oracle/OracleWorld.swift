// Scripts on the oracle, or on oracle and engine together, in hierarchies that update at once: writes
// wait for the flush, which is a commit, and handlers write in commits of their own.

import ConformanceCases
import TraitEngine

@testable import TraitOracle

@MainActor
final class OracleWorld: VectorWorld {
    enum Collection {
        case node(String)
        case changes([String: TraitValue])
    }

    private var lockstep: Lockstep
    private let definitions: TraitDefinitions
    private var waiting: [Operation] = []
    private var handlers: [String: @MainActor (Collection, Collection) -> Void] = [:]
    /// Notifications while handlers run stand behind what they were called for.
    private var queue: [Outcome.Told] = []
    private var isDelivering = false

    init(_ script: VectorCase, withEngine: Bool) throws {
        definitions = try .conformance()
        lockstep = Lockstep(
            propagation: script.isLegacy ? .legacy : .unified, withEngine: withEngine)
        waiting = TraitDefinition.conformance.map(Operation.define)
        waiting += try TreeShape.nodes(script.tree ?? "T1").map {
            .create(
                $0.name, NodeKind($0.kind), parent: $0.parent, controller: $0.controller,
                label: nil)
        }
        for (trait, value) in TreeShape.supplied { try supply("s", trait, value) }
        try flush()
    }

    private func write(_ operation: Operation) throws {
        if isDelivering { try deliver([operation]) } else { waiting.append(operation) }
    }

    /// Commits, then calls one handler after the other.
    private func deliver(_ operations: [Operation]) throws {
        let refused = lockstep.refusedCount
        queue += try lockstep.take(.transaction(operations, keep: true))?.told ?? []
        if lockstep.refusedCount > refused { throw VectorError.unnamed }
        if isDelivering { return }
        isDelivering = true
        defer { isDelivering = false }
        while !queue.isEmpty {
            let told = queue.removeFirst()
            guard lockstep.oracle.state.registrations[told.listener] != nil else { continue }
            func values(_ value: KeyPath<Outcome.Changed, TraitValue>) -> Collection {
                .changes(
                    Dictionary(
                        uniqueKeysWithValues: told.changes.map { ($0.trait, $0[keyPath: value]) }))
            }
            handlers[told.listener]?(values(\.previous), values(\.current))
        }
    }

    private func value(_ json: JSON, _ trait: String) throws -> TraitValue {
        guard let trait = definitions.index(of: trait) else { throw VectorError("unknown_trait") }
        return switch (json, definitions[trait].type) {
        case (.number(let number), .double): .double(number)
        case (.number(let number), _): .int(Int64(number))
        case (.bool(let value), _): .bool(value)
        case (.string(let value), _): .string(value)
        default: .null
        }
    }

    func read(_ collection: Collection, _ trait: String) throws -> JSON {
        switch collection {
        case .node(let node): JSON(Shown(lockstep.oracle.state).read(trait, at: node).value)
        case .changes(let values): JSON(values[trait] ?? .null)
        }
    }

    func shown(_ node: String) -> Collection { .node(node) }

    // MARK: - The tree

    func set(_ node: String, _ trait: String, _ json: JSON) throws {
        try write(.set(.override, node, trait, value(json, trait)))
    }

    func remove(_ node: String, _ trait: String) throws {
        try write(.remove(.override, node, trait))
    }

    func supply(_ node: String, _ trait: String, _ json: JSON) throws {
        try write(.set(.supplied, node, trait, value(json, trait)))
    }

    func removeSupplied(_ node: String, _ trait: String) throws {
        try write(.remove(.supplied, node, trait))
    }

    /// What is stored, the waiting writes included.
    private func stored(_ node: String, _ key: String) -> TraitValue? {
        for operation in waiting.reversed() {
            switch operation {
            case .set(.override, node, key, let value): return value
            case .remove(.override, node, key): return nil
            default: continue
            }
        }
        return lockstep.oracle.state.nodes[node]?.overrides[key]?.value
    }

    func has(_ node: String, _ trait: String) -> Bool { stored(node, trait) != nil }

    func override(_ node: String, _ trait: String) throws -> JSON {
        guard let value = stored(node, trait) else { throw VectorError("no_override") }
        return JSON(value)
    }

    func flush() throws {
        let operations = waiting
        waiting = []
        try deliver(operations)
    }

    func flush(_ node: String) throws { try flush() }

    func attach(_ view: String, to superview: String) throws {
        try write(.update(view, parent: .set(superview)))
    }

    func detach(_ view: String) throws { try write(.update(view, parent: .clear)) }

    // MARK: - Registrations

    func register(
        _ name: String, _ node: String, _ traits: [String],
        _ handler: @escaping @MainActor (Collection, Collection) -> Void
    ) throws {
        handlers[name] = handler
        try deliver([.register(name, node, traits)])
    }

    func unregister(_ name: String) throws { try deliver([.unregister(name)]) }
}
