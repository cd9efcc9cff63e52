// Scripts on the engine alone: a layout hierarchy, updated step by step, whose invariants are checked
// after each commit and update.

import ConformanceCases
import Testing
import TraitEngine

@MainActor
final class EngineWorld: VectorWorld {
    typealias Collection = TraitCollection

    private let hierarchy: Hierarchy
    private var nodes: [String: NodeIndex] = [:]
    private var handlers: [RegistrationIndex: @MainActor (Collection, Collection) -> Void] = [:]
    private var registrations: [String: RegistrationIndex] = [:]

    init(_ script: VectorCase) throws {
        hierarchy = Hierarchy(
            propagation: script.isLegacy ? .legacy : .unified, updates: .layout, hashSeed: 7)
        let shape = try TreeShape.nodes(script.tree ?? "T0")
        try change {
            for definition in TraitDefinition.conformance {
                _ = try hierarchy.defineTrait(definition)
            }
            for node in shape { try create(node) }
        }
        guard nodes["s"] != nil else { return }
        for (trait, value) in TreeShape.supplied { try supply("s", trait, value) }
        try flush()
    }

    private func create(_ node: TreeNode) throws {
        nodes[node.name] = try hierarchy.createNode(
            node.name, kind: NodeKind(node.kind), parent: node.parent.flatMap { nodes[$0] },
            controller: node.controller.flatMap { nodes[$0] })
    }

    /// A transaction; an operation that is refused takes it back and becomes its code.
    private func change(_ operations: () throws -> Void) throws {
        hierarchy.begin()
        do {
            try operations()
        } catch {
            hierarchy.rollback()
            throw (error as? OperationError).map { VectorError(Self.code($0)) } ?? error
        }
        let commit = hierarchy.commit()
        hierarchy.acknowledge(through: commit.revision)
        try hierarchy.checkInvariants()
        for notification in commit.notifications {
            let current = hierarchy.shownCollection(of: notification.node)
            let previous = try commit.changes(of: notification).reduce(current) {
                try $0.replacing($1.trait, with: $1.previous)
            }
            #expect(previous != current)
            handlers[notification.registration]?(previous, current)
        }
    }

    private static func code(_ error: OperationError) -> String {
        switch error {
        case .typeMismatch: "type_mismatch"
        case .emptyTraitList: "empty_trait_list"
        case .privateTrait: "private_trait"
        case .registrationExists: "registration_exists"
        case .cycle: "cycle"
        default: "\(error)"
        }
    }

    private func node(_ name: String) throws -> NodeIndex {
        guard let node = nodes[name] else { throw ScriptError(description: "no node \(name)") }
        return node
    }

    private func trait(_ name: String) throws -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: name) else {
            throw VectorError("unknown_trait")
        }
        return trait
    }

    // MARK: - Values

    /// Types are invariant: nothing is converted.
    private func value(_ json: JSON, _ trait: TraitIndex) throws -> TraitValue {
        let definition = hierarchy.definitions[trait]
        let value: TraitValue? =
            switch definition.type {
            case .bool: json.bool.map(TraitValue.bool)
            case .int, .enumeration: json.int.map { .int(Int64($0)) }
            case .double: json.double.map(TraitValue.double)
            case .string, .stringEnumeration: json.string.map(TraitValue.string)
            case .structure, .json, .opaque: nil
            }
        if json == .null, definition.isNullable { return .null }
        guard let value else { throw VectorError("type_mismatch") }
        return value
    }

    func make(from base: Collection?, _ writes: [(String, JSON)]) throws -> Collection {
        let base = base ?? TraitCollection(definitions: hierarchy.definitions)
        do {
            return try base.modifying { traits in
                for (name, json) in writes {
                    let trait = try trait(name)
                    try traits.set(trait, try value(json, trait))
                }
            }
        } catch let error as OperationError {
            throw VectorError(Self.code(error))
        }
    }

    func merge(_ collections: [Collection]) -> Collection {
        TraitCollection(merging: collections)
    }

    func read(_ collection: Collection, _ name: String) throws -> JSON {
        JSON(collection[try trait(name)])
    }

    func areEqual(_ left: Collection, _ right: Collection) -> Bool {
        left == right && (left.hashValue == right.hashValue)
    }

    func contains(_ collection: Collection, _ other: Collection?) -> Bool {
        collection.contains(other)
    }

    func changed(_ collection: Collection, from other: Collection?) -> [String] {
        collection.changedTraits(from: other).map { hierarchy.definitions[$0].key }
    }

    func differsInColor(_ collection: Collection, from other: Collection?) -> Bool {
        collection.hasDifferentColorAppearance(comparedTo: other)
    }

    func printed(_ collection: Collection) -> [String] {
        Self.parts(ofDescription: collection.description)
    }

    // MARK: - The tree

    func set(_ name: String, _ traitName: String, _ json: JSON) throws {
        let (node, trait) = (try node(name), try trait(traitName))
        try change { try hierarchy.setOverride(node, trait, try value(json, trait)) }
    }

    func remove(_ name: String, _ traitName: String) throws {
        let (node, trait) = (try node(name), try trait(traitName))
        try change { hierarchy.removeOverride(node, trait) }
    }

    func has(_ name: String, _ traitName: String) throws -> Bool {
        hierarchy.override(try trait(traitName), of: try node(name)) != nil
    }

    func override(_ name: String, _ traitName: String) throws -> JSON {
        guard let value = hierarchy.override(try trait(traitName), of: try node(name)) else {
            throw VectorError("no_override")
        }
        return JSON(value)
    }

    func supply(_ name: String, _ traitName: String, _ json: JSON) throws {
        let (node, trait) = (try node(name), try trait(traitName))
        try change { try hierarchy.setSupplied(node, trait, try value(json, trait)) }
    }

    func removeSupplied(_ name: String, _ traitName: String) throws {
        let (node, trait) = (try node(name), try trait(traitName))
        try change { hierarchy.removeSupplied(node, trait) }
    }

    func flush() throws { try update(nil) }

    func flush(_ name: String) throws { try update(try node(name)) }

    private func update(_ node: NodeIndex?) throws {
        let update = hierarchy.startUpdate(of: node)
        do throws(TraitUpdateLoop) {
            while let step = try update.next() {
                guard case .registration(let registration) = step.reason else { continue }
                #expect(step.previous != step.current)
                #expect(step.current == hierarchy.shownCollection(of: step.node))
                handlers[registration]?(step.previous, step.current)
            }
        } catch {
            throw VectorError("trait_update_loop")
        }
        try hierarchy.checkInvariants()
    }

    func attach(_ view: String, to superview: String) throws {
        let (view, superview) = (try node(view), try node(superview))
        try change {
            try hierarchy.updateNode(view, parent: .set(superview))
            guard let controller = hierarchy.controller(of: view) else { return }
            var ancestor: NodeIndex? = superview
            while let current = ancestor {
                if let owner = hierarchy.controller(of: current) {
                    try hierarchy.updateNode(controller, parent: .set(owner))
                    return
                }
                ancestor = hierarchy.parent(of: current)
            }
        }
    }

    func detach(_ view: String) throws {
        let view = try node(view)
        try change {
            try hierarchy.updateNode(view, parent: .clear)
            if let controller = hierarchy.controller(of: view) {
                try hierarchy.updateNode(controller, parent: .clear)
            }
        }
    }

    func shown(_ name: String) throws -> Collection {
        hierarchy.shownCollection(of: try node(name))
    }

    // MARK: - Registrations

    func register(
        _ name: String, _ nodeName: String, _ traits: [String],
        _ handler: @escaping @MainActor (Collection, Collection) -> Void
    ) throws {
        let node = try node(nodeName)
        var set = TraitSet()
        for name in traits {
            let named = TraitSetName(rawValue: name).map { hierarchy.definitions.set($0) }
            set.formUnion(try named ?? [try trait(name)])
        }
        try change {
            let registration = try hierarchy.register(name, node: node, traits: set)
            registrations[name] = registration
            handlers[registration] = handler
        }
    }

    func unregister(_ name: String) throws {
        guard let registration = registrations.removeValue(forKey: name) else { return }
        handlers[registration] = nil
        try change { hierarchy.unregister(registration) }
    }
}
