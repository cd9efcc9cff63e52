// Scopes of controllers, which cover views inside, and scopes in update passes.

import Testing

@testable import TraitEngine

@Suite struct CoveringScopeTests {
    private let tree: Fixture
    private var hierarchy: Hierarchy { tree.hierarchy }

    init() throws {
        tree = try Fixture()
        try tree.makeWorkedTree()
    }

    private func track(_ node: String, _ name: String = "viewDidLayoutSubviews") throws {
        try hierarchy.setScope(tree[node], name, reads: [tree.theme])
    }

    private func stale(_ commit: Commit) -> [String] {
        commit.invalidations.map { hierarchy.identifier(of: $0.node) }
    }

    @Test("A controller's scope covers its own collection and its root view's, no other")
    func controller() throws {
        try tree.commit { try track("B") }
        #expect(stale(try tree.commit { try tree.set("leaf", 1) }) == [])
        #expect(stale(try tree.commit { try tree.set("b", 1) }) == ["B"])
        try tree.commit { try track("B") }
        // The view hides what changes above it, but the controller itself shows it.
        #expect(stale(try tree.commit { try tree.set("B", 2) }) == ["B"])
        try tree.commit {
            try track("B")
            tree.remove("b")
        }
        // Both change at once: one invalidation.
        #expect(stale(try tree.commit { try tree.set("s", 0) }) == [])
        #expect(stale(try tree.commit { try tree.set("B", 4) }) == ["B"])
    }

    @Test("A scope follows its controller's root view when that becomes another one")
    func otherRootView() throws {
        try tree.commit {
            try tree.create("spare", .view, "m")
            try track("B")
        }
        let swap = try tree.pending {
            try hierarchy.updateNode(tree["b"], controller: .clear)
            try hierarchy.updateNode(tree["spare"], controller: .set(tree["B"]))
        }
        #expect(stale(swap) == [])
        #expect(stale(try tree.pending { try tree.set("b", 5) }) == [])
        #expect(stale(try tree.pending { try tree.set("spare", 5) }) == ["B"])
        for _ in 0..<3 { hierarchy.undo() }
        try hierarchy.checkInvariants()
        #expect(stale(try tree.commit { try tree.set("spare", 5) }) == [])
        #expect(stale(try tree.commit { try tree.set("b", 5) }) == ["B"])
    }

    @Test("A root view that is new, deleted or back again is covered while it is there")
    func comingAndGoing() throws {
        try tree.commit { try track("B") }
        try tree.pending { tree.delete("b") }
        try tree.pending { try tree.create("b2", .view, "m", controller: "B") }
        #expect(stale(try tree.pending { try tree.set("b2", 1) }) == ["B"])
        for _ in 0..<3 { hierarchy.undo() }
        try hierarchy.checkInvariants()
        #expect(stale(try tree.commit { try tree.set("b", 1) }) == ["B"])
        struct Refusal: Error {}
        try tree.commit { try track("B") }
        #expect(throws: Refusal.self) {
            try tree.commit {
                tree.delete("b")
                try tree.create("b3", .view, "m", controller: "B")
                throw Refusal()
            }
        }
        #expect(stale(try tree.commit { try tree.set("b", 2) }) == ["B"])
        try tree.pending { tree.delete("B") }
        #expect(hierarchy.scopeCount == 0)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        try tree.commit { try track("B") }
        #expect(stale(try tree.commit { try tree.set("b", 3) }) == ["B"])
    }

    @Test(
        "A view that becomes the root view makes the controller's scope stale if what it read changes",
        arguments: UpdateMode.allCases, [1, 2])
    func joining(_ updates: UpdateMode, _ value: Int64) throws {
        let tree = try Fixture(updates: updates)
        let hierarchy = tree.hierarchy
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("C", .viewController, "A")
            try tree.create("spare", .view, "m")
            try tree.create("old", .view, "leaf")
            try tree.set("spare", 1)
            try tree.set("leaf", 1)
            hierarchy.updateTraits()
        }
        func stale(_ body: () throws -> Void) throws -> [String] {
            try tree.commit {
                try hierarchy.setScope(tree["C"], "updateProperties", reads: [tree.theme])
                try tree.set("C", value)
                hierarchy.updateTraits()
                hierarchy.updateTraits(of: tree["C"])
            }
            try tree.commit {
                try hierarchy.setScope(tree["C"], "updateProperties", reads: [tree.theme])
            }
            let first = try tree.commit(body)
            let second = try tree.commit { hierarchy.updateTraits() }
            return (first.invalidations + second.invalidations).map {
                hierarchy.identifier(of: $0.node)
            }
        }
        // The controller has a value of its own, so only what the view shows can change.
        let expected = value == 2 ? ["C"] : []
        let old = try stale { try hierarchy.updateNode(tree["old"], controller: .set(tree["C"])) }
        #expect(old == expected)
        #expect(try stale { try hierarchy.updateNode(tree["old"], controller: .clear) } == [])
        // One that sets what it reads itself changes nothing.
        let own = try stale {
            try hierarchy.updateNode(tree["spare"], controller: .set(tree["C"]))
        }
        #expect(own == [])
        #expect(try stale { try hierarchy.updateNode(tree["spare"], controller: .clear) } == [])
        // To a scope a new view has had the defaults before.
        #expect(try stale { try tree.create("new", .view, "m", controller: "C") } == ["C"])
    }

    @Test("A presentation controller's scope covers the views in it that nobody owns")
    func presentation() throws {
        try tree.commit {
            try tree.create("p", .presentationController, "w")
            try tree.create("container", .view, "p")
            try tree.create("C", .viewController, "p")
            try tree.create("c", .view, "p", controller: "C")
            try track("p", "containerViewDidLayoutSubviews")
        }
        #expect(stale(try tree.commit { try tree.set("c", 1) }) == [])
        #expect(stale(try tree.commit { try tree.set("container", 1) }) == ["p"])
        try tree.commit {
            try track("p", "containerViewDidLayoutSubviews")
            try hierarchy.updateNode(tree["c"], controller: .clear)
        }
        #expect(stale(try tree.commit { try tree.set("c", 2) }) == ["p"])
        try tree.commit {
            try track("p", "containerViewDidLayoutSubviews")
            try tree.move("container", nil)
        }
        #expect(stale(try tree.commit { try tree.set("container", 3) }) == [])
        #expect(stale(try tree.commit { try tree.set("p", 3) }) == ["p"])
    }

    @Test("Before iOS 17 a controller's scope covers its root view just so")
    func legacy() throws {
        let old = try Fixture(.legacy)
        try old.makeWorkedTree()
        try old.commit {
            try old.hierarchy.setScope(old["B"], "updateProperties", reads: [old.theme])
        }
        #expect(try old.commit { try old.set("m", 1) }.invalidations.isEmpty)
        #expect(try old.commit { try old.set("b", 1) }.invalidations.count == 1)
    }

    // MARK: - Update passes

    @Test("In a layout hierarchy scopes hear of update passes, not of writes")
    func layout() throws {
        let hierarchy = try Self.layoutTree()
        let (view, theme) = try Self.parts(hierarchy)
        hierarchy.begin()
        try hierarchy.setOverride(view, theme, .int(2))
        #expect(hierarchy.commit().invalidations.isEmpty)
        hierarchy.begin()
        hierarchy.updateTraits()
        let commit = hierarchy.commit()
        #expect(commit.invalidations.map(\.scope) == ["layoutSubviews"])
        try hierarchy.checkInvariants()
        hierarchy.undo()
        #expect(hierarchy.scope(view, "layoutSubviews")?.isStale == false)
        try hierarchy.checkInvariants()
        hierarchy.acknowledge(through: hierarchy.revision)
    }

    @Test("In a stepwise update the step of the node's collection tells which scopes are stale")
    func steps() throws {
        let hierarchy = try Self.layoutTree()
        let (view, theme) = try Self.parts(hierarchy)
        for (number, expected) in [(2, ["layoutSubviews"]), (3, [])] {
            hierarchy.begin()
            try hierarchy.setOverride(view, theme, .int(Int64(number)))
            _ = hierarchy.commit()
            hierarchy.acknowledge(through: hierarchy.revision)
            let update = hierarchy.startUpdate()
            var told: [String] = []
            var count = 0
            while let step = try update.next() {
                count += 1
                #expect(step.reason == .environment, "a scope has no step of its own")
                told += step.invalidations.map(\.scope)
            }
            #expect(told == expected && count == 1)
        }
    }

    private static func layoutTree() throws -> Hierarchy {
        let hierarchy = Hierarchy(updates: .layout, hashSeed: 3)
        hierarchy.begin()
        let theme = try hierarchy.defineTrait(
            TraitDefinition(key: "theme", type: .int, defaultValue: .int(0)))
        let root = try hierarchy.createNode("root", kind: .environment)
        let view = try hierarchy.createNode("view", kind: .view, parent: root)
        try hierarchy.setScope(view, "layoutSubviews", reads: [theme])
        hierarchy.updateTraits()
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        try hierarchy.checkInvariants()
        return hierarchy
    }

    private static func parts(_ hierarchy: Hierarchy) throws -> (NodeIndex, TraitIndex) {
        (
            try #require(hierarchy.node("view")),
            try #require(hierarchy.definitions.index(of: "theme"))
        )
    }
}
