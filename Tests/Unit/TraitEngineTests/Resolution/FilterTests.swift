// A walk passes a node whose filter lacks the trait. A filter that is stale would hide a value:
// here everything that changes what a node sets, or which node it is, is done to nodes with many
// traits, and after each step every trait is read at every node.

import SeededRandom
import Testing
import TraitOracle

@testable import TraitEngine

@Suite struct FilterTests {
    /// The hierarchy, and what it should say.
    private struct World {
        let hierarchy: Hierarchy
        let traits: [TraitIndex]
        var overrides: [String: [Int: Int64]] = [:]
        var parents: [String: String?] = [:]

        init(sizes: StructureSizes) throws {
            let hierarchy = Hierarchy(hashSeed: 5, sizes: sizes)
            self.hierarchy = hierarchy
            hierarchy.begin()
            // More than 64, so that both the folded mask and the filter have several traits a bit.
            traits = try (0..<90).map { number in
                try hierarchy.defineTrait(
                    TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(-1)))
            }
            _ = hierarchy.commit()
            hierarchy.acknowledge(through: 1)
        }

        func node(_ name: String) throws -> NodeIndex { try #require(hierarchy.node(name)) }

        func check(_ comment: Comment) throws {
            try hierarchy.checkInvariants()
            for name in parents.keys {
                let node = try node(name)
                for trait in 0..<traits.count {
                    var up: String? = name
                    var expected: Int64 = -1
                    while let next = up {
                        if let value = overrides[next]?[trait] {
                            expected = value
                            break
                        }
                        up = parents[next] ?? nil
                    }
                    let value = hierarchy.value(of: traits[trait], at: node)
                    #expect(value == .int(expected), "t\(trait) at \(name): \(comment)")
                }
            }
        }
    }

    /// Whether a transaction is committed, taken back before or after that.
    private enum End: CaseIterable { case kept, rolledBack, undone }

    @Test(
        "Setting, removing, moving, deleting and taking back leave no stale filter",
        arguments: [1, 2, 3, 4] as [UInt64])
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var world = try World(sizes: seed % 2 == 0 ? .tiny : .init())
        let hierarchy = world.hierarchy
        var made = 0
        for step in 0..<160 {
            let former = world
            let end = step < 20 ? .kept : End.allCases.randomElement(using: &random) ?? .kept
            hierarchy.begin()
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                try change(&world, &made, &random)
            }
            if end == .rolledBack {
                hierarchy.rollback()
                world = former
            } else if !hierarchy.commit().isUnchanged, end == .undone {
                hierarchy.undo()
                world = former
            } else {
                if end == .undone { world = former }
                hierarchy.acknowledge(through: hierarchy.revision)
            }
            if step % 3 == 0 { while hierarchy.reclaimSlice() {} }
            try world.check("seed \(seed), step \(step), \(end)")
        }
        #expect(made > 30, "the script makes too few nodes")
    }

    private func change(
        _ world: inout World, _ made: inout Int, _ random: inout SeededRandom
    ) throws {
        let hierarchy = world.hierarchy
        let names = world.parents.keys.sorted()
        let isNew = Int.random(in: 0..<4, using: &random) == 0
        guard let name = names.randomElement(using: &random), !isNew else {
            let parent = names.count < 12 ? names.randomElement(using: &random) : nil
            if names.count > 14 { return }
            made += 1
            _ = try hierarchy.createNode(
                "n\(made)", kind: .environment, parent: parent.map { try world.node($0) })
            world.parents["n\(made)"] = .some(parent)
            return
        }
        let node = try world.node(name)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            // Few nodes set many traits: their filters have all bits, and lose them again.
            for _ in 0..<(Bool.random(using: &random) ? 1 : 14) {
                let trait = Int.random(in: 0..<world.traits.count, using: &random)
                let value = Int64.random(in: 0..<100, using: &random)
                try hierarchy.setOverride(node, world.traits[trait], .int(value))
                world.overrides[name, default: [:]][trait] = value
            }
        case 5..<7:
            for trait in (world.overrides[name] ?? [:]).keys.sorted()
            where Int.random(in: 0..<4, using: &random) > 0 {
                hierarchy.removeOverride(node, world.traits[trait])
                world.overrides[name]?[trait] = nil
            }
        case 7..<9:
            let parent = names.randomElement(using: &random) ?? name
            if (try? hierarchy.updateNode(node, parent: .set(try world.node(parent)))) != nil {
                world.parents[name] = .some(parent)
            }
        default:
            try hierarchy.deleteNode(node)
            var gone = [name]
            while let next = gone.popLast() {
                gone += world.parents.filter { $0.value == next }.map(\.key)
                world.parents[next] = nil
                world.overrides[next] = nil
            }
        }
    }

    @Test("A filter that lacks a trait of its node is found by the invariants")
    func stale() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("a", .environment)
            try tree.set("a", 1)
        }
        let node = tree["a"].rawValue
        let filter = tree.hierarchy.parts.nodes.hot(of: node).filter
        #expect(filter == filterBit(tree.theme.rawValue))
        tree.hierarchy.parts.nodes.setFilter(node, ~filter)
        #expect(tree.value("a") == 0)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, 0)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, .max)
        #expect(tree.value("a") == 1)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, filter)
        try tree.hierarchy.checkInvariants()
    }

    @Test("The bits of a folded mask are those of its traits")
    func folding() {
        for trait in 0..<UInt16(200) {
            #expect(filter(of: foldedBit(trait)) == filterBit(trait))
            #expect(filter(of: foldedBit(trait) | 1) == filterBit(trait) | 1)
        }
        #expect(filter(of: 0) == 0)
    }

    @Test("Parent and filter share a word without touching each other")
    func word() {
        for parent in [-1, 0, 1, 255, 256, 65_535, Int32(NodeHot.nodesMax - 1)] {
            var hot = NodeHot(parent: parent)
            #expect(hot.parent == parent)
            #expect(!hot.hasRecord)
            hot.filter = 0xA5
            #expect(hot.parent == parent)
            #expect(hot.filter == 0xA5)
            #expect(hot.hasRecord)
            hot.parent = 77
            #expect(hot.parent == 77 && hot.up == 77)
            #expect(hot.filter == 0xA5)
            hot.parent = -1
            #expect(hot.parent == -1)
            #expect(hot.filter == 0xA5)
            #expect(hot.mayHold(0x80) && !hot.mayHold(0x5A))
        }
    }
}
