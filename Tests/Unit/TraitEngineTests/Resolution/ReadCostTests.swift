// What reads visit, counted: reads never depend on a clock in tests, and never on how many nodes
// there are.

import Testing

@testable import TraitEngine

@Suite struct ReadCostTests {
    private let hierarchy: Hierarchy
    private let traits: [TraitIndex]

    init() throws {
        let hierarchy = Hierarchy(hashSeed: 3)
        self.hierarchy = hierarchy
        hierarchy.begin()
        traits = try (0..<100).map { number in
            try hierarchy.defineTrait(
                TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0)))
        }
        finish()
    }

    private func finish() {
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
    }

    /// Nodes below each other, the root first.
    private func makeChain(_ count: Int) throws -> [NodeIndex] {
        var nodes: [NodeIndex] = []
        hierarchy.begin()
        for level in 0..<count {
            nodes.append(
                try hierarchy.createNode("n\(level)", kind: .environment, parent: nodes.last))
        }
        finish()
        return nodes
    }

    /// Ten children a node, made level by level.
    private func makeWide(_ count: Int) throws -> [NodeIndex] {
        var nodes: [NodeIndex] = []
        hierarchy.begin()
        for number in 0..<count {
            let parent = number == 0 ? nil : nodes[(number - 1) / 10]
            nodes.append(
                try hierarchy.createNode("n\(number)", kind: .environment, parent: parent))
        }
        finish()
        return nodes
    }

    private func set(_ node: NodeIndex, _ traits: [TraitIndex]) throws {
        hierarchy.begin()
        for trait in traits { try hierarchy.setOverride(node, trait, .int(1)) }
        finish()
    }

    @Test("A read goes no further up than the nearest value, and looks at that record alone")
    func nearest() throws {
        let nodes = try makeChain(100)
        try set(nodes[40], [traits[0]])
        for level in 41..<100 {
            let cost = hierarchy.cost(of: traits[0], at: nodes[level])
            #expect(cost.levels == level - 40 + 1)
            #expect(cost.records == 1)
            #expect(cost.jumps == 0)
        }
        #expect(hierarchy.cost(of: traits[0], at: nodes[39]).records == 0)
    }

    @Test("Records that cannot have the trait are not looked at")
    func others() throws {
        let nodes = try makeChain(60)
        // Of eight traits in a row, each is distinguished from the other seven.
        for (level, node) in nodes.enumerated() { try set(node, [traits[level % 7]]) }
        let cost = hierarchy.cost(of: traits[7], at: nodes[59])
        #expect(cost == hierarchy.cost(of: traits[15], at: nodes[59]))
        #expect(cost.records == 0)
        #expect(cost.levels == 61)
        for level in 10..<60 {
            for trait in 0..<7 {
                let cost = hierarchy.cost(of: traits[trait], at: nodes[level])
                #expect(cost.records == 1)
                #expect(cost.levels <= 7)
            }
        }
    }

    @Test("A wide tree is read in as many steps as it has levels, whatever its size")
    func wide() throws {
        for count in [11, 1_111] {
            let first = hierarchy.nodeCount
            hierarchy.begin()
            var nodes: [NodeIndex] = []
            for number in 0..<count {
                nodes.append(
                    try hierarchy.createNode(
                        "w\(first + number)", kind: .environment,
                        parent: number == 0 ? nil : nodes[(number - 1) / 10]))
            }
            finish()
            try set(nodes[0], Array(traits[0..<30]))
            let depth = try #require(nodes.last.map { hierarchy.depth(of: $0) })
            #expect(depth == (count == 11 ? 1 : 3))
            var records = 0
            for node in nodes {
                let one = hierarchy.cost(of: traits[29], at: node)
                #expect(one.levels <= depth + 1)
                records += one.records
                let all = hierarchy.cost(of: TraitSet(traits), at: node)
                #expect(all.levels <= depth + 2)
                #expect(all.records <= 2)
            }
            #expect(records == count)
        }
    }

    @Test("Deep down a read takes a block's levels, and one step for each block above")
    func deep() throws {
        let levels = 4_000
        let nodes = try makeChain(levels)
        let blocks = levels / 64 + 2
        // The first read of a path walks it once, after looking 128 levels far.
        let first = hierarchy.cost(of: traits[99], at: nodes[levels - 1])
        #expect(first.levels <= levels + 1 + 128 + 65)
        #expect(hierarchy.topCount <= blocks + 1)
        for level in stride(from: 0, to: levels, by: 37) {
            for trait in [traits[99], traits[0]] {
                let cost = hierarchy.cost(of: trait, at: nodes[level])
                #expect(cost.levels <= 129)
                #expect(cost.jumps <= level / 64 + 1)
                #expect(cost.records <= 2)
            }
        }
        // A value far above: one block is entered for it, the way there is jumped.
        try set(nodes[2_000], [traits[0]])
        let found = hierarchy.cost(of: traits[0], at: nodes[levels - 1])
        #expect(found.levels <= 128 + 64)
        #expect(found.jumps >= 2_000 / 64 - 2)
        #expect(found.jumps <= 2_000 / 64 + 2)
    }

    @Test("The first read of a path knows already which blocks set what")
    func firstRead() throws {
        let levels = 3_000
        let nodes = try makeChain(levels)
        for level in stride(from: 0, to: levels, by: 3) {
            try set(nodes[level], [traits[level % 50]])
        }
        // Masks distinguish it from all of those: it folds to none of their bits.
        let absent = traits[50]
        #expect(!(0..<50).contains { (absent.rawValue &- traits[$0].rawValue) % 64 == 0 })
        let bottom = nodes[levels - 1]
        let first = hierarchy.cost(of: absent, at: bottom)
        #expect(first.levels <= levels + 1 + 128 + 65)
        let second = hierarchy.cost(of: absent, at: bottom)
        #expect(second.levels <= 65)
        #expect(second.records <= 64 / 3 + 2)
        #expect(second.jumps <= levels / 64 + 1)
    }

    @Test("Reading many traits looks once at each record of the path, and shows the nearest values")
    func path() throws {
        let nodes = try makeChain(40)
        let few = Array(traits.prefix(20))
        for (level, node) in nodes.enumerated() where level % 2 == 0 {
            try set(node, [few[level % 20], few[(level + 1) % 20]])
            hierarchy.begin()
            try hierarchy.setOverride(node, few[level % 7], .int(Int64(level)))
            finish()
        }
        for (level, node) in nodes.enumerated() {
            let cost = hierarchy.cost(of: TraitSet(few), at: node)
            #expect(cost.levels <= level + 2)
            #expect(cost.records <= level / 2 + 2)
            hierarchy.values(of: TraitSet(few), at: node) { trait, value in
                #expect(value == hierarchy.value(of: trait, at: node), "level \(level)")
            }
        }
    }

    @Test("Many traits are read by one walk")
    func several() throws {
        let nodes = try makeChain(50)
        for (level, node) in nodes.enumerated() { try set(node, [traits[level]]) }
        let cost = hierarchy.cost(of: TraitSet(traits), at: nodes[49])
        #expect(cost.levels == 51)
        #expect(cost.records == 51)
        // After two levels no trait is missing.
        let two = hierarchy.cost(of: TraitSet([traits[49], traits[48]]), at: nodes[49])
        #expect(two.levels == 2)
        #expect(two.records == 2)
    }
}
