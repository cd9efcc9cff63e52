// A hierarchy to measure, with what a case needs to know about it.

import SeededRandom
import TraitEngine

struct Tree {
    let hierarchy: Hierarchy
    let shape: Shape
    let traits: BenchTraits
    let names: NodeNames
    /// By position; the root comes first. Positions are the creation's order.
    private(set) var nodes: [NodeIndex]
    let parents: [Int32]
    var root: NodeIndex { nodes[0] }

    /// How a tree is to be.
    struct Plan {
        var shape: Shape
        var nodes: Int
        var overridingPercent = 0
        var identifierBytes = 8
        /// Room for nodes that a case makes later.
        var spareNames = 0
    }

    /// Makes the nodes in one commit, then the overrides in another.
    init(_ plan: Plan, _ random: inout SeededRandom) throws {
        shape = plan.shape
        parents = plan.shape.parents(plan.nodes, &random)
        names = NodeNames(plan.nodes + plan.spareNames, width: plan.identifierBytes)
        hierarchy = Hierarchy(hashSeed: random.next())
        nodes = []
        nodes.reserveCapacity(plan.nodes)
        hierarchy.begin()
        traits = try BenchTraits(in: hierarchy)
        try Self.makeNodes(parents, names, in: hierarchy, into: &nodes)
        hierarchy.finish()
        try override(plan.overridingPercent, &random)
    }

    /// The timed part of a build: nothing but the creations. The root is a plain environment,
    /// all others are views.
    @inline(never)
    static func makeNodes(
        _ parents: [Int32], _ names: NodeNames, in hierarchy: Hierarchy,
        into nodes: inout [NodeIndex]
    ) throws(OperationError) {
        for position in parents.indices {
            let parent = parents[position]
            nodes.append(
                try hierarchy.createNode(
                    names[position], kind: parent < 0 ? .environment : .view,
                    parent: parent < 0 ? nil : nodes[Int(parent)]))
        }
    }

    /// Ten traits at the root, as a scene has them; one or two at each overriding node, of all but
    /// the last trait, which is set nowhere.
    private func override(_ percent: Int, _ random: inout SeededRandom) throws(OperationError) {
        hierarchy.begin()
        for position in 0..<10 {
            try hierarchy.setSupplied(root, traits.all[position], traits.values[position][1])
        }
        try hierarchy.setOverride(root, traits.theme, traits.values[traits.themePosition][1])
        if percent > 0 {
            for node in nodes.dropFirst() where random.chance(percent) {
                for _ in 0...random.below(2) {
                    let position = random.below(traits.all.count - 1)
                    let value = random.below(traits.values[position].count)
                    try hierarchy.setOverride(
                        node, traits.all[position], traits.values[position][value])
                }
            }
        }
        hierarchy.finish()
    }

    /// Registers for one trait at each of these nodes.
    func register(
        at positions: some Sequence<Int>, for traits: (Int) -> TraitSet
    ) throws(OperationError) {
        hierarchy.begin()
        for (number, position) in positions.enumerated() {
            _ = try hierarchy.register("r\(number)", node: nodes[position], traits: traits(number))
        }
        hierarchy.finish()
    }

    /// Levels below the root.
    func depth(_ position: Int) -> Int {
        var depth = 0
        var position = parents[position]
        while position >= 0 {
            position = parents[Int(position)]
            depth += 1
        }
        return depth
    }

    /// One node more, outside of every count.
    mutating func add(_ number: Int, below parent: NodeIndex) throws(OperationError) -> NodeIndex {
        let node = try hierarchy.createNode(names[number], kind: .view, parent: parent)
        nodes.append(node)
        return node
    }
}

extension Hierarchy {
    /// Commits and acknowledges, as a session does whose log answers at once.
    @discardableResult
    @inline(__always)
    func finish() -> Commit {
        let commit = commit()
        acknowledge(through: commit.revision)
        return commit
    }

    /// One override as a commit of its own, from opening it until it is acknowledged; answers
    /// how many were notified.
    @inline(__always)
    func write(
        _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) -> Int {
        begin()
        try setOverride(node, trait, value)
        return finish().notifications.count
    }

    @inline(__always)
    func remove(_ node: NodeIndex, _ trait: TraitIndex) -> Int {
        begin()
        removeOverride(node, trait)
        return finish().notifications.count
    }
}
