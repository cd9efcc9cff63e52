// The body that creates a session: its settings, and what it starts with.

import JSONCodec
import TraitEngine
import TraitJSON

/// Shared by `PUT` and `POST` of sessions and by the files of `--load`.
struct SessionBody {
    let object: ObjectReader
    let configuration: SessionConfiguration

    static let members: [StaticString] = [
        "name", "propagation", "updates", "systemTraits", "limits", "traits", "nodes",
    ]

    init(_ json: JSONValue, limits: ServiceLimits) throws(SessionError) {
        object = try ObjectReader(json, "a session", members: Self.members)
        configuration = try SessionConfiguration(object, server: limits.hierarchy)
    }

    /// The name in the body, when there is one.
    func name() throws(SessionError) -> String? { try object.identifier("name") }

    /// Whether a session that exists is the one that was asked for: what the body leaves out
    /// is not asked for.
    func agrees(with present: SessionConfiguration) -> Bool {
        (!object.has("propagation") || configuration.propagation == present.propagation)
            && (!object.has("updates") || configuration.updates == present.updates)
            && (!object.has("systemTraits")
                || configuration.hasSystemTraits == present.hasSystemTraits)
            && (!object.has("limits") || configuration.limits == present.limits)
    }

    /// Whether the body sets up a hierarchy too.
    var hasContent: Bool { object.has("traits") || object.has("nodes") }

    /// Defines the traits.
    func define(_ transaction: inout Transaction) throws(SessionError) {
        for (key, json) in try object.members(of: "traits", "an object of key and definition") {
            try within(
                "/traits/" + key.pointerToken,
                try transaction.defineTrait(try DefinitionReader.read(json, key: key)))
        }
    }

    /// The nodes, parents before children.
    func nodes() throws(SessionError) -> JSONElements? {
        guard let nodes = object["nodes"] else { return nil }
        guard case .array = nodes.kind else {
            throw object.wrongType("nodes", "an array of nodes", nodes)
        }
        return nodes.elements
    }
}
