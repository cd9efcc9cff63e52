// Trait collections in bodies: sparse objects of trait and value, with the definitions of the
// custom traits that they name beside them, as there is no session that would know those.

import JSONCodec
import TraitEngine
import TraitJSON

/// Reads collections that share definitions.
package struct CollectionReader {
    package private(set) var definitions: TraitDefinitions
    /// Where custom traits come from.
    private let hint: SessionError.Hint

    /// Of a document's definitions.
    init(definitions: TraitDefinitions) {
        self.definitions = definitions
        hint = .listSystemTraits
    }

    package init(of session: SessionState) {
        definitions = session.hierarchy.definitions
        hint = .listTraits(session: session.name)
    }

    /// - Parameter traits: `{key: definition…}` of custom traits; absent for the system's alone.
    /// - Throws: what the definitions are refused for, pointing below `/traits`.
    package init(traits: JSONValue?, limits: HierarchyLimits, hashSeed: UInt64) throws(SessionError)
    {
        definitions = TraitDefinitions(limits: limits, hashSeed: hashSeed)
        hint = .listSystemTraits
        guard let traits else { return }
        guard traits.kind == .object else {
            throw .wrongType("traits", "an object of key and definition", traits)
        }
        for (key, json) in traits.members {
            try within(
                "/traits/" + key.string.pointerToken,
                try define(try DefinitionReader.read(json, key: key.string)))
        }
    }

    private mutating func define(_ definition: TraitDefinition) throws(SessionError) {
        do throws(OperationError) {
            _ = try definitions.define(definition)
        } catch {
            throw SessionError(error)
        }
    }

    /// The collection that an object of trait and value stands for; null is the empty one.
    ///
    /// - Throws: `malformedBody`, `unknownTrait`, `privateTrait`, `typeMismatch`, with pointers
    ///   into the object.
    package func collection(_ json: JSONValue) throws(SessionError) -> TraitCollection {
        if json.isNull { return TraitCollection(definitions: definitions) }
        return try apply(json, to: TraitCollection(definitions: definitions))
    }

    /// The collection with the object's values written into it.
    package func apply(
        _ json: JSONValue, to collection: TraitCollection
    ) throws(SessionError) -> TraitCollection {
        guard json.kind == .object else {
            throw .malformed("A trait collection is an object of trait and value", json, at: "")
        }
        var seen = TraitSet()
        return try collection.modifying { (traits: inout MutableTraits) throws(SessionError) in
            for (key, value) in json.members {
                try within(
                    "/" + key.string.pointerToken, try write(key, value, into: &traits, &seen))
            }
        }
    }

    private func write(
        _ key: JSONString, _ json: JSONValue, into traits: inout MutableTraits,
        _ seen: inout TraitSet
    ) throws(SessionError) {
        guard let trait = definitions.index(of: key.bytes) else {
            let known = definitions.settable.lazy.map { definitions[$0].key }
            throw SessionError(
                .unknownTrait,
                "There is no trait '\(key.prefix(bytesMax: 140))'."
                    + definitions.absenceNote(of: key.string),
                didYouMean: Suggestion.nearest(to: key.string, among: known), hint: hint
            ).inside(at: "")
        }
        guard seen.insert(trait) else { throw .sameTraitTwice(key.string) }
        let value = try ValueReader.read(json, for: trait, of: definitions)
        do throws(OperationError) {
            try traits.set(trait, value)
        } catch {
            throw SessionError(error).at("")
        }
    }
}

extension TraitCollection {
    /// The traits that it specifies, in the order of their definitions.
    package func write(
        with encodings: inout TraitEncodings, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        for trait in definitions.inCatalogueOrder(traits) {
            let encoding = encodings.encoding(of: trait, in: definitions)
            writer.member(encoding.member)
            encoding.write(self[trait], into: &writer)
        }
        writer.endObject()
    }
}
