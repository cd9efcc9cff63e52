// What changes of the tree cost, counted in steps: the table of docs/internals/engine.md.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct StructureCostTests {
    private enum Shape: CaseIterable {
        case wide, random, chain

        func parent(of node: Int, _ random: inout SeededRandom) -> Int {
            switch self {
            case .wide: (node - 1) / 10
            case .random: Int.random(in: 0..<node, using: &random)
            case .chain: node - 1
            }
        }
    }

    @Test(
        "A creation walks few levels, and in a chain no more than heights tell",
        arguments: Shape.allCases)
    private func creations(_ shape: Shape) throws {
        let tree = try Fixture()
        var random = SeededRandom(seed: 3)
        var nodes: [NodeIndex] = []
        var mostForOne = 0
        try tree.commit {
            for number in 0..<1_000 {
                let before = tree.hierarchy.parts.nodes.levels.walkedLevels
                let parent = number == 0 ? nil : nodes[shape.parent(of: number, &random)]
                nodes.append(
                    try tree.hierarchy.createNode("n\(number)", kind: .environment, parent: parent))
                mostForOne = max(
                    mostForOne, tree.hierarchy.parts.nodes.levels.walkedLevels - before)
            }
        }
        let each = Double(tree.hierarchy.parts.nodes.levels.walkedLevels) / 1_000
        #expect(shape == .chain || each < 3, "\(each) levels each")
        #expect(mostForOne <= Int(NodeHeight.max) + 2)
    }

    @Test("A move costs the same whatever hangs below, and nothing there is looked at")
    func moves() throws {
        func cost(_ below: Int) throws -> Int {
            let tree = try Fixture()
            try tree.commit {
                try tree.create("x0", .environment)
                for level in 1...50 { try tree.create("x\(level)", .environment, "x\(level - 1)") }
                try tree.create("big", .environment, "x0")
                for child in 0..<below { try tree.create("c\(child)", .environment, "big") }
            }
            let before = tree.hierarchy.parts.nodes.levels.walkedLevels
            try tree.commit { try tree.move("big", "x50") }
            #expect(tree.hierarchy.parts.nodes.levels.measuredNodes == 0)
            return tree.hierarchy.parts.nodes.levels.walkedLevels - before
        }
        let (few, many) = (try cost(2), try cost(2_000))
        #expect(few == many)
        #expect(many <= 4 * 53, "\(many) levels for a move to level 52")
    }

    @Test("Setting a scope goes through no other scope or registration of its node")
    func scopes() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            for number in 0..<50 { try tree.register("r\(number)", "e") }
        }
        let before = tree.hierarchy.notifying.visitedRegistrations
        tree.hierarchy.begin()
        for name in 0..<100 {
            try tree.hierarchy.setScope(tree["e"], "s\(name)", reads: [tree.theme])
        }
        for name in 0..<100 {
            try tree.hierarchy.setScope(tree["e"], "s\(name)", reads: [tree.style])
            #expect(tree.hierarchy.scope(tree["e"], "s\(name)")?.reads == [tree.style])
        }
        for name in 0..<50 { tree.hierarchy.removeScope(tree["e"], "s\(name)") }
        #expect(tree.hierarchy.notifying.visitedRegistrations == before)
        _ = tree.hierarchy.commit()
        try tree.hierarchy.checkInvariants()
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        #expect(tree.hierarchy.scope(tree["e"], "s60") == nil)
    }

    @Test("Deleting traits looks at what a detached node inherited once")
    func deletedTraits() throws {
        let tree = try Fixture()
        var traits: [TraitIndex] = []
        try tree.commit {
            for number in 0..<20 {
                traits.append(
                    try tree.hierarchy.defineTrait(
                        TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0))))
            }
            try tree.create("x0", .view)
            for level in 1...40 { try tree.create("x\(level)", .view, "x\(level - 1)") }
            for child in 0..<30 { try tree.create("c\(child)", .view, "x40") }
            try tree.hierarchy.setOverride(tree["x3"], traits[19], .int(1))
        }
        try tree.commit {
            tree.hierarchy.removeOverride(tree["x3"], traits[19])
            for child in 0..<30 { try tree.move("c\(child)", nil) }
            let before = tree.hierarchy.parts.nodes.levels.walkedLevels
            for trait in traits.dropLast() { try tree.hierarchy.deleteTrait(trait) }
            #expect(tree.hierarchy.parts.nodes.levels.walkedLevels - before <= 41)
            // The detached nodes will keep the value.
            #expect(throws: OperationError.traitInUse("t19")) {
                try tree.hierarchy.deleteTrait(traits[19])
            }
        }
    }

    @Test("Defining a colour or an image copies none of the others")
    func dynamics() throws {
        let tree = try Fixture()
        func define(_ kind: DynamicKind, _ number: Int) throws {
            try tree.hierarchy.defineDynamic(
                DynamicValue(
                    kind: kind, name: "n\(number)",
                    variants: [DynamicVariant(when: TraitCollection(), value: "v\(number)")]))
        }
        for kind in DynamicKind.allCases {
            var names: [String] { tree.hierarchy.definitions.dynamics(kind).map(\.name) }
            var copies = 0
            try tree.commit {
                var place: UnsafeRawPointer?
                for number in 0..<500 {
                    try define(kind, number)
                    let now = tree.hierarchy.definitions.named[kind].slots.withUnsafeBytes {
                        $0.baseAddress
                    }
                    if now != place { copies += 1 }
                    place = now
                }
            }
            #expect(copies < 20, "copied \(copies) times")
            // Where a definition was deleted the list has a gap, as long as few are gone.
            try tree.commit {
                for number in 0..<500 where number % 10 != 0 {
                    try tree.hierarchy.deleteDynamic(kind, "n\(number)")
                }
            }
            #expect(names == (0..<50).map { "n\($0 * 10)" })
            #expect(tree.hierarchy.definitions.named[kind].slots.count < 120)
            try tree.commit { try define(kind, 7) }
            #expect(names == (0..<50).map { "n\($0 * 10)" } + ["n7"])
        }
    }

    @Test("A slice of reclaiming is bounded by nodes, and by their values")
    func slices() throws {
        for values in [0, 2] {
            let tree = try Fixture()
            try tree.commit {
                try tree.create("top", .environment)
                for child in 0..<3_000 {
                    let node = try tree.create("c\(child)", .environment, "top")
                    if values == 0 { continue }
                    try tree.hierarchy.setOverride(node, tree.theme, .int(Int64(child)))
                    try tree.hierarchy.setOverride(node, tree.style, .int(2))
                }
            }
            try tree.pending { tree.delete("top") }
            tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
            var left = tree.hierarchy.parts.nodes.deadCount
            #expect(left > 2_000)
            while left > 500 {
                tree.hierarchy.reclaimSlice()
                let freed = left - tree.hierarchy.parts.nodes.deadCount
                left = tree.hierarchy.parts.nodes.deadCount
                // The last node of a slice may go beyond by its values.
                let most = values == 0 ? 200 : 200 / (values + 1) + 1
                #expect(freed <= most && freed >= most / 2, "\(freed) nodes of \(values) values")
            }
            try tree.hierarchy.checkInvariants()
        }
    }

    @Test(
        "A registration makes the missing part of its path, and a commit walks only what is watched"
    )
    func watches() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("x0", .environment)
            for level in 1...40 { try tree.create("x\(level)", .environment, "x\(level - 1)") }
            for child in 0..<300 {
                try tree.create("a\(child)", .environment, "x40")
                try tree.create("b\(child)", .environment, "x\(child % 40)")
            }
        }
        try tree.commit { try tree.register("r0", "a0") }
        // The leaf, 41 levels, and the place above all roots.
        #expect(tree.hierarchy.parts.watches.slotCount == 43)
        try tree.commit { try tree.register("r1", "a1") }
        #expect(tree.hierarchy.parts.watches.slotCount == 44)
        try tree.commit { try tree.set("x0", 5) }
        #expect(tree.hierarchy.visitedWatchNodes == 43)
        try tree.commit { try tree.set("a0", 6) }
        #expect(tree.hierarchy.visitedWatchNodes == 1)
        try tree.commit { try tree.set("b3", 7) }
        #expect(tree.hierarchy.visitedWatchNodes == 0)
        try tree.commit { tree.delete("a1") }
        try tree.commit { try tree.set("x0", 8) }
        #expect(tree.hierarchy.visitedWatchNodes == 42)
    }
}
