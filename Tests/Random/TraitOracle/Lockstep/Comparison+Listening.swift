// Scopes, environment values, colours and images at a node, compared with the rules.

import TraitEngine

extension EngineDriver {
    func compareListening(_ id: String, _ shown: Shown) throws {
        let index = try node(id)
        try compareScopes(id, shown.state)
        for (name, key) in shown.state.keys {
            let expected = shown.read(key.holder, at: id)
            let resolution = try hierarchy.environment(name, at: index)
            try expect("\(name) at \(id)", resolution.value, key.decode(expected.value))
            try expect(
                "source of \(name) at \(id)", origin(resolution.source),
                shown.state.source(of: expected, key.holder, shownBy: id, shown.parents))
            try expect(
                "\(name) of \(id)", hierarchy.ownEnvironment(name, of: index),
                shown.state.nodes[id]?.overrides[key.holder].map { key.decode($0.value) })
        }
        for (name, dynamic) in shown.state.dynamics {
            let choice = try hierarchy.resolveDynamic(name.kind, name.name, at: index)
            let expected = dynamic.definition.choose { shown.value($0, name.kind, at: id) }
            try expect("\(name.kind.rawValue) \(name.name) at \(id)", choice.index, expected)
        }
    }

    func compareScopes(_ id: String, _ state: OracleState) throws {
        let index = try node(id)
        let expected = state.scopes.filter { $0.key.node == id }
            .sorted { $0.value.serial < $1.value.serial }
        let scopes = hierarchy.scopes(of: index)
        try expect("scopes of \(id)", scopes.map(\.name), expected.map(\.key.name))
        for (scope, (name, rules)) in zip(scopes, expected) {
            let what = "\(name.name) of \(id)"
            try expect("reads of \(what)", Set(scope.reads.map(key)), rules.reads)
            try expect("whether stale is \(what)", scope.isStale, rules.isStale)
            try expect("revision of \(what)", scope.revision, rules.revision)
        }
    }

    private func key(_ trait: TraitIndex) -> String { hierarchy.definitions[trait].key }
}
