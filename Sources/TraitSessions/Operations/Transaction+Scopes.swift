// Tracked scopes: what a method read in its last run.

import TraitEngine

extension Transaction {
    /// Notes what the method read, and arms the scope.
    mutating func setScope(
        _ node: NodeIndex, _ method: String, reads: TraitSet
    ) throws(SessionError) {
        let hierarchy = hierarchy
        try refusing { () throws(OperationError) in
            try hierarchy.setScope(node, method, reads: reads)
        }
        record(.setScope)
        write("node", node: node)
        text.json.key("scope")
        text.json.value(method)
        text.json.key("reads")
        text.json.beginArray()
        for trait in reads { text.json.value(hierarchy.definitions[trait].key) }
        text.json.endArray()
        text.json.endObject()
    }

    mutating func removeScope(_ node: NodeIndex, _ method: String) {
        record(.removeScope)
        write("node", node: node)
        text.json.key("scope")
        text.json.value(method)
        text.json.endObject()
        hierarchy.removeScope(node, method)
    }
}
