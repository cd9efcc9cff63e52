// Identifiers of nodes as members of objects.

import JSONCodec
import TraitEngine

extension JSONWriter {
    package mutating func member(
        _ name: StaticString, _ node: NodeIndex, of hierarchy: Hierarchy
    ) {
        key(name)
        hierarchy.withIdentifier(of: node) { value(bytes: $0) }
    }

    /// Writes null for a node that is absent.
    package mutating func member(
        _ name: StaticString, orNull node: NodeIndex?, of hierarchy: Hierarchy
    ) {
        if let node { return member(name, node, of: hierarchy) }
        key(name)
        null()
    }
}
