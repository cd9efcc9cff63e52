// What runs under an instruction counter: each path in a function of its own, as often as asked
// for, on a tree that is made before. See Tests/Process/Benchmarks/callgrind.sh.

import ArgumentParser
import SeededRandom
import TraitEngine

enum HotPath: String, CaseIterable, ExpressibleByArgument {
    /// One trait at a node, by handle.
    case resolve
    /// All 42 traits at a node.
    case collect
    /// An identifier to its node.
    case find
    /// An override that notifies no registration, from opening the commit until it is acknowledged.
    case write
    /// The same for one that comes, and goes with the next commit.
    case toggle
    /// An override that notifies a thousand registrations.
    case tell

    /// Goes the path so many times on a wide tree of 10,000 nodes.
    func run(_ count: Int) throws {
        var random = SeededRandom(seed: 1)
        let plan = Tree.Plan(shape: .wide, nodes: 10_000, overridingPercent: self == .tell ? 0 : 30)
        let tree = try Tree(plan, &random)
        if self == .tell {
            try tree.register(at: random.distinct(1_000, below: 10_000)) { _ in
                [tree.traits.theme]
            }
        }
        // Once outside of what is counted: buffers grow, shortcuts are made.
        for isCounted in [false, true] {
            let passes = isCounted ? max(count, 0) : 10
            let reads = RandomReads(tree, count: passes, &random)
            switch self {
            case .resolve: Self.hotResolve(tree.hierarchy, reads, passes)
            case .collect: Self.hotCollect(tree, reads, passes)
            case .find: Self.hotFind(tree, passes)
            case .write, .tell: try Self.hotWrite(tree, passes)
            case .toggle: try Self.hotToggle(tree, passes)
            }
        }
    }

    @inline(never)
    private static func hotResolve(_ hierarchy: Hierarchy, _ reads: RandomReads, _ count: Int) {
        var sum: UInt64 = 0
        for position in 0..<count {
            sum &+= hierarchy.word(of: reads.trait(position), at: reads.node(position))
        }
        consume(sum)
    }

    @inline(never)
    private static func hotCollect(_ tree: Tree, _ reads: RandomReads, _ count: Int) {
        let (hierarchy, traits) = (tree.hierarchy, tree.traits.set)
        var sum: UInt64 = 0
        for position in 0..<count {
            hierarchy.words(of: traits, at: reads.node(position)) { _, word in sum &+= word }
        }
        consume(sum)
    }

    @inline(never)
    private static func hotFind(_ tree: Tree, _ count: Int) {
        let (hierarchy, names) = (tree.hierarchy, tree.names)
        var sum: UInt64 = 0
        for position in 0..<min(count, tree.nodes.count) {
            let node = hierarchy.node(names[position])
            sum &+= UInt64(truncatingIfNeeded: node?.rawValue ?? 0)
        }
        consume(sum)
    }

    @inline(never)
    private static func hotWrite(_ tree: Tree, _ count: Int) throws(OperationError) {
        let values = tree.traits.values[tree.traits.themePosition]
        for number in 0..<count {
            _ = try tree.hierarchy.write(tree.root, tree.traits.theme, values[number & 1 + 1])
        }
    }

    /// Half of the passes set the override, half remove it.
    @inline(never)
    private static func hotToggle(_ tree: Tree, _ count: Int) throws(OperationError) {
        let value = tree.traits.values[tree.traits.themePosition][3]
        for number in 0..<count {
            if number & 1 == 0 {
                _ = tree.hierarchy.remove(tree.root, tree.traits.theme)
            } else {
                _ = try tree.hierarchy.write(tree.root, tree.traits.theme, value)
            }
        }
    }
}
