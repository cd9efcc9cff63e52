// The subject of a registration: traits, and colours and images whose values depend on traits.

import JSONCodec
import TraitEngine
import TraitJSON

/// Traits as a body names them, with the sets that it names.
package struct AskedTraits: Equatable, Sendable {
    let sets: Set<TraitSetName>
    let others: TraitSet
    /// A hash of the names of sets and traits, in any order. It does not depend on trait indices, so it is the same
    /// in every copy of a session.
    package let digest: UInt64

    init(sets: Set<TraitSetName>, others: TraitSet, in definitions: TraitDefinitions) {
        self.sets = sets
        self.others = others
        var digest: UInt64 = 0
        for set in sets { digest &+= FactHash.mix(1, FactHash.hash(set.rawValue)) }
        for trait in others { digest &+= FactHash.mix(2, FactHash.hash(definitions[trait].key)) }
        self.digest = digest
    }
}

package struct RegistrationSubject {
    let traits: TraitSet
    let colors: [String]
    let images: [String]
    /// Nil when no set is named.
    let asked: AskedTraits?

    /// Whether a registration that exists is for this. A named set was expanded when it was made,
    /// so the same names mean the same whatever was defined since. The order of names does not
    /// matter.
    package func isSame(as info: RegistrationInfo, _ note: RegistrationNote?) -> Bool {
        let isSameTraits = info.traits == traits || asked != nil && asked == note?.asked
        return isSameTraits && Set(info.colors) == Set(colors)
            && Set(info.images) == Set(images)
    }

    static func members(beside others: [StaticString]) -> [StaticString] {
        others + ["traits", "set", "colors", "images"]
    }

    /// `traits` or `set`, `colors`, `images`; at least one of them.
    init(_ object: ObjectReader, in session: SessionState) throws(SessionError) {
        colors = try Self.names(.color, "colors", object, session)
        images = try Self.names(.image, "images", object, session)
        if colors.isEmpty && images.isEmpty || object.has("traits") || object.has("set") {
            traits = try TraitList.read(object, withKeys: true, in: session)
        } else {
            traits = TraitSet()
        }
        asked = Self.asked(object, in: session)
    }

    /// The subject in a document's form: the traits, and in `asked` the named sets of the request.
    init(documented object: ObjectReader, in session: SessionState) throws(SessionError) {
        colors = try Self.names(.color, "colors", object, session)
        images = try Self.names(.image, "images", object, session)
        guard let json = object["asked"] else {
            let hasTraits = object.has("traits") || object.has("set")
            traits = try hasTraits ? TraitList.readPossiblyNone(object, in: session) : TraitSet()
            asked = Self.asked(object, in: session)
            return
        }
        let given = try ObjectReader(json, "what was asked for", members: ["sets", "traits"])
        let sets = try TraitList.read(try given.required("sets"), "sets", in: session)
        let others =
            try given["traits"].map { json throws(SessionError) in
                try TraitList.read(json, "traits", withKeys: true, in: session)
            } ?? TraitSet()
        traits = sets.union(others)
        let names = try given.required("sets").elements.compactMap { $0.string?.string }
        asked = AskedTraits(
            sets: Set(names.compactMap { TraitSetName(rawValue: $0) }), others: others,
            in: session.hierarchy.definitions)
    }

    /// - Parameter asked: the named sets that the registration was made with.
    package init(_ info: RegistrationInfo, asked: AskedTraits? = nil) {
        traits = info.traits
        colors = info.colors
        images = info.images
        self.asked = asked
    }

    /// The sets and traits in `set` and `traits`, which were checked before; nil when no set is named.
    private static func asked(_ object: ObjectReader, in session: SessionState) -> AskedTraits? {
        let definitions = session.hierarchy.definitions
        var sets: Set<TraitSetName> = []
        var others = TraitSet()
        let names = object["traits"].map { $0.elements.map { $0.string?.string } } ?? []
        for name in names + [object["set"]?.string?.string] {
            guard let name else { continue }
            if let set = TraitSetName(rawValue: name) {
                sets.insert(set)
            } else if let trait = definitions.followed(named: name) {
                others.insert(trait)
            }
        }
        return sets.isEmpty ? nil : AskedTraits(sets: sets, others: others, in: definitions)
    }

    private static func names(
        _ kind: DynamicKind, _ member: StaticString, _ object: ObjectReader, _ session: SessionState
    ) throws(SessionError) -> [String] {
        guard let json = object[member] else { return [] }
        guard json.kind == .array else {
            throw object.wrongType(member, "an array of names", json)
        }
        var names: [String] = []
        for element in json.elements {
            let pointer = "/\(member)/\(names.count)"
            guard let name = element.string?.string else {
                throw .malformed("A name is a string", element, at: pointer)
            }
            guard session.hierarchy.definitions.dynamic(kind, named: name) != nil else {
                throw session.unknownDynamic(kind, name).inside(at: pointer)
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// `"traits"`, and `"colors"` and `"images"` when there are some, of the open object.
    ///
    /// - Parameter asAsked: sets by their names, as a log has them: a replay expands them again, by
    ///   the definitions of the same revision.
    package func write(
        of definitions: TraitDefinitions, asAsked: Bool = false, into writer: inout JSONWriter
    ) {
        writer.beginArray("traits")
        let asked = asAsked ? asked : nil
        for set in TraitSetName.allCases where asked?.sets.contains(set) ?? false {
            writer.value(set.rawValue)
        }
        for trait in definitions.inCatalogueOrder(asked?.others ?? traits) {
            writer.value(definitions[trait].key)
        }
        writer.endArray()
        if !colors.isEmpty { writer.member("colors", colors) }
        if !images.isEmpty { writer.member("images", images) }
    }
}

extension SessionState {
    package func unknownDynamic(_ kind: DynamicKind, _ name: String) -> SessionError {
        let known = hierarchy.definitions.dynamicNames(kind)
        return SessionError(
            kind == .color ? .unknownColor : .unknownImage,
            "The session '\(self.name)' has no \(kind.member) '\(name.prefix(140))'.",
            didYouMean: Suggestion.nearest(to: name, among: known),
            hint: .defineDynamic(member: "\(kind.member)s"))
    }
}
