// Scopes of controllers, which cover views inside, and scopes in update passes.

import Testing

@testable import TraitEngine

@Suite struct CoveringScopeTests {
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
