// The subject of a registration, read from a body by the definitions of a session.

import JSONCodec
import TraitEngine
import TraitJSON

extension RegistrationBody {
    package func node(in session: SessionState) throws(SessionError) -> NodeIndex {
        try session.node(try object.required("node"), "/node")
    }

    package func subject(in session: SessionState) throws(SessionError) -> RegistrationSubject {
        try isDocumented
            ? RegistrationSubject(documented: object, in: session)
            : RegistrationSubject(object, in: session)
    }
}

extension RegistrationSubject {
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
