// The trees that cases start from.

/// A node of a tree: what it is and where it stands.
package struct TreeNode {
    package enum Kind {
        case scene, window, presentation, controller, view
    }

    package let name: String
    package let kind: Kind
    /// The structural parent.
    package var parent: String?
    /// For a view that a controller owns.
    package var controller: String?
}

/// T1: scene s, window w, controller A with view a, in which m holds the view b of A's child B, in
/// which there is a leaf. T2 adds P over the window's content, presenting C with view c. T3 adds the
/// detached controller D with view d, in which there is e. T4 is T1 without the scene.
package enum TreeShape {
    package static func nodes(_ tree: String) throws -> [TreeNode] {
        switch tree {
        case "T0": []
        case "T1": base
        case "T2":
            base + [
                TreeNode(name: "P", kind: .presentation, parent: "w"),
                TreeNode(name: "C", kind: .controller, parent: "P"),
                TreeNode(name: "c", kind: .view, parent: "P", controller: "C"),
            ]
        case "T3":
            base + [
                TreeNode(name: "D", kind: .controller),
                TreeNode(name: "d", kind: .view, controller: "D"),
                TreeNode(name: "e", kind: .view, parent: "d"),
            ]
        case "T4": [TreeNode(name: "w", kind: .window)] + base.dropFirst(2)
        default: throw ScriptError(description: "unknown tree \(tree)")
        }
    }

    private static let base = [
        TreeNode(name: "s", kind: .scene),
        TreeNode(name: "w", kind: .window, parent: "s"),
        TreeNode(name: "A", kind: .controller, parent: "w"),
        TreeNode(name: "a", kind: .view, parent: "w", controller: "A"),
        TreeNode(name: "m", kind: .view, parent: "a"),
        TreeNode(name: "B", kind: .controller, parent: "A"),
        TreeNode(name: "b", kind: .view, parent: "m", controller: "B"),
        TreeNode(name: "leaf", kind: .view, parent: "b"),
    ]

    /// What the system says of the scene.
    package static let supplied: [(String, JSON)] = [
        ("userInterfaceStyle", .number(1)), ("horizontalSizeClass", .number(2)),
        ("displayScale", .number(3)),
    ]
}
