// What transactions of many moves cost in deep trees, and that the depth limit stays exact.

import SeededRandom
import Testing

@testable import TraitEngine
@testable import TraitOracle

@Suite struct HeightTests {
    private static func chain(_ tree: Fixture, _ prefix: String, _ count: Int) throws {
        for level in 1...count {
            let parent = level == 1 ? nil : "\(prefix)\(level - 1)"
            try tree.create("\(prefix)\(level)", .view, parent)
        }
    }

    @Test(
        "A transaction that moves a deep chain again and again measures it twice",
        arguments: [false, true])
    func deepMoves(isBridged: Bool) throws {
        var limits = HierarchyLimits()
        limits.depthMax = 500
        let tree = try Fixture(limits: limits)
        try tree.commit {
            try Self.chain(tree, "c", 490)
            try Self.chain(tree, "x", 10)
            if isBridged {
                try tree.create("controller", .viewController)
                try tree.create("view", .view, "x10", controller: "controller")
            }
        }
        let before = tree.hierarchy.parts.nodes.levels.measuredNodes
        let moves = 200
        try tree.commit {
            for _ in 0..<moves / 2 {
                try tree.move("c1", "x10")
                #expect(throws: OperationError.limit(name: "depthMax", value: 500)) {
                    try tree.create("below", .view, "c490")
                }
                try tree.move("c1", "x1")
            }
            let rotations = tree.hierarchy.transaction.traitTour?.rotations ?? .max
            #expect(rotations < 60 * moves, "\(rotations) rotations")
        }
        // Each tree is measured twice and then gets a tour.
        let measured = tree.hierarchy.parts.nodes.levels.measuredNodes - before
        let most = (isBridged ? 6 : 3) * tree.hierarchy.nodeCount
        #expect(measured <= most, "\(measured) nodes measured")
    }

    /// Takes random operations; answers what was refused.
    private struct Mover {
        let hierarchy: Hierarchy

        init(_ propagation: Propagation, _ sizes: StructureSizes) {
            var limits = HierarchyLimits()
            limits.depthMax = 6
            hierarchy = Hierarchy(
                propagation: propagation, limits: limits, hashSeed: 1, sizes: sizes)
        }

        func step(_ name: String, _ random: inout SeededRandom) -> OperationError? {
            let nodes = (0..<40).map { hierarchy.node("n\($0)") }
            let node = nodes.randomElement(using: &random) ?? nil
            let other = nodes.randomElement(using: &random) ?? nil
            let kind =
                [NodeKind.view, .view, .viewController, .environment]
                .randomElement(using: &random) ?? .view
            let dice = Int.random(in: 0..<20, using: &random)
            do throws(OperationError) {
                guard let node else {
                    _ = try hierarchy.createNode(name, kind: kind, parent: other)
                    return nil
                }
                switch dice {
                case 0: try hierarchy.deleteNode(node)
                case 1...3:
                    try hierarchy.updateNode(node, controller: other.map { .set($0) } ?? .clear)
                case 4: try hierarchy.updateNode(node, parent: .clear)
                case 5, 6:
                    _ = try hierarchy.createNode(
                        name, kind: .view, parent: node, controller: other)
                case 7...10: _ = try hierarchy.createNode(name, kind: kind, parent: node)
                default: if let other { try hierarchy.updateNode(node, parent: .set(other)) }
                }
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(
        "Measuring by tours refuses what walks refuse, and nothing else",
        arguments: Propagation.allCases)
    func sameRefusals(_ propagation: Propagation) throws {
        let (walking, touring) = (Mover(propagation, .init()), Mover(propagation, .tiny))
        var random = SeededRandom(seed: 5)
        var refused = 0
        for round in 0..<120 {
            walking.hierarchy.begin()
            touring.hierarchy.begin()
            for step in 0..<20 {
                let name = "n\((round * 7 + step) % 40)"
                var copy = random
                let expected = walking.step(name, &copy)
                let outcome = touring.step(name, &random)
                #expect(outcome == expected)
                if case .limit = outcome { refused += 1 }
            }
            for hierarchy in [walking.hierarchy, touring.hierarchy] {
                if round % 5 == 0 {
                    hierarchy.rollback()
                } else {
                    _ = hierarchy.commit()
                    hierarchy.acknowledge(through: hierarchy.revision)
                }
                try hierarchy.checkInvariants()
            }
        }
        #expect(walking.hierarchy.digest == touring.hierarchy.digest)
        #expect(refused > 40, "\(refused) refused for their depth")
    }
}
