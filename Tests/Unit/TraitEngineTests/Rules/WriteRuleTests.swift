// Writes to scenes, windows and controllers of a layout hierarchy: they show a write at once, and their
// registrations are notified.

import Testing
import TraitEngine

@Suite struct WriteRuleTests {
    @Test("Scenes, windows and controllers show a write at once; what inherits from them waits")
    func shownAtOnce() throws {
        for name in ["s", "w", "A", "B"] {
            let tree = try Fixture.layout()
            try tree.write(name, 1)
            let rest = PlacementTests.names.drop { $0 != name }.dropFirst()
            #expect(tree.value(name) == 1 && tree.hierarchy.state(of: tree[name]) == .current)
            for below in rest {
                #expect(tree.value(below) == 0, "\(below)")
                #expect(tree.hierarchy.state(of: tree[below]) == .pending, "\(below)")
            }
            try tree.update()
            #expect(rest.allSatisfy { tree.value($0) == 1 } && !tree.hierarchy.needsUpdate)
        }
    }

    @Test("Every input of scenes, windows and controllers is shown at once, and so is its removal")
    func inputsShownAtOnce() throws {
        for name in ["s", "w", "A"] {
            let tree = try Fixture.layout()
            let hierarchy = tree.hierarchy
            let node = tree[name]
            let size = try #require(hierarchy.definitions.index(of: "preferredContentSizeCategory"))
            let dark = try TraitCollection(
                definitions: hierarchy.definitions, tree.style, .int(2))
            let start = hierarchy.shownCollection(of: node)
            func expect(
                _ trait: TraitIndex, _ values: TraitValue..., by writes: (() throws -> Void)...
            ) throws {
                for (value, write) in zip(values, writes) {
                    try tree.commit { try write() }
                    #expect(hierarchy.shownCollection(of: node)[trait] == value)
                }
            }
            try expect(
                tree.style, .int(1), .int(2), .int(1), .int(2), .int(1), .int(0),
                by: { try hierarchy.setSupplied(node, tree.style, .int(1)) },
                { try hierarchy.setLegacyCollection(node, dark) },
                { try hierarchy.setLegacyCollection(node, nil) },
                { try hierarchy.setLegacyStyle(node, .int(2)) },
                { try hierarchy.setLegacyStyle(node, nil) },
                { hierarchy.removeSupplied(node, tree.style) })
            let (small, large) = (
                TraitValue.string("UICTContentSizeCategoryS"),
                TraitValue.string("UICTContentSizeCategoryXL")
            )
            try expect(
                size, large, small, large,
                by: { try hierarchy.setSupplied(node, size, large) },
                {
                    try hierarchy.setContentSizeLimits(
                        node, minimum: nil, maximum: "UICTContentSizeCategoryS")
                },
                { try hierarchy.setContentSizeLimits(node, minimum: nil, maximum: nil) })
            try tree.commit { hierarchy.removeSupplied(node, size) }
            #expect(hierarchy.shownCollection(of: node) == start)
            try hierarchy.checkInvariants()
        }
    }

    @Test("A written controller is computed from what its trait parent shows, and goes on waiting")
    func writtenWhileWaiting() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.hierarchy.setOverride(tree["m"], tree.style, .int(2)) }
        try tree.write("B", 1)
        func style(_ name: String) -> TraitValue {
            tree.hierarchy.shownCollection(of: tree[name])[tree.style]
        }
        #expect(tree.value("B") == 1 && style("B") == .int(0))
        #expect(tree.hierarchy.state(of: tree["B"]) == .pending)
        try tree.update()
        #expect(style("leaf") == .int(2) && tree.value("leaf") == 1)
        try tree.hierarchy.checkInvariants()
    }

    @Test("What looks at shown values within a transaction sees the writes before it")
    func writtenBeforeLook() throws {
        let tree = try Fixture.layout()
        let commit = try tree.commit {
            try tree.set("B", 1)
            try tree.register("late", "B")
            try tree.create("C", .viewController, "A")
        }
        #expect(commit.notifications.isEmpty && tree.value("B") == 1)
        #expect(try tree.write("B", 2) == ["late:1>2"])
    }

    @Test("Undoing and rolling back a write restores what the controller showed, and who waits")
    func undoneWrite() throws {
        let tree = try Fixture.layout()
        tree.hierarchy.begin()
        try tree.set("A", 1)
        _ = tree.hierarchy.commit()
        #expect(tree.value("A") == 1 && tree.hierarchy.needsUpdate)
        tree.hierarchy.undo()
        #expect(tree.value("A") == 0 && !tree.hierarchy.needsUpdate)
        tree.hierarchy.begin()
        try tree.set("A", 2)
        tree.hierarchy.updateTraits()
        tree.hierarchy.rollback()
        #expect(tree.value("A") == 0 && tree.value("leaf") == 0 && !tree.hierarchy.needsUpdate)
        try tree.hierarchy.checkInvariants()
    }
}
