// Update passes, in sessions with updates `layout`, where a write only marks nodes.

import TraitEngine
import TraitJSON

extension Transaction {
    /// Runs the update pass of everything attached. Nothing in sessions that update at once.
    mutating func layout() throws(SessionError) {
        try checkUpdating()
        record(.layout)
        text.json.endObject()
        hierarchy.updateTraits()
    }

    /// Brings one node and what inherits from it up to date, after what it inherits from.
    mutating func updateTraitsIfNeeded(_ node: NodeIndex) throws(SessionError) {
        try checkUpdating()
        record(.updateTraitsIfNeeded)
        write("node", node: node)
        text.json.endObject()
        hierarchy.updateTraits(of: node)
    }
}
