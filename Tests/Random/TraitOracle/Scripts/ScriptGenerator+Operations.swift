// The operations of random transactions: mostly possible ones, and what is needed now and then
// to reach a rule.

import TraitEngine

extension ScriptGenerator {
    func customTraits() -> [TraitDefinition] {
        let mode = TraitType.enumeration([EnumCase("on", 1), EnumCase("off", 0)])
        let point = TraitType.structure([StructField("x", .int), StructField("tag", .string)])
        let plain: [TraitDefinition] = [
            TraitDefinition(key: "c0", type: .int, defaultValue: .int(0)),
            TraitDefinition(key: "c1", type: .bool, defaultValue: .bool(false)),
            TraitDefinition(key: "c2", type: mode, defaultValue: .int(1)),
            TraitDefinition(key: "c3", type: .double, defaultValue: .double(1)),
            TraitDefinition(
                key: "c4", type: point, isNullable: true, defaultValue: .null,
                affectsColorAppearance: true),
            TraitDefinition(key: "c5", type: .string, defaultValue: .string("")),
        ]
        guard plan.hasManyTraits else { return plain }
        return plain
            + (10..<56).map { TraitDefinition(key: "d\($0)", type: .int, defaultValue: .int(0)) }
    }

    /// One operation, or a few that belong together.
    mutating func makeOperations(_ state: OracleState) -> [Operation] {
        if state.updates == .layout, random.chance(12) { return update(state) }
        if random.chance(10) { return layers(state) }
        if random.chance(18) { return listening(state) }
        return switch random.below(100) {
        case ..<22: create(state)
        case ..<48: set(state)
        case ..<58: remove(state)
        case ..<69: move(state)
        case ..<72: order(state)
        case ..<76: pair(state)
        case ..<78: label(state)
        case ..<83: delete(state)
        case ..<93: register(state)
        case ..<96: unregister(state)
        default: traits(state)
        }
    }

    private mutating func listening(_ state: OracleState) -> [Operation] {
        switch random.below(10) {
        case ..<5: scope(state)
        case ..<8: environment(state)
        default: dynamics(state)
        }
    }

    /// Mostly of everything.
    private mutating func update(_ state: OracleState) -> [Operation] {
        if random.chance(50) { return [.updateTraits(nil)] }
        return pickNode(state).map { [.updateTraits($0)] } ?? []
    }

    mutating func create(_ state: OracleState) -> [Operation] {
        guard state.nodes.count < plan.nodesMax else { return [] }
        let parent = random.chance(88) ? pickParent(state) : nil
        let kinds = NodeKind.allCases.filter { kind in
            parent.flatMap { state.nodes[$0]?.kind }.map(kind.allowedParents.contains) ?? true
        }
        let isView = random.chance(60) && kinds.contains(.view)
        guard let kind = isView ? .view : random.pick(kinds) else { return [] }
        let id = name(kind == .view ? "v" : "n")
        if random.chance(25), kind == .view, let controller = pickFreeController(state) {
            return [.create(id, .view, parent: parent, controller: controller, label: nil)]
        }
        if random.chance(25), kind == .view {
            let controller = name("vc")
            return [
                .create(controller, .viewController, parent: nil, controller: nil, label: nil),
                .create(id, .view, parent: parent, controller: controller, label: "embedded"),
            ]
        }
        return [.create(id, kind, parent: parent, controller: nil, label: nil)]
    }

    private mutating func pickParent(_ state: OracleState) -> String? {
        guard plan.shape == .deep, random.chance(70) else { return pickNode(state) }
        return state.nodes.max { ($0.value.serial, $0.key) < ($1.value.serial, $1.key) }?.key
    }

    private mutating func pickFreeController(_ state: OracleState) -> String? {
        let owned = Set(state.nodes.values.compactMap(\.controller))
        return random.pick(
            state.nodes.filter { $0.value.kind == .viewController && !owned.contains($0.key) }
                .keys.sorted())
    }

    private mutating func set(_ state: OracleState) -> [Operation] {
        if random.chance(20), let operation = shielded(state) { return [operation] }
        guard let (node, trait) = pickTarget(state), let value = pickValue(trait, state) else {
            return []
        }
        if random.chance(2) { return [.set(.override, node, trait, .structure([.bool(true)]))] }
        return [.set(pickLayer(), node, trait, value)]
    }

    /// Above an override that hides it from a registration.
    private mutating func shielded(_ state: OracleState) -> Operation? {
        guard let id = random.pick(state.registrations.keys.sorted()),
            let listener = state.registrations[id]
        else { return nil }
        let path =
            [listener.node] + state.ancestors(of: listener.node, state.traitParents())
        for (position, node) in path.enumerated() {
            let hidden = listener.traits.filter { state.nodes[node]?.overrides[$0] != nil }
            guard let trait = random.pick(hidden), let value = pickValue(trait, state),
                let above = random.pick(Array(path[(position + 1)...]))
            else { continue }
            return .set(.override, above, trait, value)
        }
        return nil
    }

    /// Mostly at a node with a registration, or above one.
    private mutating func pickTarget(_ state: OracleState) -> (String, String)? {
        if random.chance(75), let id = random.pick(state.registrations.keys.sorted()),
            let listener = state.registrations[id], let trait = random.pick(listener.traits)
        {
            let above = state.ancestors(of: listener.node, state.traitParents())
            return (random.pick([listener.node] + above) ?? listener.node, trait)
        }
        guard let node = pickNode(state), let trait = pickTrait(state) else { return nil }
        return (node, trait)
    }

    private mutating func remove(_ state: OracleState) -> [Operation] {
        let layer = pickLayer()
        let holders = state.nodes.filter {
            $0.value[layer].keys.contains { !state.isHidden($0) }
        }.keys.sorted()
        guard let node = random.chance(90) ? random.pick(holders) : pickNode(state) else {
            return []
        }
        let traits = state.nodes[node]?[layer].keys.filter { !state.isHidden($0) }.sorted() ?? []
        guard let trait = random.pick(traits) ?? pickTrait(state) else { return [] }
        return [.remove(layer, node, trait)]
    }

    private mutating func move(_ state: OracleState) -> [Operation] {
        guard let node = pickNode(state), let kind = state.nodes[node]?.kind else { return [] }
        if random.chance(25) { return [.update(node, parent: .clear)] }
        let parents = state.nodes.filter { kind.allowedParents.contains($0.value.kind) }
        guard let parent = random.chance(95) ? random.pick(parents.keys.sorted()) : pickNode(state)
        else { return [] }
        return [.update(node, parent: .set(parent))]
    }

    /// Mostly behind a sibling, or to the first place; now and then there and back again.
    private mutating func order(_ state: OracleState) -> [Operation] {
        guard let node = pickNode(state) else { return [] }
        let parents = state.traitParents()
        let siblings = state.nodes.keys.filter { $0 != node && parents[$0] == parents[node] }
        guard let sibling = random.chance(5) ? pickNode(state) : random.pick(siblings.sorted())
        else { return [] }
        let order = Operation.order(node, behind: random.chance(20) ? nil : sibling)
        if random.chance(15) { return [order, .order(sibling, behind: node)] }
        return [order]
    }

    /// A view gets a controller, gives it up, or both at once with a move.
    private mutating func pair(_ state: OracleState) -> [Operation] {
        let views = state.nodes.filter { $0.value.kind == .view }.keys.sorted()
        guard let view = random.chance(95) ? random.pick(views) : pickNode(state) else { return [] }
        if random.chance(30) { return [.update(view, controller: .clear)] }
        let some = random.chance(90) ? pickFreeController(state) : pickNode(state)
        guard let controller = some else { return [] }
        if random.chance(30), let parent = pickNode(state) {
            return [.update(view, parent: .set(parent), controller: .set(controller))]
        }
        return [.update(view, controller: .set(controller))]
    }

    private mutating func label(_ state: OracleState) -> [Operation] {
        guard let node = pickNode(state) else { return [] }
        return [.update(node, label: random.chance(30) ? .clear : .set("label \(random.below(3))"))]
    }

    private mutating func delete(_ state: OracleState) -> [Operation] {
        guard let node = pickNode(state) else { return [] }
        let parents = state.nodes.compactMapValues(\.parent)
        let below = state.nodes.keys.filter { state.ancestors(of: $0, parents).contains(node) }
        if below.count > 3, !random.chance(10) { return [] }
        guard random.chance(25), let its = state.nodes[node], its.kind == .view else {
            return [.delete(node)]
        }
        // The name is free at once.
        return [
            .delete(node), .create(node, .view, parent: its.parent, controller: nil, label: nil),
        ]
    }

    mutating func register(_ state: OracleState) -> [Operation] {
        if random.chance(4), let known = random.pick(state.registrations.keys.sorted()) {
            return [.register(known, "scene", ["c0"])]
        }
        guard let node = pickNode(state) else { return [] }
        return [.register(name("r"), node, random.chance(2) ? [] : pickTraits(state))]
    }

    private mutating func unregister(_ state: OracleState) -> [Operation] {
        guard let id = random.pick(state.registrations.keys.sorted()) else { return [] }
        let again = Operation.register(id, "scene", ["userInterfaceStyle"])
        return random.chance(15) ? [.unregister(id), again] : [.unregister(id)]
    }

    private mutating func traits(_ state: OracleState) -> [Operation] {
        let custom = state.customTraits
        if random.chance(40), let trait = random.pick(custom) { return [.deleteTrait(trait)] }
        if random.chance(20), let known = state.traits["c\(2 + 2 * random.below(2))"] {
            return [.define(known.definition.reversed)]
        }
        let key = "c\(random.below(9))"
        let value = TraitValue.int(Int64(random.below(2)))
        return [.define(TraitDefinition(key: key, type: .int, defaultValue: value))]
    }
}

extension TraitDefinition {
    /// The same with its cases or fields in the opposite order.
    fileprivate var reversed: TraitDefinition {
        var type = type
        var standard = defaultValue
        switch type {
        case .enumeration(let cases): type = .enumeration(cases.reversed())
        case .structure(let fields):
            type = .structure(fields.reversed())
            if case .structure(let values) = standard { standard = .structure(values.reversed()) }
        default: break
        }
        return TraitDefinition(
            key: key, identifier: identifier, name: name, type: type, isNullable: isNullable,
            defaultValue: standard, affectsColorAppearance: affectsColorAppearance)
    }
}
