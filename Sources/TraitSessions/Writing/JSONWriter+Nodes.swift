// Names of the engine's parts as members of objects.

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

    /// Writes null for a text that is absent.
    package mutating func member(_ name: StaticString, orNull text: String?) {
        if let text { return member(name, text) }
        key(name)
        null()
    }

    package mutating func member(_ name: StaticString, _ texts: some Sequence<String>) {
        key(name)
        list(texts)
    }

    /// An array of texts.
    mutating func list(_ texts: some Sequence<String>) {
        beginArray()
        for text in texts { value(text) }
        endArray()
    }

    /// The keys of traits, in the order of their definitions.
    package mutating func member(
        _ name: StaticString, keysOf traits: TraitSet, in definitions: TraitDefinitions
    ) {
        member(name, definitions.inCatalogueOrder(traits).lazy.map { definitions[$0].key })
    }
}
