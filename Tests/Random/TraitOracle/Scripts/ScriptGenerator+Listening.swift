// Random scopes, environment keys and values, colours and images.

import TraitEngine

extension ScriptGenerator {
    /// What the first transaction defines besides traits.
    func firstDefinitions() -> [Operation] {
        [
            .defineKey(Self.bridged("mode", to: "c2")), .defineKey(Self.unbridged("spacing")),
            .defineKey(Self.mapped), .defineDynamic(Self.tint), .defineDynamic(Self.icon),
        ]
    }

    static func bridged(_ name: String, to trait: String) -> EnvironmentKey {
        EnvironmentKey(key: name, type: .int, defaultValue: .int(0), bridgedTrait: trait)
    }

    static func unbridged(_ name: String) -> EnvironmentKey {
        EnvironmentKey(key: name, type: .int, defaultValue: .int(4))
    }

    /// Of the trait's values one stands for none of the key's.
    static let mapped = EnvironmentKey(
        key: "isDark", type: .bool, defaultValue: .bool(false), bridgedTrait: "userInterfaceStyle",
        map: [(.bool(false), .int(1)), (.bool(true), .int(2))])

    static let mappedBackwards = EnvironmentKey(
        key: mapped.key, type: mapped.type, defaultValue: mapped.defaultValue,
        bridgedTrait: mapped.bridgedTrait, map: mapped.map.reversed())

    /// The same colour as the first one.
    static let tintAgain = DynamicDefinition(
        kind: .color, name: "tint",
        variants: tint.variants.map { .init(when: $0.when, value: $0.meaning + "~again") })

    static let tint = DynamicDefinition(
        kind: .color, name: "tint",
        variants: [
            .init(when: [:], value: "any"),
            .init(when: ["userInterfaceStyle": .int(2)], value: "d"),
            .init(when: ["userInterfaceStyle": .int(2), "c1": .bool(true)], value: "d1"),
            .init(when: ["c1": .bool(true)], value: "any~otherwise"),
        ])

    static let icon = DynamicDefinition(
        kind: .image, name: "icon",
        variants: [
            .init(when: ["displayScale": .double(1)], value: "1x"),
            .init(when: ["displayScale": .double(3)], value: "3x"),
            .init(
                when: ["displayScale": .double(1), "userInterfaceStyle": .int(2)], value: "1x d"),
        ])

    /// The same image: two of the variants are for the same conditions.
    static let iconAgain = DynamicDefinition(
        kind: .image, name: "icon",
        variants: [
            .init(
                when: ["displayScale": .double(1), "userInterfaceStyle": .int(0)],
                value: "replaced"),
            .init(when: ["displayScale": .double(3)], value: "3x~again"),
            .init(
                when: ["userInterfaceStyle": .int(2), "displayScale": .double(0)], value: "1x d"),
            .init(when: [:], value: "1x"),
        ])

    // MARK: - Scopes

    mutating func scope(_ state: OracleState) -> [Operation] {
        if random.chance(15), let old = pickScope(state) {
            return [.removeScope(old.node, old.name)]
        }
        // Stale ones are set again, as their methods run again.
        let stale = state.scopes.filter(\.value.isStale).map(\.key).sorted(by: isBefore)
        if random.chance(40), let scope = random.pick(stale) {
            let reads = random.chance(50) ? state.scopes[scope]?.reads.sorted() : nil
            return [.setScope(scope.node, scope.name, reads ?? pickReads(state))]
        }
        guard let node = pickScopeNode(state), let kind = state.nodes[node]?.kind else { return [] }
        let methods = ScopeMethod.all.filter { $0.kinds.contains(kind) }.map(\.name)
        let name = random.chance(95) ? random.pick(methods) ?? "content" : "neverHeardOf"
        return [.setScope(node, name, pickReads(state))]
    }

    private func isBefore(_ one: OracleState.ScopeName, _ two: OracleState.ScopeName) -> Bool {
        (one.node, one.name) < (two.node, two.name)
    }

    private mutating func pickScope(_ state: OracleState) -> OracleState.ScopeName? {
        random.pick(state.scopes.keys.sorted(by: isBefore))
    }

    /// Those of controllers are the difficult ones.
    private mutating func pickScopeNode(_ state: OracleState) -> String? {
        let covering = state.nodes.filter {
            $0.value.kind == .viewController || $0.value.kind == .presentationController
        }
        return random.chance(50) ? random.pick(covering.keys.sorted()) : pickNode(state)
    }

    private mutating func pickReads(_ state: OracleState) -> [String] {
        random.chance(8) ? [] : pickTraits(state)
    }

    // MARK: - Environment keys

    mutating func environment(_ state: OracleState) -> [Operation] {
        if random.chance(12) { return defineKeys(state) }
        guard let name = random.pick(state.keys.keys.sorted()), let node = pickNode(state) else {
            return []
        }
        let holder = state.keys[name]?.holder ?? ""
        let holders = state.nodes.filter { $0.value.overrides[holder] != nil }.keys.sorted()
        if random.chance(35), let node = random.pick(holders) {
            return [.removeEnvironment(node, name)]
        }
        if random.chance(2) { return [.setEnvironment(node, "other", .int(1))] }
        let isBool = state.keys[name]?.definition.type == .bool
        let value: TraitValue =
            isBool ? .bool(random.chance(50)) : .int(Int64(random.below(3)))
        return [.setEnvironment(node, name, value)]
    }

    private mutating func defineKeys(_ state: OracleState) -> [Operation] {
        if random.chance(40), let name = random.pick(state.keys.keys.sorted()) {
            return [.deleteKey(name)]
        }
        switch random.below(4) {
        case 0: return [.defineKey(Self.bridged("mode", to: random.chance(80) ? "c2" : "c0"))]
        case 1: return [.defineKey(random.chance(50) ? Self.mapped : Self.mappedBackwards)]
        default: return [.defineKey(Self.unbridged("spacing\(random.below(3))"))]
        }
    }

    // MARK: - Colours and images

    mutating func dynamics(_ state: OracleState) -> [Operation] {
        switch random.below(8) {
        case 0:
            let kind: DynamicKind = random.chance(50) ? .color : .image
            let names = state.dynamics.keys.filter { $0.kind == kind }.map(\.name).sorted()
            return random.pick(names).map { [.deleteDynamic(kind, $0)] } ?? []
        case 1:
            let all = [Self.tint, Self.tintAgain, Self.icon, Self.iconAgain]
            return [.defineDynamic(all[random.below(all.count)])]
        case 2: return [.defineDynamic(color(state))]
        default:
            guard let node = pickNode(state) else { return [] }
            return [dynamicRegistration(name("r"), node, state)]
        }
    }

    private mutating func color(_ state: OracleState) -> DynamicDefinition {
        var variants = [DynamicDefinition.Variant(when: [:], value: "none")]
        for number in 0..<1 + random.below(3) {
            var when: [String: TraitValue] = [:]
            for _ in 0..<1 + random.below(2) {
                guard let trait = pickTrait(state), let value = pickValue(trait, state)
                else { continue }
                when[trait] = value
            }
            variants.append(.init(when: when, value: "variant \(number)"))
        }
        return DynamicDefinition(
            kind: .color, name: "color\(random.below(3))", variants: variants)
    }

    mutating func dynamicRegistration(
        _ id: String, _ node: String, _ state: OracleState
    ) -> Operation {
        let colors = state.dynamics.keys.filter { $0.kind == .color }.map(\.name).sorted()
        let images = state.dynamics.keys.filter { $0.kind == .image }.map(\.name).sorted()
        let some = (0..<1 + random.below(2)).compactMap { _ in random.pick(colors) }
        return .register(
            id, node, random.chance(50) ? [] : pickTraits(state),
            colors: random.chance(3) ? ["unheardOf"] : some,
            images: random.chance(40) ? Array(images.prefix(1)) : [])
    }
}
