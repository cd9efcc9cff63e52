// Moving and deleting large subtrees: a tenth of the tree each.

import SeededRandom
import TraitEngine

enum Moves: BenchCase {
    static let name = "move"
    static let measures = ["move"]

    static func run(_ bench: Bench) throws {
        let size = bench.settings.largest
        for registrations in [0, min(1_000, size)] {
            var random = bench.random(16)
            var tree = try Tree(
                Tree.Plan(shape: .wide, nodes: size, spareNames: 100), &random)
            try tree.register(at: random.distinct(registrations, below: size)) { _ in
                [tree.traits.theme]
            }
            var ladder = [tree.root]
            tree.hierarchy.begin()
            for number in 0..<100 {
                ladder.append(try tree.add(size + number, below: ladder[number]))
            }
            tree.hierarchy.finish()
            let moved = tree.nodes[1]
            for depth in [1, 10, 100] {
                let times = try bench.repeated(201) { _ in
                    let elapsed = try bench.ticks.time {
                        try move(tree.hierarchy, moved, below: ladder[depth])
                    }
                    try move(tree.hierarchy, moved, below: tree.root)
                    return elapsed
                }
                let subject = Subject(
                    .wide, nodes: subtreeSizes(tree.parents)[1], registrations: registrations / 10,
                    "to depth \(depth + 1), out of \(size) nodes")
                bench.record("move", subject, .nanoseconds, times)
            }
        }
    }

    private static func move(
        _ hierarchy: Hierarchy, _ node: NodeIndex, below parent: NodeIndex
    ) throws(OperationError) {
        hierarchy.begin()
        try hierarchy.updateNode(node, parent: .set(parent))
        hierarchy.finish()
    }

    /// Nodes at or below each of the root's first ten children; position 0 is the root.
    private static func subtreeSizes(_ parents: [Int32]) -> [Int] {
        var top = [Int](repeating: 0, count: parents.count)
        var sizes = [Int](repeating: 0, count: 11)
        for position in parents.indices.dropFirst() {
            let parent = Int(parents[position])
            top[position] = parent == 0 ? position : top[parent]
            if top[position] <= 10 { sizes[top[position]] += 1 }
        }
        return sizes
    }

}

enum Deletions: BenchCase {
    static let name = "delete"
    static let measures = ["delete.gone", "delete.reclaim", "delete.slice.worst"]

    static func run(_ bench: Bench) throws {
        for isScattered in [false, true] {
            var deletion = Deletion(isScattered: isScattered, bench)
            for _ in 0..<bench.settings.repetitions(3) { try deletion.deleteAll() }
            deletion.record()
        }
    }
}

/// Deletes subtrees out of a tree until nothing is left of them.
private struct Deletion {
    let bench: Bench
    let isScattered: Bool
    private var gone: [Double] = []
    private var reclaimed: [Double] = []
    /// By number within its deletion: what the machine does beside hits another slice each time.
    private var slices: [Double] = []
    private var nodes = 0

    init(isScattered: Bool, _ bench: Bench) {
        self.isScattered = isScattered
        self.bench = bench
    }

    /// Ten groups whose nodes were made in turn, so that a group lies all over memory.
    private func scatteredParents(_ count: Int, _ random: inout SeededRandom) -> [Int32] {
        (0..<count).map { node in
            if node <= 10 { return node == 0 ? -1 : 0 }
            let inGroup = (node - 1) / 10
            return Int32((node - 1) % 10 + 1 + 10 * random.below(inGroup))
        }
    }

    mutating func deleteAll() throws {
        var random = bench.random(17)
        let size = bench.settings.largest
        let hierarchy = Hierarchy(hashSeed: 7)
        let parents =
            isScattered ? scatteredParents(size, &random) : Shape.wide.parents(size, &random)
        var indices: [NodeIndex] = []
        hierarchy.begin()
        try Tree.makeNodes(parents, NodeNames(size), in: hierarchy, into: &indices)
        hierarchy.finish()
        for child in 1...8 {
            bench.awaitCore()
            let before = hierarchy.nodeCount
            let marking = try bench.ticks.time {
                hierarchy.begin()
                try hierarchy.deleteNode(indices[child])
                _ = hierarchy.commit()
            }
            nodes = before - hierarchy.nodeCount
            gone.append(marking / Double(nodes))
            reclaimed.append(reclaim(hierarchy) / Double(nodes))
        }
    }

    /// The sum of all slices: the acknowledgement's first, and then until nothing is left.
    private mutating func reclaim(_ hierarchy: Hierarchy) -> Double {
        var sum = 0.0
        var number = 0
        var isLeft = true
        while isLeft {
            let elapsed = bench.ticks.time {
                if number == 0 {
                    hierarchy.acknowledge(through: hierarchy.revision)
                } else {
                    isLeft = hierarchy.reclaimSlice()
                }
            }
            sum += elapsed
            if number < slices.count {
                slices[number] = min(slices[number], elapsed)
            } else {
                slices.append(elapsed)
            }
            number += 1
        }
        return sum
    }

    func record() {
        let subject = Subject(
            nodes: nodes,
            (isScattered ? "scattered" : "in order") + ", out of \(bench.settings.largest) nodes")
        bench.record("delete.gone", subject, .nanoseconds, gone)
        bench.record("delete.reclaim", subject, .nanoseconds, reclaimed)
        let longest = (slices.max() ?? .nan) / 1_000
        bench.record("delete.slice.worst", subject, .microseconds, [longest])
    }
}
