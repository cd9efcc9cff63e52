// Everything a hierarchy shows, compared with the rules.

import TraitEngine

extension EngineDriver {
    /// Compares structure, inputs, every resolved value, explanations, order and counts, and
    /// lets the engine check itself.
    func compareEverything(with oracle: Oracle) throws {
        let state = oracle.state
        try compareCounts(with: oracle)
        do {
            try hierarchy.checkInvariants()
        } catch {
            throw Mismatch(what: "invariant", engine: "\(error)", rules: "holds")
        }
        try compareDefinitions(with: state)
        try compareRegistrations(with: state)
        names = [:]
        for id in state.nodes.keys {
            if let index = hierarchy.node(id) { names[index] = hierarchy.identifier(of: index) }
        }
        defer { names = [:] }
        let shown = Shown(state)
        let universe = traitsToCompare(state)
        for id in state.nodes.keys {
            try compareNode(id, shown, universe)
            try compareScopes(id, state)
        }
        for id in some(5, of: state.nodes.keys.sorted()) { try compareListening(id, shown) }
        try compareOrder(with: state, shown.parents)
        try compareChains(
            of: some(3, of: state.nodes.keys.sorted()), some(6, of: universe), shown)
    }

    /// Compares counts, and some nodes with the values of some traits there and where they come
    /// from. Cheap: for the steps between two comparisons of everything.
    func compare(_ nodes: [String], _ traits: [String], with oracle: Oracle) throws {
        let state = oracle.state
        try compareCounts(with: oracle)
        let shown = Shown(state)
        let universe = traits.compactMap { key in
            hierarchy.definitions.index(of: key).map { (key: key, index: $0) }
        }
        for id in nodes { try compareNode(id, shown, universe) }
        for id in some(2, of: nodes) { try compareListening(id, shown) }
        try compareChains(of: some(1, of: nodes), some(2, of: universe), shown)
    }

    private func compareCounts(with oracle: Oracle) throws {
        try expect("revision", hierarchy.revision, oracle.state.revision)
        try expect("nodes", hierarchy.nodeCount, oracle.state.nodes.count)
        try expect(
            "registrations", hierarchy.registrationCount, oracle.state.registrations.count)
        try expect("scopes", hierarchy.scopeCount, oracle.state.scopes.count)
        try expect("watches", hierarchy.watchCount, oracle.watches.count)
    }

    private func compareNode(
        _ id: String, _ shown: Shown, _ universe: [(key: String, index: TraitIndex)]
    ) throws {
        guard let node = shown.state.nodes[id] else { return }
        guard let index = hierarchy.node(id) else {
            throw Mismatch(what: "node \(id)", engine: "absent", rules: "present")
        }
        try compareStructure(id, index, node, shown.state, shown.parents)
        try compareInputs(id, index, node, shown.state)
        try compareValues(id, index, shown, universe)
    }

    func expect<Value: Equatable>(
        _ what: @autoclosure () -> String, _ engine: Value, _ rules: Value
    ) throws {
        if engine != rules {
            throw Mismatch(what: what(), engine: "\(engine)", rules: "\(rules)")
        }
    }

    /// Every custom trait and the system traits that something sets or observes, with one that
    /// nothing ever does.
    private func traitsToCompare(_ state: OracleState) -> [(key: String, index: TraitIndex)] {
        var keys: Set<String> = ["sceneCaptureState"]
        for node in state.nodes.values {
            keys.formUnion(node.overrides.keys)
            keys.formUnion(node.supplied.keys)
            keys.formUnion(node.kept.keys)
        }
        for scope in state.scopes.values { keys.formUnion(scope.reads) }
        for listener in state.registrations.values { keys.formUnion(listener.traits) }
        return keys.sorted().compactMap { key in
            hierarchy.definitions.index(of: key).map { (key, $0) }
        }
    }

    // MARK: - Parts

    private func compareDefinitions(with state: OracleState) throws {
        let definitions = hierarchy.definitions
        let order = state.traits.filter { !state.isHidden($0.key) }
            .sorted { $0.value.serial < $1.value.serial }.map(\.key)
        try expect("definitions", definitions.settable.map { definitions[$0].key }, order)
        let keys = state.keys.sorted { $0.value.serial < $1.value.serial }.map(\.key)
        try expect("environment keys", definitions.environmentKeys.map(\.key), keys)
        for kind in DynamicKind.allCases {
            let rules = state.dynamics.filter { $0.key.kind == kind }
                .sorted { $0.value.serial < $1.value.serial }
            let engine = definitions.dynamics(kind)
            try expect("\(kind.rawValue)s", engine.map(\.name), rules.map(\.key.name))
            try expect(
                "variants of each \(kind.rawValue)", engine.map { $0.variants.map(\.value) },
                rules.map { $0.value.definition.variants.map(\.value) })
        }
    }

    private func compareRegistrations(with state: OracleState) throws {
        let infos = hierarchy.registrations().map(hierarchy.registrationInfo)
        let order = state.registrations.sorted { $0.value.serial < $1.value.serial }
        try expect("registrations", infos.map { $0.identifier ?? "?" }, order.map(\.key))
        for (info, registration) in zip(infos, order) {
            let id = registration.key
            try expect(
                "node of \(id)", hierarchy.identifier(of: info.node), registration.value.node)
            let keys = info.traits.map { hierarchy.definitions[$0].key }
            try expect("traits of \(id)", Set(keys), Set(registration.value.traits))
            try expect(
                "colours and images of \(id)", info.colors + info.images,
                state.dynamics(of: registration.value).map(\.name))
            try expect("name of \(id)", hierarchy.registration(named: id), info.index)
        }
    }

    private func compareStructure(
        _ id: String, _ index: NodeIndex, _ node: OracleState.Node, _ state: OracleState,
        _ parents: [String: String]
    ) throws {
        let name = { (other: NodeIndex?) in other.map(self.name) }
        try expect("identifier of \(id)", hierarchy.identifier(of: index), id)
        try expect("kind of \(id)", hierarchy.kind(of: index), node.kind)
        try expect("parent of \(id)", name(hierarchy.parent(of: index)), node.parent)
        try expect("controller of \(id)", name(hierarchy.controller(of: index)), node.controller)
        try expect("label of \(id)", hierarchy.label(of: index), node.label)
        try expect("trait parent of \(id)", name(hierarchy.traitParent(of: index)), parents[id])
        if node.kind == .viewController {
            let view = name(hierarchy.rootView(of: index))
            try expect("view of \(id)", view, state.rootView(of: id))
        }
        let ancestors = state.ancestors(of: id, parents)
        try expect("depth of \(id)", hierarchy.depth(of: index), ancestors.count)
        try expect(
            "state of \(id)", hierarchy.state(of: index), state.visibility(of: id, parents))
    }

    private func compareInputs(
        _ id: String, _ index: NodeIndex, _ node: OracleState.Node, _ state: OracleState
    ) throws {
        let engine = [
            hierarchy.overrides(of: index), hierarchy.supplied(of: index),
            hierarchy.kept(of: index), hierarchy.legacyCollection(of: index),
        ]
        let rules = [node.overrides, node.supplied, node.kept, node.legacyCollection]
        try expect(
            "style of \(id)", hierarchy.legacyStyle(of: index),
            node.legacyStyle["userInterfaceStyle"]?.value)
        let limits = hierarchy.contentSizeLimits(of: index)
        let ranks = [node.limits?.minimum, node.limits?.maximum].map { $0.map(category) }
        try expect("limits of \(id)", [limits.minimum, limits.maximum], ranks)
        for (position, what) in ["overrides", "supplied", "kept", "legacy"].enumerated() {
            let listed = engine[position].map { (hierarchy.definitions[$0.0].key, $0.1) }
            let values = Dictionary(listed) { $1 }
            let known = rules[position].filter { !state.isHidden($0.key) }
            try expect("\(what) of \(id)", values, known.mapValues(\.value))
            let sorted = engine[position].map(\.0).sorted()
            try expect("order of \(what) of \(id)", engine[position].map(\.0), sorted)
        }
    }

    private func compareValues(
        _ id: String, _ index: NodeIndex, _ shown: Shown,
        _ universe: [(key: String, index: TraitIndex)]
    ) throws {
        let state = shown.state
        let collection = shown.collection(of: id)
        var walked: [TraitIndex: TraitValue] = [:]
        hierarchy.values(of: TraitSet(universe.map(\.index)), at: index) { walked[$0] = $1 }
        try compareShown(id, index, state, collection)
        if let parent = shown.parents[id], let above = hierarchy.node(parent) {
            let other = shown.collection(of: parent)
            let differing = universe.filter { key, _ in
                !state.isHidden(key)
                    && state.read(key, in: collection).value != state.read(key, in: other).value
            }
            try expect(
                "what differs between \(id) and \(parent)",
                hierarchy.changedTraits(at: index, from: above)
                    .intersection(TraitSet(universe.map(\.index))),
                TraitSet(differing.map(\.index)))
        }
        let node = state.nodes[id]
        let specified = hierarchy.specifiedTraits(at: index)
        for (key, trait) in universe {
            let expected = state.read(key, in: collection)
            let resolution = hierarchy.resolve(trait, at: index)
            try expect("\(key) at \(id)", resolution.value, expected.value)
            try expect(
                "source of \(key) at \(id)", origin(resolution.source),
                state.source(of: expected, key, shownBy: id, shown.parents))
            try expect("\(key) in the walk at \(id)", walked[trait], expected.value)
            let word = hierarchy.value(from: hierarchy.word(of: trait, at: index), of: trait)
            try expect("word of \(key) at \(id)", word, expected.value)
            try expect(
                "override of \(key) at \(id)", hierarchy.override(trait, of: index),
                node?.overrides[key]?.value)
            if expected.source.layer != .default {
                try expect("\(key) is specified at \(id)", specified.contains(trait), true)
            }
        }
    }

    /// The whole collection as a value.
    private func compareShown(
        _ id: String, _ index: NodeIndex, _ state: OracleState,
        _ collection: OracleState.Collection
    ) throws {
        let shown = hierarchy.shownCollection(of: index)
        for (key, resolved) in collection where !state.isHidden(key) {
            guard let trait = hierarchy.definitions.index(of: key) else { continue }
            try expect("\(key) in the collection of \(id)", shown[trait], resolved.value)
        }
        let others = shown.nonDefaultTraits.filter {
            collection[hierarchy.definitions[$0].key] == nil
        }
        try expect("further traits of \(id)", others, [])
    }

    private func compareOrder(with state: OracleState, _ parents: [String: String]) throws {
        var lines: [String] = []
        hierarchy.forEachNode { node, level in
            lines.append("\(level) \(name(node))")
            return .descend
        }
        try expect("tree order", lines, state.treeOrder(parents))
    }
}
