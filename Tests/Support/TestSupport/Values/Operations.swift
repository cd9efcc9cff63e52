// Nodes, and the operations of a transaction, spelt once.

extension JSON {
    /// A node of a body or a document; `more` has members such as `label` and `supplied`.
    package static func node(
        _ id: String, _ kind: String = "environment", in parent: String? = nil,
        overrides: JSON? = nil, with more: [String: JSON] = [:]
    ) -> JSON {
        var node = more
        node["id"] = .string(id)
        node["kind"] = .string(kind)
        node["parent"] = parent.map { .string($0) }
        if let overrides { node["overrides"] = overrides }
        return .object(node)
    }

    /// `createNode`; `more` has members such as `controller`.
    package static func createNode(
        _ node: String, _ kind: String, in parent: String? = nil, overrides: JSON? = nil,
        _ more: [String: JSON] = [:]
    ) -> JSON {
        JSON.node(node, kind, in: parent, overrides: overrides, with: more).without("id")
            .with("op", "createNode").with("node", .string(node))
    }

    package static func renameNode(_ node: String, to name: String) -> JSON {
        ["op": "renameNode", "node": .string(node), "to": .string(name)]
    }

    package static func renameTrait(_ trait: String, to key: String) -> JSON {
        ["op": "renameTrait", "trait": .string(trait), "to": .string(key)]
    }

    package static func setOverride(_ trait: String, at node: String, _ value: JSON) -> JSON {
        ["op": "setOverride", "node": .string(node), "trait": .string(trait), "value": value]
    }

    package static func removeOverride(_ trait: String, at node: String) -> JSON {
        ["op": "removeOverride", "node": .string(node), "trait": .string(trait)]
    }

    package static func defineTrait(_ trait: String, _ definition: JSON) -> JSON {
        ["op": "defineTrait", "trait": .string(trait), "definition": definition]
    }

    package static func register(_ id: String, at node: String, _ traits: [String]) -> JSON {
        [
            "op": "register", "registration": .string(id), "node": .string(node),
            "traits": .array(traits.map { .string($0) }),
        ]
    }

    package static func deleteNode(_ node: String) -> JSON {
        ["op": "deleteNode", "node": .string(node)]
    }
}
