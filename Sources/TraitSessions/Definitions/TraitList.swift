// Lists of traits in bodies: keys, identifiers and names of sets, in any mixture.

import JSONCodec
import TraitEngine
import TraitJSON

package enum TraitList {
    /// `traits` or `set`, not both; one of them is required.
    ///
    /// - Parameter withKeys: whether names of environment keys count, too.
    package static func read(
        _ object: ObjectReader, withKeys: Bool = false, in session: SessionState
    ) throws(SessionError) -> TraitSet {
        guard let name = try object.string("set") else {
            return try read(
                try object.required("traits"), "traits", withKeys: withKeys, in: session)
        }
        if object.has("traits") {
            throw SessionError(.malformedBody, "Give `traits` or `set`, not both.", pointer: "/set")
        }
        if let set = session.hierarchy.definitions.set(named: name) { return set }
        let definitions = session.hierarchy.definitions
        let names = TraitSetName.allCases.filter(definitions.has).map(\.rawValue)
        throw SessionError(
            .unknownTrait,
            "There is no set '\(name.prefix(140))'. Sets are \(names.joined(separator: ", ")).",
            didYouMean: Suggestion.nearest(to: name, among: names)
        ).inside(at: "/set")
    }

    /// Reads `traits` or `set`. `traits` may be empty, since colours may be meant alone.
    package static func readPossiblyNone(
        _ object: ObjectReader, in session: SessionState
    ) throws(SessionError) -> TraitSet {
        if let json = object["traits"], json.kind == .array, json.count == 0 { return TraitSet() }
        return try read(object, withKeys: true, in: session)
    }

    /// The array in the member of that name.
    package static func read(
        _ json: JSONValue, _ member: StaticString, withKeys: Bool = false, in session: SessionState
    ) throws(SessionError) -> TraitSet {
        guard json.kind == .array else {
            throw .wrongType(member, "an array of trait names", json)
        }
        var names: [String] = []
        names.reserveCapacity(json.count)
        for element in json.elements {
            guard let name = element.string else {
                throw .malformed(
                    "A trait's name is a string", element, at: "/\(member)/\(names.count)")
            }
            names.append(name.string)
        }
        return try session.traitSet(names: names, withKeys: withKeys) { "/\(member)/\($0)" }
    }
}
