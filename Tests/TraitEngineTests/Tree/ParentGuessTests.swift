// Guesses of where a parent lies: they must be nodes, and good ones where trees are made in order.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct ParentGuessTests {
    /// Orders in which trees are made.
    private enum Order: CaseIterable {
        case byLevel, depthFirst, star, chain, random

        func parents(_ count: Int, _ random: inout SeededRandom) -> [Int] {
            switch self {
            case .byLevel: (0..<count).map { max(0, ($0 - 1) / 10) }
            case .depthFirst: Self.depthFirst(count)
            case .star: [Int](repeating: 1, count: count)
            case .chain: (0..<count).map { max(0, $0 - 1) }
            case .random: (0..<count).map { $0 == 0 ? 0 : Int.random(in: 0..<$0, using: &random) }
            }
        }

        /// Ten children each, six levels.
        private static func depthFirst(_ count: Int) -> [Int] {
            var parents = [0]
            func addChildren(of parent: Int, _ levels: Int) {
                for _ in 0..<10 where parents.count < count {
                    parents.append(parent)
                    if levels > 1 { addChildren(of: parents.count - 1, levels - 1) }
                }
            }
            addChildren(of: 0, 6)
            return parents
        }

        /// Of all nodes at least so many have their parent in the cache line that is guessed, or in
        /// one beside it.
        var hitsMin: Double {
            switch self {
            case .byLevel, .star, .chain: 0.99
            case .depthFirst: 0.5
            case .random: 0
            }
        }
    }

    @Test("Guesses are nodes, and mostly near the parent when nodes are made in order")
    func hits() {
        for order in Order.allCases {
            var random = SeededRandom(seed: 5)
            let parents = order.parents(300_000, &random)
            var guesses = ParentGuesses()
            for node in stride(from: 65_536, to: parents.count, by: 1_024) {
                guesses.note(Int32(parents[node]), of: Int32(node))
            }
            var (asked, hits, outside) = (0, 0, 0)
            for node in parents.indices {
                guard let guess = guesses.guess(parentOf: Int32(node)) else { continue }
                asked += 1
                if !parents.indices.contains(Int(guess)) { outside += 1 }
                if abs(Int(guess) - parents[node]) < 16 { hits += 1 }
            }
            #expect(asked > 220_000 && outside == 0)
            let share = Double(hits) / Double(max(asked, 1))
            #expect(share >= order.hitsMin, "\(order): \(share)")
        }
    }

    @Test("Small trees and the newest nodes have none")
    func none() {
        var guesses = ParentGuesses()
        func found(_ node: Int32, _ guesses: borrowing ParentGuesses) -> Int32? {
            guesses.guess(parentOf: node)
        }
        #expect([0, 65_536, .max].allSatisfy { found($0, guesses) == nil })
        guesses.note(6_553, of: 65_536)
        #expect([0, 65_535, 65_536, .max].allSatisfy { found($0, guesses) == nil })
        guesses.note(6_963, of: 69_632)
        #expect([65_536, 69_631].map { found($0, guesses) } == [6_553, 6_962])
        #expect([65_535, 69_632, .max].allSatisfy { found($0, guesses) == nil })
    }

    @Test("A large tree is read right after its nodes have moved, gone and come again")
    func largeTree() throws {
        let hierarchy = Hierarchy(hashSeed: 7)
        var random = SeededRandom(seed: 6)
        var nodes: [NodeIndex] = []
        hierarchy.begin()
        let theme = try hierarchy.defineTrait(
            TraitDefinition(key: "theme", type: .int, defaultValue: .int(0)))
        for number in 0..<80_000 {
            let parent = number == 0 ? nil : nodes[(number - 1) / 10]
            nodes.append(
                try hierarchy.createNode("n\(number)", kind: .environment, parent: parent))
        }
        for child in 1...10 {
            try hierarchy.setOverride(nodes[child], theme, .int(Int64(child)))
        }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        let guess = hierarchy.parts.nodes.parentGuesses.guess(parentOf: 66_000)
        #expect(abs(Int(try #require(guess)) - 6_600) < 16)
        // Leaves from the end of the tree go below its first child.
        hierarchy.begin()
        for _ in 0..<1_000 {
            let leaf = nodes[Int.random(in: 70_000..<80_000, using: &random)]
            try hierarchy.updateNode(leaf, parent: .set(nodes[1]))
        }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        let wrong = nodes[70_000...].filter { leaf in
            var top = leaf
            while let parent = hierarchy.parent(of: top), parent != nodes[0] { top = parent }
            let expected = nodes[1...10].firstIndex(of: top).map { TraitValue.int(Int64($0)) }
            return hierarchy.value(of: theme, at: leaf) != expected
        }
        #expect(wrong.isEmpty)
        hierarchy.begin()
        try hierarchy.deleteNode(nodes[2])
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        while hierarchy.reclaimSlice() {}
        hierarchy.begin()
        let again = try (0..<8_000).map {
            try hierarchy.createNode("again\($0)", kind: .environment, parent: nodes[3])
        }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        #expect(again.allSatisfy { hierarchy.value(of: theme, at: $0) == .int(3) })
    }
}
