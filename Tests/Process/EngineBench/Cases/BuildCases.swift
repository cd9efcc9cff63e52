// How fast trees are built, and how long the longest single creation takes.

import TraitEngine

enum Builds: BenchCase {
    static let name = "build"
    static let measures = ["build"]

    static func run(_ bench: Bench) throws {
        for shape in bench.settings.shapes {
            for size in bench.settings.sizes(of: shape) where size >= 1_000 {
                var random = bench.random(1)
                let parents = shape.parents(size, &random)
                let names = NodeNames(size)
                let values = try bench.repeated(size > 100_000 ? 7 : 21) { _ in
                    try buildTime(parents, names, bench.ticks) / Double(size)
                }
                bench.record("build", Subject(shape, nodes: size), .nanoseconds, values)
            }
        }
    }

    /// All nodes in one commit, from opening it until it is acknowledged.
    private static func buildTime(
        _ parents: [Int32], _ names: NodeNames, _ ticks: Ticks
    ) throws -> Double {
        let hierarchy = Hierarchy(hashSeed: 42)
        var nodes: [NodeIndex] = []
        nodes.reserveCapacity(parents.count)
        return try ticks.time {
            hierarchy.begin()
            try Tree.makeNodes(parents, names, in: hierarchy, into: &nodes)
            hierarchy.finish()
        }
    }

}

enum Growth: BenchCase {
    static let name = "growth"
    static let measures = ["create.worst"]

    static func run(_ bench: Bench) throws {
        let size = bench.settings.largest
        let names = NodeNames(size)
        // What the machine does beside hits another creation each time; growth hits the same one.
        var least = [Double](repeating: .infinity, count: size)
        for _ in 0..<bench.settings.repetitions(5) {
            bench.awaitCore()
            let hierarchy = Hierarchy(hashSeed: 42)
            var parent: NodeIndex?
            for position in 0..<size {
                let elapsed = try bench.ticks.time {
                    hierarchy.begin()
                    let node = try hierarchy.createNode(
                        names[position], kind: .environment, parent: parent)
                    if parent == nil { parent = node }
                    hierarchy.finish()
                }
                least[position] = min(least[position], elapsed)
            }
        }
        let subject = Subject(.star, nodes: size, "a commit for each")
        bench.record(
            "create.worst", subject, .microseconds, [(least.max() ?? .nan) / 1_000])
    }
}
