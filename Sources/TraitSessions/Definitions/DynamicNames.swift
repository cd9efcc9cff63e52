// The colours and images that a read names.

import JSONCodec
import TraitEngine
import TraitJSON

extension SessionState {
    /// The named `colors`, then the named `images`; `"all"` for those of the session.
    ///
    /// - Throws: `malformedBody`, `unknownColor`, `unknownImage`.
    package func dynamics(
        namedIn object: ObjectReader
    ) throws(SessionError) -> [DynamicValue] {
        try dynamics(.color, "colors", object) + dynamics(.image, "images", object)
    }

    private func dynamics(
        _ kind: DynamicKind, _ member: StaticString, _ object: ObjectReader
    ) throws(SessionError) -> [DynamicValue] {
        guard let json = object[member] else { return [] }
        if let text = json.string, text == "all" { return hierarchy.definitions.dynamics(kind) }
        guard json.kind == .array else {
            throw object.wrongType(member, "\"all\", or an array of names", json)
        }
        var values: [DynamicValue] = []
        for element in json.elements {
            let pointer = "/\(member)/\(values.count)"
            guard let name = element.string else {
                throw SessionError.malformed("A name is a string", element, at: pointer)
            }
            do throws(SessionError) {
                values.append(try dynamic(kind, name.bytes))
            } catch {
                throw error.inside(at: pointer)
            }
        }
        return values
    }
}
