// The rules of environment keys: a bridged one is its trait under another name, any other has a
// trait of its own that nothing else knows.

import TraitEngine

extension OracleState {
    struct Key {
        let serial: Int
        let definition: EnvironmentKey

        /// The trait that holds the values.
        var holder: String { definition.bridgedTrait ?? OracleState.holder(of: definition.key) }

        func encode(_ value: TraitValue) -> TraitValue? {
            if definition.map.isEmpty { return value }
            return definition.map.first { $0.environment == value }?.trait
        }

        func decode(_ value: TraitValue) -> TraitValue {
            if definition.map.isEmpty { return value }
            return definition.map.first { $0.trait == value }?.environment
                ?? definition.defaultValue
        }
    }

    /// No key of a trait has a blank.
    static func holder(of key: String) -> String { "of \(key)" }

    func isHidden(_ trait: String) -> Bool { traits[trait]?.definition.origin == .environment }

    mutating func applyEnvironment(_ operation: Operation, tick: Int) -> Set<String> {
        switch operation {
        case .defineKey(let key):
            if let known = keys[key.key] {
                return KeyMeaning(known.definition) == KeyMeaning(key)
                    ? [] : ["environmentKeyImmutable"]
            }
            keys[key.key] = Key(serial: tick, definition: key)
            if key.bridgedTrait == nil {
                let holder = TraitDefinition(
                    key: Self.holder(of: key.key), type: key.type, isNullable: key.isNullable,
                    defaultValue: key.defaultValue, origin: .environment)
                traits[holder.key] = Trait(serial: tick, definition: holder)
            }
        case .deleteKey(let name):
            guard let key = keys[name] else { return ["unknownEnvironmentKey"] }
            if key.definition.bridgedTrait == nil {
                if isSet(key.holder) || isKeptOrShown(key.holder) { return ["traitInUse"] }
                forget(key.holder)
            }
            keys[name] = nil
        case .setEnvironment(let node, let name, let value):
            guard let key = keys[name] else { return ["unknownEnvironmentKey"] }
            guard let word = key.encode(value),
                traits[key.holder]?.definition.accepts(word) == true
            else { return ["typeMismatch"] }
            set(.override, node, key.holder, word)
        case .removeEnvironment(let node, let name):
            guard let key = keys[name] else { return ["unknownEnvironmentKey"] }
            nodes[node]?.overrides[key.holder] = nil
        default: break
        }
        return []
    }

    mutating func set(_ layer: InputLayer, _ node: String, _ trait: String, _ value: TraitValue) {
        if nodes[node]?[layer][trait]?.value == value { return }
        nodes[node]?[layer][trait] = Stored(value: value, revision: revision + 1)
    }

    /// Whether a node sets the trait itself.
    func isSet(_ trait: String) -> Bool {
        nodes.values.contains {
            $0.overrides[trait] != nil || $0.supplied[trait] != nil
                || $0.legacyCollection[trait] != nil
        }
    }

    /// Whether a detached node keeps a value of the trait, or a node shows one that waits for an
    /// update.
    func isKeptOrShown(_ trait: String) -> Bool {
        let parents = traitParents()
        return nodes.contains { id, node in
            node.kept[trait] != nil && parents[id] == nil
                || node.shown.contains { $0.layers.values.contains { $0[trait] != nil } }
        }
    }

    /// A trait was deleted: its values cannot be read any more.
    mutating func forget(_ trait: String) {
        traits[trait] = nil
        for id in nodes.keys { nodes[id]?.kept[trait] = nil }
        forgetShown(trait)
    }
}
