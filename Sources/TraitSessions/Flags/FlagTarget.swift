// The target of a flag evaluation: the node whose values the flags have, and the values that the context supplies.

import JSONCodec
import TraitEngine
import TraitJSON

/// A node, or a target without a node of its own that has the values of one.
package struct FlagTarget: Sendable {
    package let node: NodeIndex
    /// Whether the target is that node. Otherwise it has no overrides of its own.
    let isNode: Bool
    /// Values of the context; nil for none.
    let supplied: TraitCollection?
}

extension SessionState {
    /// The target that a context names.
    ///
    /// - Parameters:
    ///   - key: the identifier of the target.
    ///   - under: the node whose values the target has if no node has that identifier; nil for none.
    ///   - supplied: an object of trait and value; nil for none.
    /// - Throws: `unknownNode` without a node; `malformedBody`, `unknownTrait`, `privateTrait` and `typeMismatch`
    ///   for supplied values, with pointers into `supplied`.
    package func flagTarget(
        _ key: JSONString, under: JSONString?, supplied: JSONValue?
    ) throws(SessionError) -> FlagTarget {
        let own = hierarchy.node(key.bytes)
        guard let node = own ?? under.flatMap({ hierarchy.node($0.bytes) }) else {
            throw noTarget(key, under)
        }
        guard let supplied else {
            return FlagTarget(node: node, isNode: own != nil, supplied: nil)
        }
        return FlagTarget(
            node: node, isNode: own != nil,
            supplied: try within(
                "/context/traitd/supplied", try CollectionReader(of: self).collection(supplied)))
    }

    private func noTarget(_ key: JSONString, _ under: JSONString?) -> SessionError {
        let name = key.prefix(bytesMax: 140)
        guard let under else {
            return SessionError(
                .unknownNode,
                "The session '\(self.name)' has no node '\(name)'. Name in `traitd.under` the node whose values it has.",
                pointer: "/context/targetingKey")
        }
        return SessionError(
            .unknownNode,
            "The session '\(self.name)' has neither a node '\(name)' nor a node '\(under.prefix(bytesMax: 140))'.",
            pointer: "/context/traitd/under")
    }

    func resolution(of trait: TraitIndex, for target: FlagTarget) -> Resolution {
        guard let supplied = target.supplied, supplied.traits.contains(trait) else {
            return hierarchy.resolve(trait, at: target.node)
        }
        return target.isNode
            ? hierarchy.resolve(trait, at: target.node, supplying: supplied[trait])
            : Resolution(value: supplied[trait], source: .supplied)
    }
}

extension SessionState {
    /// The trait that a flag names by key or identifier.
    ///
    /// - Throws: `unknownTrait`, also for a private trait, which no client can read.
    package func flag(_ name: UnsafeRawBufferPointer) throws(SessionError) -> TraitIndex {
        if let trait = hierarchy.definitions.publicIndex(of: name) { return trait }
        throw unknownTrait(String(decoding: name, as: UTF8.self))
    }
}
