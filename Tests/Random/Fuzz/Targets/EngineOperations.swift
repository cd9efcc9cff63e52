// One operation of the engine for a few bytes: names and traits from small sets, so that operations
// meet one another, and now and then something that has to be refused.

import TraitEngine

struct EngineOperations {
    let hierarchy: Hierarchy
    private static let names = (0..<16).map { "n\($0)" } + ["a longer name than fits a slot"]
    private static let kinds = NodeKind.allCases

    init(_ hierarchy: Hierarchy) { self.hierarchy = hierarchy }

    func node(_ source: inout ByteSource) -> NodeIndex? {
        source.pick(Self.names).flatMap { hierarchy.node($0) }
    }

    private func maybeNode(_ source: inout ByteSource) -> Change<NodeIndex> {
        switch source.below(4) {
        case 0: .keep
        case 1: .clear
        default: node(&source).map { .set($0) } ?? .keep
        }
    }

    func trait(_ source: inout ByteSource) -> TraitIndex {
        let end = hierarchy.definitions.indexEnd
        let position = source.below(min(end, 48))
        let trait = TraitIndex(rawValue: UInt16(truncatingIfNeeded: position))
        // One that was deleted, or was never there, is an index that no caller can have.
        return hierarchy.definitions.definition(at: trait) == nil
            ? TraitIndex(rawValue: 0) : trait
    }

    func traits(_ source: inout ByteSource) -> TraitSet {
        TraitSet((0..<source.below(4)).map { _ in trait(&source) })
    }

    /// Mostly a value that the trait takes.
    private func value(_ trait: TraitIndex, _ source: inout ByteSource) -> TraitValue {
        let definition = hierarchy.definitions[trait]
        let byte = source.byte()
        if byte == 0 { return definition.defaultValue }
        if byte == 255 { return .null }
        return value(of: definition.type, byte)
    }

    private func value(of type: TraitType, _ byte: UInt8) -> TraitValue {
        switch type {
        case .bool: .bool(byte & 1 == 0)
        case .int: .int(Int64(byte) - 3)
        case .double: .double([0, -0.0, 1, 2, 3, .infinity, 1e300, 0.1][Int(byte) % 8])
        case .json: .json("[\(byte)]")
        case .string, .opaque: .string(String(repeating: "é", count: Int(byte) % 40))
        case .enumeration(let cases): .int(cases[Int(byte) % max(1, cases.count)].raw)
        case .stringEnumeration(let cases):
            .string(cases[Int(byte) % max(1, cases.count)].raw)
        case .structure(let fields):
            .structure(
                fields.map { $0.type == .bool ? .bool(byte & 1 == 0) : .double(Double(byte)) })
        }
    }

    private func collection(_ source: inout ByteSource) -> TraitCollection {
        let values = (0..<source.below(4)).map { _ in
            let trait = trait(&source)
            return (trait, value(trait, &source))
        }
        return TraitCollection(definitions: hierarchy.definitions) { traits in
            for (trait, value) in values { try? traits.set(trait, value) }
        }
    }

    private func category(_ source: inout ByteSource) -> String? {
        let categories = SystemTraits.contentSizeCategories
        let position = source.below(categories.count + 2)
        return position < categories.count ? categories[position].raw : nil
    }

    /// - Throws: what the engine refuses.
    mutating func apply(_ source: inout ByteSource) throws(OperationError) {
        switch source.below(24) {
        case 0...3: try create(&source)
        case 4...5: try move(&source)
        case 6:
            if let node = node(&source) { try hierarchy.deleteNode(node) }
        case 7: try define(&source)
        case 8: try hierarchy.deleteTrait(trait(&source))
        case 9...10: try register(&source)
        case 11: unregister(&source)
        case 12: update(&source)
        default: try write(&source)
        }
    }

    private func create(_ source: inout ByteSource) throws(OperationError) {
        let name = source.pick(Self.names) ?? ""
        let kind = source.pick(Self.kinds) ?? .view
        let parent = node(&source)
        let controller = kind == .view && source.byte() & 1 == 0 ? node(&source) : nil
        _ = try hierarchy.createNode(
            name, kind: kind, parent: parent, controller: controller,
            label: source.byte() & 7 == 0 ? "label" : nil)
    }

    private func move(_ source: inout ByteSource) throws(OperationError) {
        guard let node = node(&source) else { return }
        let parent = maybeNode(&source)
        let controller = source.byte() & 3 == 0 ? maybeNode(&source) : .keep
        let label: Change<String> = source.byte() & 7 == 0 ? .set("moved") : .keep
        try hierarchy.updateNode(node, parent: parent, controller: controller, label: label)
    }

    private func define(_ source: inout ByteSource) throws(OperationError) {
        let key = "t\(source.below(6))"
        let types: [(TraitType, TraitValue)] = [
            (.bool, .bool(false)), (.int, .int(0)), (.double, .double(0)), (.string, .string("")),
            (.enumeration([EnumCase("a", 0), EnumCase("b", 5)]), .int(5)),
            (.structure([StructField("on", .bool)]), .structure([.bool(true)])),
        ]
        let (type, defaultValue) = types[source.below(types.count)]
        _ = try hierarchy.defineTrait(
            TraitDefinition(
                key: key, type: type, isNullable: source.byte() & 1 == 0,
                defaultValue: defaultValue, affectsColorAppearance: source.byte() & 1 == 0))
    }

    private func register(_ source: inout ByteSource) throws(OperationError) {
        guard let node = node(&source) else { return }
        let name = "r\(source.below(8))"
        let traits = traits(&source)
        _ = try hierarchy.register(
            name, node: node, traits: traits,
            colors: source.byte() & 7 == 0 ? ["c\(source.below(3))"] : [],
            images: source.byte() & 7 == 0 ? ["c\(source.below(3))"] : [])
    }

    private func unregister(_ source: inout ByteSource) {
        guard let registration = hierarchy.registration(named: "r\(source.below(8))") else {
            return
        }
        hierarchy.unregister(registration)
    }

    private func update(_ source: inout ByteSource) {
        if let node = node(&source) {
            hierarchy.updateTraits(of: node)
        } else {
            hierarchy.updateTraits()
        }
    }

    private func write(_ source: inout ByteSource) throws(OperationError) {
        guard let node = node(&source) else { return }
        let what = source.below(16)
        let trait = trait(&source)
        switch what {
        case 0...3: try hierarchy.setOverride(node, trait, value(trait, &source))
        case 4: hierarchy.removeOverride(node, trait)
        case 5: try hierarchy.setSupplied(node, trait, value(trait, &source))
        case 6: hierarchy.removeSupplied(node, trait)
        case 7:
            try hierarchy.replaceOverrides(
                node, [(trait, value(trait, &source)), (trait, value(trait, &source))])
        case 8:
            let (minimum, maximum) = (category(&source), category(&source))
            try hierarchy.setContentSizeLimits(node, minimum: minimum, maximum: maximum)
        case 9: try hierarchy.setLegacyCollection(node, collection(&source))
        case 10:
            try hierarchy.setLegacyStyle(
                node, source.byte() & 1 == 0 ? nil : .int(Int64(source.below(3))))
        case 11: _ = try hierarchy.predict(node, collection(&source))
        case 12: try hierarchy.setScope(node, scope(&source), reads: traits(&source))
        case 13: hierarchy.removeScope(node, scope(&source))
        case 14: try environment(node, trait, &source)
        default: try dynamic(&source)
        }
    }

    private func scope(_ source: inout ByteSource) -> String {
        source.pick(ScopeMethod.all)?.name ?? ""
    }

    private func environment(
        _ node: NodeIndex, _ trait: TraitIndex, _ source: inout ByteSource
    ) throws(OperationError) {
        let name = "k\(source.below(3))"
        switch source.below(5) {
        case 0:
            let bridged = source.byte() & 1 == 0 ? hierarchy.definitions[trait].key : nil
            try hierarchy.defineEnvironmentKey(
                EnvironmentKey(
                    key: name, type: .bool, defaultValue: .bool(false), bridgedTrait: bridged,
                    map: bridged == nil
                        ? [] : [(environment: .bool(true), trait: value(trait, &source))]))
        case 1: try hierarchy.deleteEnvironmentKey(name)
        case 2: try hierarchy.removeEnvironment(node, name)
        default: try hierarchy.setEnvironment(node, name, .bool(source.byte() & 1 == 0))
        }
        _ = try hierarchy.environment(name, at: node)
        _ = try hierarchy.ownEnvironment(name, of: node)
    }

    private func dynamic(_ source: inout ByteSource) throws(OperationError) {
        let kind = source.pick(DynamicKind.allCases) ?? .color
        let name = "c\(source.below(3))"
        if source.byte() & 3 == 0 { return try hierarchy.deleteDynamic(kind, name) }
        let variants = (0..<source.below(4)).map { number in
            DynamicVariant(when: collection(&source), value: "\(number)")
        }
        try hierarchy.defineDynamic(DynamicValue(kind: kind, name: name, variants: variants))
        guard let node = node(&source) else { return }
        _ = try hierarchy.resolveDynamic(kind, name, at: node)
    }
}
