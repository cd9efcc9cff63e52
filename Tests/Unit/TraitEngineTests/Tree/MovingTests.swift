// Moves: what they refuse, what parts in them, and labels.

import Testing
import TraitEngine

@Suite struct MovingTests {
    @Test(
        "A view and its controller part though the controller's parent lies below the view")
    func partsFromWhatIsAbove() throws {
        // By name, the controller would go first: below itself.
        for (controller, view) in [("a", "b"), ("b", "a")] {
            let tree = try Fixture()
            try tree.commit {
                try tree.create("scene", .windowScene)
                try tree.create("window", .window, "scene")
                try tree.create("outer", .view, "window")
                try tree.create(controller, .viewController)
                try tree.create(view, .view, "outer", controller: controller)
                try tree.create("place", .environment, view)
                try tree.create("inner", .window, "place")
                var above = "place"
                for level in 1...300 {
                    above = "v\(level)"
                    try tree.create(above, .view, level == 1 ? "outer" : "v\(level - 1)")
                }
            }
            // A read of a deep node places shortcuts.
            _ = tree.hierarchy.resolve(tree.theme, at: tree["v300"])
            try tree.commit {
                try tree.hierarchy.updateNode(tree[controller], parent: .set(tree["inner"]))
            }
            try tree.commit {
                try tree.hierarchy.updateNode(tree[view], controller: .clear)
            }
            #expect(tree.hierarchy.traitParent(of: tree[controller]) == tree["inner"])
            #expect(tree.hierarchy.traitParent(of: tree[view]) == tree["outer"])
        }
    }

    @Test("A node does not go below itself or what is below it")
    func structuralCycles() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            try tree.create("v1", .view, "e")
            try tree.create("v2", .view, "v1")
            try tree.create("v3", .view, "v2")
        }
        for parent in ["v1", "v2", "v3"] {
            #expect(throws: OperationError.cycle(node: "v1", parent: parent)) {
                try tree.commit { try tree.move("v1", parent) }
            }
        }
        #expect(tree.order == ["e", "v1", "v2", "v3"])
    }

    @Test(
        "Inheritance has no cycle even where the structure has none",
        arguments: Propagation.allCases)
    func traitCycles(_ propagation: Propagation) throws {
        let tree = try Fixture(propagation)
        // The view stands in an environment below its own controller.
        try tree.commit {
            try tree.create("w", .window)
            try tree.create("C", .viewController, "w")
            try tree.create("E", .environment, "C")
            try tree.create("v", .view, "E")
        }
        if propagation == .unified {
            #expect(throws: OperationError.self) {
                try tree.commit {
                    try tree.hierarchy.updateNode(tree["v"], controller: .set(tree["C"]))
                }
            }
            #expect(throws: OperationError.self) {
                try tree.commit { try tree.create("new", .view, "E", controller: "C") }
            }
        } else {
            try tree.commit {
                try tree.hierarchy.updateNode(tree["v"], controller: .set(tree["C"]))
            }
            #expect(tree.traitParent("v") == "C")
            // The controller below an environment below its own view.
            #expect(throws: OperationError.self) {
                try tree.commit {
                    try tree.create("inner", .environment, "v")
                    try tree.move("C", "inner")
                }
            }
        }
        #expect(tree.traitParent("E") == "C")
    }

    @Test("A controller has one root view, and only views have controllers")
    func controllers() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        #expect(throws: OperationError.secondRootView(controller: "A", view: "a")) {
            try tree.commit {
                try tree.hierarchy.updateNode(tree["m"], controller: .set(tree["A"]))
            }
        }
        #expect(throws: OperationError.controllerKind(node: .view, controller: .window)) {
            try tree.commit {
                try tree.hierarchy.updateNode(tree["m"], controller: .set(tree["w"]))
            }
        }
        #expect(throws: OperationError.controllerKind(node: .window, controller: .viewController)) {
            try tree.commit { try tree.create("w2", .window, "s", controller: "A") }
        }
        let again = try tree.commit {
            try tree.hierarchy.updateNode(tree["a"], controller: .set(tree["A"]))
        }
        #expect(again.isUnchanged)
        #expect(tree.hierarchy.rootView(of: tree["A"]) == tree["a"])
        #expect(tree.hierarchy.controller(of: tree["a"]) == tree["A"])
    }

    @Test("Labels are set, kept and cleared")
    func labels() throws {
        let tree = try Fixture()
        try tree.commit {
            _ = try tree.hierarchy.createNode("v", kind: .view, label: "first")
        }
        #expect(tree.hierarchy.label(of: tree["v"]) == "first")
        let same = try tree.commit {
            try tree.hierarchy.updateNode(tree["v"], label: .set("other"))
            try tree.hierarchy.updateNode(tree["v"], label: .set("first"))
        }
        #expect(same.isUnchanged)
        try tree.pending { try tree.hierarchy.updateNode(tree["v"], label: .set("e\u{301}")) }
        // Equal are strings whose bytes are, not those that look alike.
        let alike = try tree.pending {
            try tree.hierarchy.updateNode(tree["v"], label: .set("\u{e9}"))
        }
        #expect(!alike.isUnchanged)
        try tree.pending { try tree.hierarchy.updateNode(tree["v"], label: .clear) }
        #expect(tree.hierarchy.label(of: tree["v"]) == nil)
        for _ in 0..<3 { tree.hierarchy.undo() }
        #expect(tree.hierarchy.label(of: tree["v"]) == "first")
        try tree.hierarchy.checkInvariants()
    }
}
