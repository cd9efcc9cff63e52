// That the depth limit is exact in both trees, and what measuring a moved subtree counts.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct HeightTests {
    private static func chain(_ tree: Fixture, _ prefix: String, _ count: Int) throws {
        for level in 1...count {
            let parent = level == 1 ? nil : "\(prefix)\(level - 1)"
            try tree.create("\(prefix)\(level)", .view, parent)
        }
    }

    @Test(
        "A subtree is measured where only its exact height allows or refuses a move, and counts",
        arguments: [false, true])
    func deepMoves(isBridged: Bool) throws {
        var limits = HierarchyLimits()
        limits.depthMax = 500
        let tree = try Fixture(limits: limits)
        try tree.commit {
            try Self.chain(tree, "c", 490)
            try Self.chain(tree, "x", 11)
            try Self.chain(tree, "deep", 500)
            if isBridged {
                try tree.create("controller", .viewController)
                try tree.create("view", .view, "x10", controller: "controller")
            }
        }
        func visited(_ change: () throws -> Void) throws -> Int {
            let before = tree.hierarchy.parts.nodes.levels.measuredNodes
            try tree.commit(change)
            return tree.hierarchy.parts.nodes.levels.measuredNodes - before
        }
        let trees = isBridged ? 2 : 1
        for _ in 0..<3 {
            let down = try visited { try tree.move("c1", "x10") }
            #expect(down >= 490 * trees && down <= 500 * trees)
            #expect(throws: OperationError.limit(name: "depthMax", value: 500)) {
                try tree.commit { try tree.create("below", .view, "c490") }
            }
            #expect(try visited { try tree.move("c1", "x1") } == 0)
        }
        #expect(throws: OperationError.limit(name: "depthMax", value: 500)) {
            try tree.commit { try tree.move("c1", "x11") }
        }
    }

    private static let depthMax = 6

    private static func hierarchy(_ propagation: Propagation, depthMax: Int) -> Hierarchy {
        var limits = HierarchyLimits()
        limits.depthMax = depthMax
        return Hierarchy(propagation: propagation, limits: limits, hashSeed: 1)
    }

    /// Takes a random operation. Returns why it was refused.
    private static func step(
        _ hierarchy: Hierarchy, _ name: String, _ random: inout SeededRandom
    ) -> OperationError? {
        let nodes = (0..<40).map { hierarchy.node("n\($0)") }
        let node = nodes.randomElement(using: &random) ?? nil
        let other = nodes.randomElement(using: &random) ?? nil
        let kind =
            [NodeKind.view, .view, .viewController, .environment].randomElement(using: &random)
            ?? .view
        let dice = Int.random(in: 0..<20, using: &random)
        do throws(OperationError) {
            guard let node else {
                _ = try hierarchy.createNode(name, kind: kind, parent: other)
                return nil
            }
            switch dice {
            case 0...3:
                try hierarchy.updateNode(node, controller: other.map { .set($0) } ?? .clear)
            case 4: try hierarchy.updateNode(node, parent: .clear)
            case 5, 6:
                _ = try hierarchy.createNode(name, kind: .view, parent: node, controller: other)
            case 7...10: _ = try hierarchy.createNode(name, kind: kind, parent: node)
            default: if let other { try hierarchy.updateNode(node, parent: .set(other)) }
            }
            return nil
        } catch {
            return error
        }
    }

    /// The levels of both trees, counted from each node up.
    private static func levels(_ hierarchy: Hierarchy) -> Int {
        func level(_ node: NodeIndex, _ parent: (NodeIndex) -> NodeIndex?) -> Int {
            var level = 1
            var node = node
            while let next = parent(node) {
                level += 1
                node = next
            }
            return level
        }
        return (0..<40).compactMap { hierarchy.node("n\($0)") }.map {
            max(level($0, hierarchy.traitParent), level($0, hierarchy.parent))
        }.max() ?? 0
    }

    @Test(
        "Exactly those operations are refused that would make a tree deeper than the limit",
        arguments: Propagation.allCases)
    func exactLimit(_ propagation: Propagation) throws {
        let limited = Self.hierarchy(propagation, depthMax: Self.depthMax)
        let free = Self.hierarchy(propagation, depthMax: 1_000)
        var random = SeededRandom(seed: 5)
        var refused = 0
        for number in 0..<2_400 {
            for hierarchy in [limited, free] { hierarchy.begin() }
            var copy = random
            let outcome = Self.step(limited, "n\(number % 40)", &random)
            let expected = Self.step(free, "n\(number % 40)", &copy)
            if Self.levels(free) > Self.depthMax {
                #expect(outcome == .limit(name: "depthMax", value: Self.depthMax))
                refused += 1
                for hierarchy in [limited, free] { hierarchy.rollback() }
                continue
            }
            // An operation that is refused anyway may be refused for its depth.
            #expect((outcome == nil) == (expected == nil))
            for hierarchy in [limited, free] {
                _ = hierarchy.commit()
                hierarchy.acknowledge(through: hierarchy.revision)
            }
            if number % 20 == 0 { try limited.checkInvariants() }
        }
        #expect(limited.digest == free.digest)
        #expect(refused > 40, "\(refused) refused for their depth")
    }
}
