// What each operation does to the state, and which rules refuse it.

import TraitEngine

extension OracleState {
    /// The names of the rules that refuse the operation; when there is one, the state that is
    /// left is of no use.
    mutating func apply(_ operation: Operation, tick: Int) -> Set<String> {
        switch operation {
        case .define(let definition):
            if let known = traits[definition.key] {
                return Meaning(known.definition) == Meaning(definition) ? [] : ["traitImmutable"]
            }
            traits[definition.key] = Trait(serial: tick, definition: definition)
        case .deleteTrait(let key):
            if isInUse(key) { return ["traitInUse"] }
            forget(key)
        case .create(let id, let kind, let parent, let controller, let label):
            if nodes[id] != nil { return ["nodeExists"] }
            nodes[id] = Node(serial: tick, kind: kind)
            nodes[id]?.label = label
            return place(
                id, parent: parent.map(Change.set) ?? .clear,
                controller: controller.map(Change.set) ?? .clear)
        case .update(let id, let parent, let controller, let label):
            switch label {
            case .keep: break
            case .clear: nodes[id]?.label = nil
            case .set(let label): nodes[id]?.label = label
            }
            return place(id, parent: parent, controller: controller)
        case .delete(let id):
            delete(id)
            // A view without its controller may come to inherit from what is below it.
            if !isForest(traitParents()) { return ["cycle"] }
        case .order(let id, let sibling): return order(id, behind: sibling, tick: tick)
        case .set(let layer, let node, let trait, let value):
            guard let definition = traits[trait]?.definition, definition.accepts(value)
            else { return ["typeMismatch"] }
            set(layer, node, trait, value)
        case .remove(let layer, let node, let trait): nodes[node]?[layer][trait] = nil
        case .register(let id, let node, let traits, let colors, let images):
            let listener = Listener(
                serial: tick, node: node, nodeSerial: nodes[node]?.serial ?? 0, traits: traits,
                colors: colors, images: images, heardFrom: nodes[node]?.shown ?? [])
            let names = dynamics(of: listener)
            if names.contains(where: { dynamics[$0] == nil }) { return ["unknownDynamic"] }
            if traits.isEmpty, names.isEmpty { return ["emptyTraitList"] }
            if registrations[id] != nil { return ["registrationExists"] }
            registrations[id] = listener
        case .unregister(let id): end(id, "unregistered")
        case .updateTraits: break
        case .setScope(let node, let name, let reads):
            return setScope(ScopeName(node: node, name: name), reads, tick: tick)
        case .removeScope(let node, let name): scopes[ScopeName(node: node, name: name)] = nil
        case .defineKey, .deleteKey, .setEnvironment, .removeEnvironment:
            return applyEnvironment(operation, tick: tick)
        case .defineDynamic, .deleteDynamic: return applyDynamic(operation, tick: tick)
        default: applyLegacy(operation)
        }
        return []
    }

    /// All siblings stand as before but for the one.
    private mutating func order(
        _ id: String, behind sibling: String?, tick: Int
    ) -> Set<String> {
        let parents = traitParents()
        if let sibling, sibling == id || parents[sibling] != parents[id] { return ["notSiblings"] }
        var siblings = nodes.keys.filter { parents[$0] == parents[id] }.sorted {
            (nodes[$0]?.stamp ?? 0, nodes[$0]?.place ?? 0, $0)
                < (nodes[$1]?.stamp ?? 0, nodes[$1]?.place ?? 0, $1)
        }
        let before = siblings
        siblings.removeAll { $0 == id }
        let place = sibling.flatMap { siblings.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        siblings.insert(id, at: place)
        for (place, sibling) in siblings.enumerated() {
            nodes[sibling]?.stamp = tick
            nodes[sibling]?.place = place
        }
        if siblings != before { hasOrdered = true }
        return []
    }

    private func isInUse(_ trait: String) -> Bool {
        isSet(trait) || isKeptOrShown(trait)
            || registrations.values.contains { $0.traits.contains(trait) }
            || scopes.values.contains { $0.reads.contains(trait) } || isCondition(trait)
            || keys.values.contains { $0.definition.bridgedTrait == trait }
    }

    private mutating func place(
        _ id: String, parent: Change<String>, controller: Change<String>
    ) -> Set<String> {
        guard let kind = nodes[id]?.kind else { return [] }
        var refusals: Set<String> = []
        switch parent {
        case .keep: break
        case .clear: nodes[id]?.parent = nil
        case .set(let parent):
            nodes[id]?.parent = parent
            if let its = nodes[parent]?.kind, !kind.allowedParents.contains(its) {
                refusals.insert("parentKind")
            }
        }
        switch controller {
        case .keep: break
        case .clear: nodes[id]?.controller = nil
        case .set(let controller):
            if kind != .view || nodes[controller]?.kind != .viewController {
                refusals.insert("controllerKind")
            } else if let other = rootView(of: controller), other != id {
                refusals.insert("secondRootView")
            }
            nodes[id]?.controller = controller
        }
        if !isForest(nodes.compactMapValues(\.parent)) || !isForest(traitParents()) {
            refusals.insert("cycle")
        }
        return refusals
    }

    /// The structural subtree goes. Views and controllers that are not in it only part.
    private mutating func delete(_ id: String) {
        nodes[id] = nil
        for (child, node) in nodes where node.parent == id { delete(child) }
        for (view, node) in nodes where node.controller == id { nodes[view]?.controller = nil }
        for (name, listener) in registrations where listener.node == id {
            end(name, "nodeDeleted")
        }
        scopes = scopes.filter { $0.key.node != id }
    }

    private mutating func end(_ id: String, _ reason: String) {
        if let listener = registrations.removeValue(forKey: id) {
            ended.append((id, listener.serial, reason))
        }
    }
}

extension OracleState.Node {
    subscript(layer: InputLayer) -> [String: OracleState.Stored] {
        get { layer == .override ? overrides : supplied }
        set {
            switch layer {
            case .override: overrides = newValue
            case .supplied: supplied = newValue
            }
        }
    }
}
