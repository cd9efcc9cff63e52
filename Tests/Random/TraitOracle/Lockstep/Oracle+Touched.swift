// What a step could have touched: where to look after it when not everything is looked at.

import SeededRandom
import TraitEngine

extension Oracle {
    /// Nodes and traits that a step or its notifications name, what stands below one of those nodes, and
    /// some more: others each time.
    func touched(
        by step: Step, _ outcome: Outcome?
    ) -> (nodes: [String], traits: [String]) {
        var nodes: Set<String> = []
        var traits: Set<String> = ["c0", "userInterfaceStyle"]
        if case .transaction(let operations, _) = step {
            for operation in operations {
                let names = operation.names
                nodes.formUnion(names.nodes.filter { state.nodes[$0] != nil })
                traits.formUnion(names.traits)
            }
        }
        for told in outcome?.told ?? [] {
            nodes.insert(told.node)
            traits.formUnion(told.changes.map(\.trait))
        }
        let all = state.nodes.keys.sorted()
        var random = SeededRandom(seed: UInt64(bitPattern: state.revision) &+ UInt64(all.count))
        for _ in 0..<2 { if let node = random.pick(all) { nodes.insert(node) } }
        if let named = random.pick(nodes.sorted()) {
            let below = all.filter { state.nodes[$0]?.parent == named }
            if let child = random.pick(below) { nodes.insert(child) }
        }
        let known = traits.filter { state.traits[$0] != nil }
        // A registration of all traits makes long lists.
        return (nodes.sorted(), Array(known.sorted().prefix(8)))
    }
}

extension Operation {
    /// The nodes and traits that it names.
    var names: (nodes: [String], traits: [String]) {
        switch self {
        case .define(let definition): ([], [definition.key])
        case .deleteTrait, .unregister, .defineKey, .deleteKey, .defineDynamic, .deleteDynamic:
            ([], [])
        case .create(let id, _, let parent, let controller, _):
            ([id] + [parent, controller].compactMap(\.self), [])
        case .update(let id, let parent, let controller, _):
            ([id] + [parent, controller].compactMap(\.value), [])
        case .order(let id, let sibling): ([id] + [sibling].compactMap(\.self), [])
        case .delete(let id), .legacyStyle(let id, _), .setEnvironment(let id, _, _),
            .removeEnvironment(let id, _), .removeScope(let id, _):
            ([id], [])
        case .set(_, let id, let trait, _), .remove(_, let id, let trait): ([id], [trait])
        case .register(_, let id, let traits, _, _), .setScope(let id, _, let traits):
            ([id], traits)
        case .updateTraits(let id): (id.map { [$0] } ?? [], [])
        case .limits(let id, _, _): ([id], ["preferredContentSizeCategory"])
        case .legacyCollection(let id, let values), .predict(let id, let values):
            ([id], Array(values.keys))
        }
    }
}

extension Change {
    /// What it sets.
    fileprivate var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}
