// Environment keys, and the values that nodes set for them.

import JSONCodec
import TraitEngine

extension Transaction {
    mutating func defineEnvironmentKey(_ key: EnvironmentKey) throws(SessionError) {
        let hierarchy = hierarchy
        try refusing { () throws(OperationError) in try hierarchy.defineEnvironmentKey(key) }
        definitionsChange()
        record(.defineEnvironmentKey)
        text.json.key("key")
        text.json.value(key.key)
        text.json.key("definition")
        EnvironmentKeyWriter.write(key, of: hierarchy.definitions, into: &text.json)
        text.json.endObject()
    }

    mutating func deleteEnvironmentKey(_ key: String) throws(SessionError) {
        let hierarchy = hierarchy
        try checkSearching()
        try refusing { () throws(OperationError) in try hierarchy.deleteEnvironmentKey(key) }
        definitionsChange()
        record(.deleteEnvironmentKey)
        text.json.key("key")
        text.json.value(key)
        text.json.endObject()
    }

    /// Sets an environment value; of a bridged key the trait's override.
    mutating func setEnvironment(
        _ node: NodeIndex, _ key: EnvironmentKey, _ json: JSONValue
    ) throws(SessionError) {
        let value = try ValueReader.read(json, for: key.definition)
        let hierarchy = hierarchy
        try refusing { () throws(OperationError) in
            try hierarchy.setEnvironment(node, key.key, value)
        }
        disownBridged(node, key)
        record(.setEnvironment)
        write("node", node: node)
        text.json.key("key")
        text.json.value(key.key)
        text.json.key("value")
        TraitEncoding(key.definition).write(value, into: &text.json)
        text.json.endObject()
    }

    /// Writing a bridged key writes the override of its trait, which then is nobody's.
    private func disownBridged(_ node: NodeIndex, _ key: EnvironmentKey) {
        guard !session.managers.isEmpty, let name = key.bridgedTrait,
            let trait = hierarchy.definitions.index(of: name)
        else { return }
        session.managers.set(
            ManagedPlace(node, .overrides, trait), nil, in: hierarchy)
    }

    mutating func removeEnvironment(_ node: NodeIndex, _ key: EnvironmentKey) throws(SessionError) {
        let hierarchy = hierarchy
        try refusing { () throws(OperationError) in
            try hierarchy.removeEnvironment(node, key.key)
        }
        disownBridged(node, key)
        record(.removeEnvironment)
        write("node", node: node)
        text.json.key("key")
        text.json.value(key.key)
        text.json.endObject()
    }
}

extension EnvironmentKey {
    /// The key as a trait: how its values are read and written.
    package var definition: TraitDefinition {
        TraitDefinition(
            key: key, type: type, isNullable: isNullable, defaultValue: defaultValue)
    }
}
