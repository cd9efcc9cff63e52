// Lets the engine take scripts: names become indices, what comes back becomes names again.

import TraitEngine

/// A `Hierarchy` spoken to in names.
final class EngineDriver {
    let hierarchy: Hierarchy
    private(set) var watches: [String: RegistrationIndex] = [:]
    /// Names of nodes during one comparison, where each is asked for many times.
    var names: [NodeIndex: String] = [:]

    init(
        propagation: Propagation, updates: UpdateMode = .immediate,
        limits: HierarchyLimits = .init(), sizes: StructureSizes = .init()
    ) {
        hierarchy = Hierarchy(
            propagation: propagation, updates: updates, limits: limits, hashSeed: 0x5EED,
            sizes: sizes)
    }

    /// For comparing a hierarchy that something else made.
    init(_ hierarchy: Hierarchy) { self.hierarchy = hierarchy }

    func node(_ id: String) throws -> NodeIndex {
        guard let node = hierarchy.node(id) else { throw MissingName(name: id) }
        return node
    }

    func trait(_ key: String) throws -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: key) else {
            throw MissingName(name: key)
        }
        return trait
    }

    private func change(_ change: Change<String>) throws -> Change<NodeIndex> {
        switch change {
        case .keep: .keep
        case .clear: .clear
        case .set(let id): .set(try node(id))
        }
    }

    // MARK: - Doing

    func apply(_ operation: Operation) throws {
        switch operation {
        case .define(let definition): _ = try hierarchy.defineTrait(definition)
        case .deleteTrait(let key): try hierarchy.deleteTrait(trait(key))
        case .create(let id, let kind, let parent, let controller, let label):
            _ = try hierarchy.createNode(
                id, kind: kind, parent: parent.map(node), controller: controller.map(node),
                label: label)
        case .update(let id, let parent, let controller, let label):
            try hierarchy.updateNode(
                node(id), parent: change(parent), controller: change(controller), label: label)
        case .delete(let id): try hierarchy.deleteNode(node(id))
        case .order(let id, let sibling):
            try hierarchy.orderNode(node(id), behind: sibling.map(node))
        case .set(.override, let id, let key, let value):
            try hierarchy.setOverride(node(id), trait(key), value)
        case .set(.supplied, let id, let key, let value):
            try hierarchy.setSupplied(node(id), trait(key), value)
        case .remove(.override, let id, let key):
            try hierarchy.removeOverride(node(id), trait(key))
        case .remove(.supplied, let id, let key):
            try hierarchy.removeSupplied(node(id), trait(key))
        case .register(let id, let name, let keys, let colors, let images):
            _ = try hierarchy.register(
                id, node: node(name), traits: TraitSet(keys.map(trait)), colors: colors,
                images: images)
        case .unregister(let id):
            guard let registration = hierarchy.registration(named: id) else {
                throw MissingName(name: id)
            }
            hierarchy.unregister(registration)
        case .updateTraits(let id):
            if let id { try hierarchy.updateTraits(of: node(id)) } else { hierarchy.updateTraits() }
        case .legacyCollection(let id, let values):
            try hierarchy.setLegacyCollection(node(id), collection(values))
        case .legacyStyle(let id, let style): try hierarchy.setLegacyStyle(node(id), style)
        case .limits(let id, let minimum, let maximum):
            try hierarchy.setContentSizeLimits(
                node(id), minimum: minimum.map(category), maximum: maximum.map(category))
        case .predict(let id, let values): try hierarchy.predict(node(id), collection(values))
        case .setScope(let id, let name, let keys):
            try hierarchy.setScope(node(id), name, reads: TraitSet(keys.map(trait)))
        case .removeScope(let id, let name): hierarchy.removeScope(try node(id), name)
        case .defineKey(let key): try hierarchy.defineEnvironmentKey(key)
        case .deleteKey(let name): try hierarchy.deleteEnvironmentKey(name)
        case .setEnvironment(let id, let key, let value):
            try hierarchy.setEnvironment(node(id), key, value)
        case .removeEnvironment(let id, let key): try hierarchy.removeEnvironment(node(id), key)
        case .defineDynamic(let definition): try hierarchy.defineDynamic(dynamic(definition))
        case .deleteDynamic(let kind, let name): try hierarchy.deleteDynamic(kind, name)
        }
    }

    private func dynamic(_ definition: DynamicDefinition) throws -> DynamicValue {
        try DynamicValue(
            kind: definition.kind, name: definition.name,
            variants: definition.variants.map {
                DynamicVariant(
                    when: try collection($0.when), value: $0.value, meaning: $0.meaning)
            })
    }

    func category(_ rank: Int) -> String { SystemTraits.contentSizeCategories[rank + 1].raw }

    private func collection(_ values: [String: TraitValue]) throws -> TraitCollection {
        try TraitCollection(definitions: hierarchy.definitions) { bag in
            for (key, value) in values { try bag.set(trait(key), value) }
        }
    }

    func watch(_ name: String, _ id: String, _ keys: [String]) throws {
        watches[name] = try hierarchy.addWatch(node: node(id), traits: TraitSet(keys.map(trait)))
    }

    /// A watch of the same node and traits is the same watch, and stays until both are removed.
    func watchAgain(_ name: String, _ id: String, _ keys: [String]) throws {
        let again = try hierarchy.addWatch(node: node(id), traits: TraitSet(keys.map(trait)))
        if again != watches[name] {
            throw Mismatch(what: "watch again", engine: "another", rules: "\(name)")
        }
        hierarchy.removeWatch(again)
    }

    func unwatch(_ name: String) {
        if let watch = watches.removeValue(forKey: name) { hierarchy.removeWatch(watch) }
    }

    func undo() {
        let gone = Set(hierarchy.undo())
        watches = watches.filter { !gone.contains($0.value) }
    }

    /// Watches that had ended are gone for good.
    func acknowledge(_ living: Set<String>) {
        hierarchy.acknowledge(through: hierarchy.revision)
        watches = watches.filter { living.contains($0.key) }
    }

    // MARK: - Notifications

    func commit() -> Outcome {
        let commit = hierarchy.commit()
        var outcome = Outcome(revision: commit.revision, isUnchanged: commit.isUnchanged)
        let names = Dictionary(uniqueKeysWithValues: watches.map { ($0.value, $0.key) })
        outcome.told = commit.notifications.map { notification in
            let index = notification.registration
            let name = names[index] ?? hierarchy.registrationInfo(index).identifier ?? "?"
            return Outcome.Told(
                listener: name, node: hierarchy.identifier(of: notification.node),
                changes: commit.changes(of: notification).map(changed),
                dynamics: commit.dynamicChanges(of: notification).map(Self.describe))
        }
        outcome.invalidations = commit.invalidations.map(describe)
        outcome.ended = commit.endedRegistrations.map { ended in
            let name = ended.identifier ?? names[ended.registration] ?? "?"
            return "\(name) \(ended.reason.rawValue)"
        }
        return outcome
    }

    private func changed(_ change: TraitChange) -> Outcome.Changed {
        Outcome.Changed(
            trait: hierarchy.definitions[change.trait].key, previous: change.previous,
            current: change.current, source: origin(change.source))
    }

    static func describe(_ change: DynamicChange) -> String {
        "\(change.kind.rawValue) \(change.name) \(change.previous)>\(change.current)"
    }

    func describe(_ stale: Invalidation) -> String {
        let changed = stale.changed.map { hierarchy.definitions[$0].key }.sorted()
        return "\(name(stale.node)).\(stale.scope) \(stale.invalidation) \(changed)"
    }

    func name(_ node: NodeIndex) -> String { names[node] ?? hierarchy.identifier(of: node) }

    func origin(_ source: Source) -> Origin {
        Origin(
            layer: source.kind,
            node: source.node.map(name) ?? source.deletedNode.map(hierarchy.identifier),
            revision: source.revision, isDeleted: source.deletedNode != nil)
    }
}

struct MissingName: Error {
    let name: String
}

extension OperationError {
    /// The case's name, which says which rule refused.
    var rule: String { "\(self)".prefix { $0 != "(" }.description }
}
