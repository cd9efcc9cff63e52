// From which node a node inherits: UIKit's unified hierarchy, and the one before iOS 17.

import Testing
import TraitEngine

@Suite struct PlacementTests {
    static let names = ["s", "w", "A", "a", "m", "B", "b", "leaf"]

    @Test(
        "Since iOS 17 an override reaches everything below it in one line",
        arguments: [
            ("s", "s w A a m B b leaf"), ("w", "w A a m B b leaf"), ("A", "A a m B b leaf"),
            ("a", "a m B b leaf"), ("m", "m B b leaf"), ("B", "B b leaf"), ("b", "b leaf"),
            ("leaf", "leaf"),
        ])
    func unified(_ node: String, _ reached: String) throws {
        try check(.unified, node, reached)
    }

    @Test(
        "Before, an override of a view stopped at the next controller's view",
        arguments: [
            ("s", "s w A a m B b leaf"), ("w", "w A a m B b leaf"), ("A", "A a m B b leaf"),
            ("a", "a m"), ("m", "m"), ("B", "B b leaf"), ("b", "b leaf"), ("leaf", "leaf"),
        ])
    func legacy(_ node: String, _ reached: String) throws {
        try check(.legacy, node, reached)
    }

    private func check(_ propagation: Propagation, _ node: String, _ reached: String) throws {
        let tree = try Fixture(propagation)
        try tree.makeWorkedTree()
        try tree.commit { try tree.set(node, 1) }
        let seen = Self.names.filter { tree.value($0) == 1 }
        #expect(seen.joined(separator: " ") == reached)
    }

    @Test("Trees are attached below a window scene, a window or a plain environment")
    func states() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("s", .windowScene)
            try tree.create("w1", .window, "s")
            try tree.create("e", .environment)
            try tree.create("v1", .view, "e")
            try tree.create("w2", .window)
            try tree.create("v2", .view, "w2")
            try tree.create("e2", .environment, "v2")
            try tree.create("C", .viewController)
        }
        let states = ["s", "w1", "e", "v1", "w2", "v2", "e2", "C"].map {
            tree.hierarchy.state(of: tree[$0])
        }
        #expect(
            states == [
                .current, .current, .current, .current, .current, .current, .current, .detached,
            ])
    }

    /// The table, written once more: the engine's own cannot hold itself.
    private static let parents: [NodeKind: Set<NodeKind>] = [
        .windowScene: [.environment],
        .window: [.windowScene, .environment],
        .viewController: [.window, .viewController, .presentationController, .environment],
        .presentationController: [.window],
        .view: [.view, .window, .presentationController, .environment],
        .environment: Set(NodeKind.allCases),
    ]

    @Test(
        "Each kind stands below the kinds of the table and no others",
        arguments: NodeKind.allCases)
    func kinds(_ child: NodeKind) throws {
        let tree = try Fixture()
        try tree.commit {
            for parent in NodeKind.allCases { try tree.create("p\(parent)", parent) }
            try tree.create("child", child)
        }
        for parent in NodeKind.allCases {
            if Self.parents[child]?.contains(parent) == true {
                #expect(child.allowedParents.contains(parent))
                try tree.commit { try tree.move("child", "p\(parent)") }
                #expect(tree.hierarchy.parent(of: tree["child"]) == tree["p\(parent)"])
            } else {
                #expect(!child.allowedParents.contains(parent))
                #expect(throws: OperationError.parentKind(child: child, parent: parent)) {
                    try tree.commit { try tree.move("child", "p\(parent)") }
                }
            }
        }
    }
}
