// Everything a hierarchy shows, compared with the rules.

import TraitEngine

extension EngineDriver {
    /// Compares structure, inputs, every resolved value, explanations, order and counts, and
    /// lets the engine check itself.
    func compareEverything(with oracle: Oracle) throws {
        let state = oracle.state
        try expect("revision", hierarchy.revision, state.revision)
        try expect("nodes", hierarchy.nodeCount, state.nodes.count)
        try expect("registrations", hierarchy.registrationCount, state.registrations.count)
        try expect("watches", hierarchy.watchCount, oracle.watches.count)
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
        let parents = state.traitParents()
        let collections = state.collections()
        let universe = traitsToCompare(state)
        for (id, node) in state.nodes {
            guard let index = hierarchy.node(id) else {
                throw Mismatch(what: "node \(id)", engine: "absent", rules: "present")
            }
            try compareStructure(id, index, node, state, parents)
            try compareInputs(id, index, node)
            try compareValues(id, index, state, collections[id] ?? [:], universe)
        }
        try compareOrder(with: state, parents)
        try compareChains(with: state, parents, universe)
    }

    private func expect<Value: Equatable>(
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
        for listener in state.registrations.values { keys.formUnion(listener.traits) }
        return keys.sorted().compactMap { key in
            hierarchy.definitions.index(of: key).map { (key, $0) }
        }
    }

    // MARK: - Parts

    private func compareDefinitions(with state: OracleState) throws {
        let definitions = hierarchy.definitions
        let order = state.traits.sorted { $0.value.serial < $1.value.serial }.map(\.key)
        try expect("definitions", definitions.settable.map { definitions[$0].key }, order)
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
        _ id: String, _ index: NodeIndex, _ node: OracleState.Node
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
            try expect("\(what) of \(id)", values, rules[position].mapValues(\.value))
            let sorted = engine[position].map(\.0).sorted()
            try expect("order of \(what) of \(id)", engine[position].map(\.0), sorted)
        }
    }

    private func compareValues(
        _ id: String, _ index: NodeIndex, _ state: OracleState,
        _ collection: OracleState.Collection, _ universe: [(key: String, index: TraitIndex)]
    ) throws {
        var walked: [TraitIndex: TraitValue] = [:]
        hierarchy.values(of: TraitSet(universe.map(\.index)), at: index) { walked[$0] = $1 }
        try compareShown(id, index, state, collection)
        let node = state.nodes[id]
        let specified = hierarchy.specifiedTraits(at: index)
        for (key, trait) in universe {
            let expected = state.read(key, in: collection)
            let resolution = hierarchy.resolve(trait, at: index)
            try expect("\(key) at \(id)", resolution.value, expected.value)
            try expect("source of \(key) at \(id)", origin(resolution.source), expected.source)
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
        for (key, resolved) in collection {
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

    /// Other nodes and traits in every step, as explanations are long.
    private func compareChains(
        with state: OracleState, _ parents: [String: String],
        _ universe: [(key: String, index: TraitIndex)]
    ) throws {
        for id in some(3, of: state.nodes.keys.sorted()) {
            guard let index = hierarchy.node(id) else { continue }
            let above = state.ancestors(of: id, parents)
            for (key, trait) in some(6, of: universe) {
                let expected = state.chain(of: key, at: id, above)
                let chain = hierarchy.chain(of: trait, at: index).map(describe)
                try expect("chain of \(key) at \(id)", chain, expected)
                let full = hierarchy.chain(of: trait, at: index, includeAbsent: true)
                let present = full.filter { $0.status != .absent }.map(describe)
                try expect("full chain of \(key) at \(id)", present, expected)
                let absent = full.filter { $0.status == .absent }.compactMap(\.node)
                let silent = ([id] + above).filter {
                    !state.sets(key, at: $0, shownBy: id, above)
                }
                try expect(
                    "absent in the chain of \(key) at \(id)",
                    absent.map(name), silent)
            }
        }
    }

    /// A number of elements that depends on nothing but the revision.
    private func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        if elements.count <= count { return elements }
        let start = Int(hierarchy.revision) &* 7
        return (0..<count).map { elements[(start + $0 * 5) % elements.count] }
    }

    private func describe(_ entry: ChainEntry) -> String {
        OracleState.chainLine(
            entry.layer, entry.node.map(name), entry.value ?? .null,
            entry.revision, isWinner: entry.status == .winner)
    }
}

extension OracleState {
    /// From the node up, the winning layer first; the default last.
    func chain(of trait: String, at id: String, _ above: [String]) -> [String] {
        var lines: [String] = []
        for level in levels(of: id, above) {
            for (layer, values) in level.layers {
                guard let stored = values[trait] else { continue }
                let name = isThere(level) ? level.node : nil
                lines.append(
                    Self.chainLine(
                        layer, name, stored.value, stored.revision, isWinner: lines.isEmpty))
            }
        }
        let value = traits[trait]?.definition.defaultValue ?? .null
        return lines + [Self.chainLine(.default, nil, value, nil, isWinner: lines.isEmpty)]
    }

    static func chainLine(
        _ layer: Layer, _ node: String?, _ value: TraitValue, _ revision: Int64?, isWinner: Bool
    ) -> String {
        "\(layer.name) \(node ?? "-") \(value) \(revision ?? 0) \(isWinner ? "wins" : "shadowed")"
    }
}
