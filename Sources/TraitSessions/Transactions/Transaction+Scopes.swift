// Tracked scopes: what a method read in its last run.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    /// Notes what the method read, and arms the scope.
    package mutating func setScope(
        _ node: NodeIndex, _ method: String, reads: TraitSet
    ) throws(SessionError) {
        let hierarchy = hierarchy
        try checkCovering(node)
        try checkAnswering(reads: reads)
        try budget.take(hierarchy.coveringBytes(of: node), session)
        let present =
            session.annotations.managers.isEmpty ? nil : hierarchy.scope(node, method)?.reads
        try refusing { () throws(OperationError) in
            try hierarchy.setScope(node, method, reads: reads)
        }
        manage(ManagedPlace(node, .scope, method), isSame: present == reads)
        record(.setScope)
        write("node", node: node)
        text.json.member("scope", method)
        text.json.beginArray("reads")
        text.json.names(of: reads, hierarchy.definitions)
        text.json.endArray()
        text.json.endObject()
    }

    package mutating func removeScope(_ node: NodeIndex, _ method: String) throws(SessionError) {
        try checkCovering(node)
        record(.removeScope)
        write("node", node: node)
        text.json.member("scope", method)
        text.json.endObject()
        disown(ManagedPlace(node, .scope, method))
        ended.scopes += 1
        hierarchy.removeScope(node, method)
    }
}

extension JSONWriter {
    /// Names that mean these traits, as elements of the open array. Private traits have none of their own: only a
    /// named set has brought them, so that set is named again.
    package mutating func names(of traits: TraitSet, _ definitions: TraitDefinitions) {
        var rest = traits
        if !traits.intersection(TraitDefinitions.privateTraits).isEmpty {
            for name in TraitSetName.allCases {
                let set = definitions.set(name)
                let isPrivate = !set.intersection(TraitDefinitions.privateTraits).isEmpty
                guard isPrivate, set.isSubset(of: traits) else { continue }
                value(name.rawValue)
                rest.subtract(set)
            }
        }
        for trait in definitions.inCatalogueOrder(rest) { value(definitions[trait].key) }
    }
}
