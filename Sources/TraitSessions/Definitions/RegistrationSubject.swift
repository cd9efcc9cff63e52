// What a registration is for: traits, and colours and images whose values depend on traits.

import JSONCodec
import TraitEngine

struct RegistrationSubject: Equatable {
    let traits: TraitSet
    let colors: [String]
    let images: [String]

    /// The order of names does not matter.
    static func == (left: RegistrationSubject, right: RegistrationSubject) -> Bool {
        left.traits == right.traits && Set(left.colors) == Set(right.colors)
            && Set(left.images) == Set(right.images)
    }

    static func members(beside others: [StaticString]) -> [StaticString] {
        others + ["traits", "set", "colors", "images"]
    }

    /// `traits` or `set`, `colors`, `images`; at least one of them.
    init(_ object: ObjectReader, in session: Session) throws(SessionError) {
        colors = try Self.names(.color, "colors", object, session)
        images = try Self.names(.image, "images", object, session)
        if colors.isEmpty && images.isEmpty || object.has("traits") || object.has("set") {
            traits = try TraitList.read(object, in: session)
        } else {
            traits = TraitSet()
        }
    }

    init(_ info: RegistrationInfo) {
        traits = info.traits
        colors = info.colors
        images = info.images
    }

    private static func names(
        _ kind: DynamicKind, _ member: StaticString, _ object: ObjectReader, _ session: Session
    ) throws(SessionError) -> [String] {
        guard let json = object[member] else { return [] }
        guard json.kind == .array else {
            throw object.wrongType(member, "an array of names", json)
        }
        var names: [String] = []
        for element in json.elements {
            let pointer = "/\(member)/\(names.count)"
            guard let name = element.string?.string else {
                throw SessionError(
                    .malformedBody, "A name is a string; it is \(element.summary).",
                    pointer: pointer)
            }
            guard session.hierarchy.definitions.dynamic(kind, named: name) != nil else {
                throw session.unknownDynamic(kind, name).inside(at: pointer)
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// `"traits"`, and `"colors"` and `"images"` when there are some, of the open object.
    func write(of definitions: TraitDefinitions, into writer: inout JSONWriter) {
        writer.key("traits")
        writer.beginArray()
        for trait in traits { writer.value(definitions[trait].key) }
        writer.endArray()
        for (member, names) in [("colors" as StaticString, colors), ("images", images)]
        where !names.isEmpty {
            writer.key(member)
            writer.beginArray()
            for name in names { writer.value(name) }
            writer.endArray()
        }
    }
}

extension Session {
    func unknownDynamic(_ kind: DynamicKind, _ name: String) -> SessionError {
        let known = hierarchy.definitions.dynamics(kind).map(\.name)
        return SessionError(
            kind == .color ? .unknownColor : .unknownImage,
            "The session '\(self.name)' has no \(kind.member) '\(name.prefix(140))'.",
            didYouMean: Suggestion.nearest(to: name, among: known),
            hint: .defineDynamic(member: "\(kind.member)s"))
    }
}
