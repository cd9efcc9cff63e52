// Trait collections in bodies: sparse objects of trait and value, with the definitions of the
// custom traits that they name beside them, as there is no session that would know those.

import JSONCodec
import TraitEngine

/// Reads collections that share definitions.
struct CollectionReader {
    private(set) var definitions: TraitDefinitions
    /// Where custom traits come from, for messages.
    private let hint: String

    init(of session: Session) {
        definitions = session.hierarchy.definitions
        hint = "GET /v1/sessions/\(session.name)/traits lists them; PUT defines one."
    }

    /// - Parameter traits: `{key: definition…}` of custom traits; absent for the system's alone.
    /// - Throws: what the definitions are refused for, pointing below `/traits`.
    init(traits: JSONValue?, limits: HierarchyLimits, hashSeed: UInt64) throws(Problem) {
        definitions = TraitDefinitions(limits: limits, hashSeed: hashSeed)
        hint = "GET /v1/traits lists the system's; define custom ones in `traits`."
        guard let traits else { return }
        guard traits.kind == .object else {
            throw .wrongType("traits", "an object of key and definition", traits)
        }
        for (key, json) in traits.members {
            do throws(Problem) {
                try define(try DefinitionReader.read(json, key: key.string))
            } catch {
                throw error.prefixed("/traits/" + key.string.pointerToken)
            }
        }
    }

    private mutating func define(_ definition: TraitDefinition) throws(Problem) {
        do throws(OperationError) {
            _ = try definitions.define(definition)
        } catch {
            throw Problem(error)
        }
    }

    /// The collection that an object of trait and value stands for; null is the empty one.
    ///
    /// - Throws: `malformedBody`, `unknownTrait`, `privateTrait`, `typeMismatch`, with pointers
    ///   into the object.
    func collection(_ json: JSONValue) throws(Problem) -> TraitCollection {
        if json.isNull { return TraitCollection(definitions: definitions) }
        return try apply(json, to: TraitCollection(definitions: definitions))
    }

    /// The collection with the object's values written into it.
    func apply(
        _ json: JSONValue, to collection: TraitCollection
    ) throws(Problem) -> TraitCollection {
        guard json.kind == .object else {
            throw Problem(
                .malformedBody,
                "A trait collection is an object of trait and value; it is \(json.summary).",
                pointer: "")
        }
        var seen = TraitSet()
        return try collection.modifying { (traits: inout MutableTraits) throws(Problem) in
            for (key, value) in json.members {
                do throws(Problem) {
                    try write(key, value, into: &traits, &seen)
                } catch {
                    throw error.prefixed("/" + key.string.pointerToken)
                }
            }
        }
    }

    private func write(
        _ key: JSONString, _ json: JSONValue, into traits: inout MutableTraits,
        _ seen: inout TraitSet
    ) throws(Problem) {
        guard let trait = definitions.index(of: key.bytes) else {
            let known = definitions.settable.map { definitions[$0].key }
            throw Problem(
                .unknownTrait,
                "There is no trait '\(key.prefix(bytesMax: 140))'. \(hint)",
                didYouMean: Suggestion.nearest(to: key.string, among: known)
            ).inside(at: "")
        }
        guard seen.insert(trait) else { throw .sameTraitTwice(key.string) }
        let value = try ValueReader.read(json, for: trait, of: definitions)
        do throws(OperationError) {
            try traits.set(trait, value)
        } catch {
            throw Problem(error).at("")
        }
    }
}

extension TraitCollection {
    /// The traits that it specifies, in the order of their definitions.
    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for trait in traits {
            let encoding = TraitEncoding(definitions[trait])
            writer.member(encoding.member)
            encoding.write(self[trait], into: &writer)
        }
        writer.endObject()
    }
}
