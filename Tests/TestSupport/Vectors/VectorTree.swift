// The trees of the conformance cases, as the body that creates their session.

/// T1 is the tree of containment that the talk draws; T2 adds a presentation, T3 a detached
/// controller with its views.
enum VectorTree {
    /// The traits that the cases define.
    static let traits: JSON = [
        "theme": [
            "type": "int", "default": 0, "identifier": "com.example.theme",
            "affectsColorAppearance": true,
        ],
        "contained": ["type": "bool", "default": false],
    ]

    static func session(_ tree: String, isLegacy: Bool) throws -> JSON {
        [
            "propagation": isLegacy ? "legacy" : "unified", "updates": "layout",
            "traits": traits, "nodes": .array(try nodes(tree)),
        ]
    }

    private static func nodes(_ tree: String) throws -> [JSON] {
        switch tree {
        case "T0": []
        case "T1": t1
        case "T2":
            t1 + [
                node("P", "presentationController", in: "w"),
                node("C", "viewController", in: "P"),
                node("c", "view", in: "P", of: "C"),
            ]
        case "T3":
            t1 + [
                node("D", "viewController", in: nil), node("d", "view", in: nil, of: "D"),
                node("e", "view", in: "d"),
            ]
        default: throw UnknownStep(case: tree, step: "the tree")
        }
    }

    private static let t1: [JSON] = [
        node("s", "windowScene", in: nil).with(
            "supplied", ["userInterfaceStyle": 1, "horizontalSizeClass": 2, "displayScale": 3]),
        node("w", "window", in: "s"),
        node("A", "viewController", in: "w"),
        node("a", "view", in: "w", of: "A"),
        node("B", "viewController", in: "A"),
        node("m", "view", in: "a"),
        node("b", "view", in: "m", of: "B"),
        node("leaf", "view", in: "b"),
    ]

    private static func node(
        _ id: String, _ kind: String, in parent: String?, of controller: String? = nil
    ) -> JSON {
        let node: JSON = [
            "id": .string(id), "kind": .string(kind), "parent": parent.map { .string($0) } ?? nil,
        ]
        return controller.map { node.with("controller", .string($0)) } ?? node
    }
}
