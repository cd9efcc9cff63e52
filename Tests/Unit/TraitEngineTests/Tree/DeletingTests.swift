// Deleting: what it refuses, what parts in it, and when memory comes back.

import Testing

@testable import TraitEngine

@Suite struct DeletingTests {
    @Test("A view that would inherit from itself without its controller keeps it")
    func wouldInheritFromItself() throws {
        let tree = try Fixture(.legacy)
        try tree.commit {
            try tree.create("scene", .windowScene)
            try tree.create("window", .window, "scene")
            try tree.create("outer", .view, "window")
            try tree.create("owner", .viewController, "window")
            try tree.create("view", .view, "outer", controller: "owner")
            try tree.create("place", .environment, "view")
            try tree.create("inner", .viewController, "place")
            try tree.hierarchy.updateNode(tree["outer"], controller: .set(tree["inner"]))
        }
        let before = tree.order
        #expect(throws: OperationError.cycle(node: "view", parent: "outer")) {
            try tree.pending { try tree.hierarchy.deleteNode(tree["owner"]) }
        }
        #expect(tree.order == before)
        try tree.commit { try tree.hierarchy.updateNode(tree["outer"], controller: .clear) }
        try tree.commit { try tree.hierarchy.deleteNode(tree["owner"]) }
        #expect(tree.hierarchy.traitParent(of: tree["view"]) == tree["outer"])
    }

    @Test("A controller that would inherit from itself without its view keeps it")
    func controllerWouldInheritFromItself() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("scene", .windowScene)
            try tree.create("first", .window, "scene")
            try tree.create("root", .view, "first")
            try tree.create("upper", .viewController)
            try tree.create("middle", .environment, "upper")
            try tree.create("window", .window, "middle")
            try tree.create("lower", .viewController, "window")
            try tree.create("view", .view, "root", controller: "lower")
            try tree.create("place", .environment, "lower")
            try tree.create("inner", .view, "place", controller: "upper")
        }
        let before = tree.order
        // Without its view `lower` hears of its window, which hears of `upper`, whose view's
        // superview hears of `lower`.
        #expect(throws: OperationError.cycle(node: "lower", parent: "window")) {
            try tree.pending { try tree.hierarchy.deleteNode(tree["view"]) }
        }
        #expect(tree.order == before)
        try tree.hierarchy.checkInvariants()
        try tree.commit { try tree.move("window", "scene") }
        try tree.commit { try tree.hierarchy.deleteNode(tree["view"]) }
        #expect(tree.hierarchy.traitParent(of: tree["lower"]) == tree["window"])
    }

    @Test(
        "Those that part in one deletion change places though one lies below the other",
        arguments: UpdateMode.allCases)
    func partTogether(updates: UpdateMode) throws {
        // By name `a` would go first: to `window`, which still inherits from it by way of `z`.
        let tree = try Fixture(updates: updates)
        try tree.commit {
            try tree.create("scene", .windowScene)
            try tree.create("first", .window, "scene")
            try tree.create("z", .viewController)
            try tree.create("place", .environment, "z")
            try tree.create("window", .window, "place")
            try tree.create("a", .viewController, "window")
            try tree.create("view", .view, "first", controller: "a")
            try tree.create("inner", .view, "view", controller: "z")
            try tree.set("a", 5)
            try tree.register("r", "window")
        }
        #expect(tree.hierarchy.traitParent(of: tree["z"]) == tree["view"])
        try tree.commit { try tree.hierarchy.deleteNode(tree["view"]) }
        #expect(tree.hierarchy.traitParent(of: tree["z"]) == nil)
        #expect(tree.hierarchy.traitParent(of: tree["a"]) == tree["window"])
        #expect(tree.order == ["scene", "first", "z", "place", "window", "a"])
        try tree.hierarchy.checkInvariants()
    }

    @Test("Deleted nodes come back to use in slices, and whoever makes nodes helps")
    func reclaiming() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            try tree.create("top", .environment, "e")
            for child in 0..<5_000 { try tree.create("c\(child)", .view, "top") }
        }
        try tree.pending { tree.delete("top") }
        #expect(tree.hierarchy.parts.nodes.deadCount == 5_001)
        #expect(tree.hierarchy.reclaimSlice() == false, "an unacknowledged deletion stays")
        tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        let left = tree.hierarchy.parts.nodes.deadCount
        #expect(left > 3_000 && left < 5_001)
        try tree.hierarchy.checkInvariants()
        try tree.commit { for child in 0..<500 { try tree.create("c\(child)", .view, "e") } }
        #expect(tree.hierarchy.parts.nodes.deadCount <= left - 1_000)
        while tree.hierarchy.reclaimSlice() {}
        #expect(tree.hierarchy.parts.nodes.deadCount == 0)
        try tree.hierarchy.checkInvariants()
        let cells = tree.hierarchy.parts.nodes.slotCount
        try tree.commit { for child in 500..<4_000 { try tree.create("c\(child)", .view, "e") } }
        #expect(tree.hierarchy.parts.nodes.slotCount == cells)
    }
}
