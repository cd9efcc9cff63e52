// The operations of a transaction, spelt once.

extension JSON {
    /// `createNode`; `more` has members such as `controller` and `overrides`.
    package static func createNode(
        _ node: String, _ kind: String, in parent: String? = nil, _ more: [String: JSON] = [:]
    ) -> JSON {
        var operation = more
        operation["op"] = "createNode"
        operation["node"] = .string(node)
        operation["kind"] = .string(kind)
        operation["parent"] = parent.map { .string($0) }
        return .object(operation)
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
