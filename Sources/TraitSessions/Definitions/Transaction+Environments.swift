// Environment keys, and the values that nodes set for them.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    package mutating func defineEnvironmentKey(_ key: EnvironmentKey) throws(SessionError) {
        let hierarchy = hierarchy
        let isKnown = hierarchy.definitions.environmentKey(named: key.key) != nil
        try refusing { () throws(OperationError) in try hierarchy.defineEnvironmentKey(key) }
        if !isKnown { manage(ManagedPlace(.environmentKey, key.key), isSame: false) }
        needs(format: key.type.neededFormat)
        definitionsChange()
        record(.defineEnvironmentKey)
        text.json.member("key", key.key)
        text.json.key("definition")
        EnvironmentKeyWriter.write(key, of: hierarchy.definitions, into: &text.json)
        text.json.endObject()
    }

    /// Sets an environment value; of a bridged key the trait's override.
    package mutating func setEnvironment(
        _ node: NodeIndex, _ key: EnvironmentKey, _ json: JSONValue
    ) throws(SessionError) {
        try setEnvironment(node, key, try ValueReader.read(json, for: key.definition))
    }

    /// Sets an environment value; of a bridged key the trait's override.
    mutating func setEnvironment(
        _ node: NodeIndex, _ key: EnvironmentKey, _ value: TraitValue
    ) throws(SessionError) {
        let hierarchy = hierarchy
        let present = session.annotations.managers.isEmpty ? nil : try ownEnvironment(key, of: node)
        try refusing { () throws(OperationError) in
            try hierarchy.setEnvironment(node, key.key, value)
        }
        forgetEnd(of: key, node)
        manage(managedPlace(node, key), isSame: present == value)
        record(.setEnvironment)
        write("node", node: node)
        text.json.member("key", key.key)
        text.json.key("value")
        TraitEncoding(key.definition).write(value, into: &text.json)
        text.json.endObject()
    }

    /// The value that is set at a node; of a bridged key what the trait's override stands for.
    package func ownEnvironment(
        _ key: EnvironmentKey, of node: NodeIndex
    ) throws(SessionError) -> TraitValue? {
        try refusing { () throws(OperationError) in
            try hierarchy.ownEnvironment(key.key, of: node)
        }
    }

    /// The place of a key's value at a node. A bridged key's value is the override of its trait.
    package func managedPlace(_ node: NodeIndex, _ key: EnvironmentKey) -> ManagedPlace {
        if let name = key.bridgedTrait, let trait = hierarchy.definitions.index(of: name) {
            return ManagedPlace(node, .overrides, trait)
        }
        return ManagedPlace(node, .environment, key.key)
    }

    package mutating func removeEnvironment(_ node: NodeIndex, _ key: EnvironmentKey)
        throws(SessionError)
    {
        let hierarchy = hierarchy
        try refusing { () throws(OperationError) in
            try hierarchy.removeEnvironment(node, key.key)
        }
        disown(managedPlace(node, key))
        forgetEnd(of: key, node)
        record(.removeEnvironment)
        write("node", node: node)
        text.json.member("key", key.key)
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
