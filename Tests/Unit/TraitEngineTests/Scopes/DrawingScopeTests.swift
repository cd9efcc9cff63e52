// Methods that draw run again when a trait changes that affects colours, whatever they read.

import Testing

@testable import TraitEngine

@Suite struct DrawingScopeTests {
    private let tree: Fixture
    private var hierarchy: Hierarchy { tree.hierarchy }

    init() throws {
        tree = try Fixture()
        try tree.makeWorkedTree()
    }

    private static func definition(_ key: String, affects: Bool) -> TraitDefinition {
        TraitDefinition(
            key: key, type: .int, defaultValue: .int(0), affectsColorAppearance: affects)
    }

    private func arm() throws {
        try tree.commit {
            for method in ["draw", "layoutSubviews"] {
                try hierarchy.setScope(tree["leaf"], method, reads: [])
            }
        }
    }

    private func stale(_ body: () throws -> Void) throws -> [String] {
        try tree.pending(body).invalidations.map {
            "\($0.scope) \($0.invalidation) \($0.changed.map { hierarchy.definitions[$0].key })"
        }
    }

    @Test("A system trait that affects colours makes it stale, and others do not")
    func system() throws {
        try arm()
        let scale = try #require(hierarchy.definitions.index(of: "displayScale"))
        #expect(try stale { try hierarchy.setOverride(tree["s"], scale, .double(3)) } == [])
        #expect(
            try stale { try hierarchy.setOverride(tree["s"], tree.style, .int(2)) }
                == ["draw setNeedsDisplay [\"userInterfaceStyle\"]"])
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(
            try stale { try hierarchy.setOverride(tree["leaf"], tree.style, .int(1)) }
                == ["draw setNeedsDisplay [\"userInterfaceStyle\"]"])
    }

    @Test("Custom traits count while they have the flag, also those that come later, and may go")
    func custom() throws {
        try arm()
        var tint = TraitIndex(rawValue: 0)
        #expect(
            try stale { tint = try hierarchy.defineTrait(Self.definition("tint", affects: true)) }
                == [])
        let change = { (value: Int64) in
            try self.hierarchy.setOverride(self.tree["A"], tint, .int(value))
        }
        #expect(try stale { try change(1) } == ["draw setNeedsDisplay [\"tint\"]"])
        hierarchy.undo()
        // Without the flag it does not count, and with it again it does.
        for affects in [false, true] {
            try tree.pending {
                try hierarchy.redefineTrait(tint, as: Self.definition("tint", affects: affects)) {
                    $0
                }
            }
            #expect(try stale { try change(2) }.isEmpty != affects)
            hierarchy.undo()
            try hierarchy.checkInvariants()
        }
        // The scope does not name it, so it can be deleted; undone, it counts.
        try tree.pending { try hierarchy.deleteTrait(tint) }
        for _ in 0..<4 { hierarchy.undo() }
        try hierarchy.checkInvariants()
        #expect(hierarchy.definitions.index(of: "tint") == nil)
        #expect(
            try stale {
                tint = try hierarchy.defineTrait(Self.definition("tint", affects: true))
                try change(3)
            } == ["draw setNeedsDisplay [\"tint\"]"])
        hierarchy.acknowledge(through: hierarchy.revision)
        try tree.commit { hierarchy.removeOverride(tree["A"], tint) }
        try tree.commit { try hierarchy.deleteTrait(tint) }
        // One that a method read stays.
        try tree.commit {
            tint = try hierarchy.defineTrait(Self.definition("other", affects: true))
        }
        try tree.commit { try hierarchy.setScope(tree["leaf"], "draw", reads: [tint]) }
        hierarchy.begin()
        #expect(throws: OperationError.self) { try hierarchy.deleteTrait(tint) }
        hierarchy.rollback()
        try hierarchy.checkInvariants()
        #expect(try stale { try change(1) } == ["draw setNeedsDisplay [\"other\"]"])
    }

    @Test("In a layout hierarchy the scope goes stale in the update")
    func layout() throws {
        let tree = try Fixture(updates: .layout)
        try tree.makeWorkedTree()
        let hierarchy = tree.hierarchy
        try tree.commit {
            hierarchy.updateTraits()
            try hierarchy.setScope(tree["leaf"], "draw", reads: [])
        }
        let write = try tree.commit { try hierarchy.setOverride(tree["s"], tree.style, .int(2)) }
        #expect(write.invalidations.isEmpty)
        let update = try tree.commit { hierarchy.updateTraits() }
        #expect(update.invalidations.map(\.scope) == ["draw"])
    }
}
