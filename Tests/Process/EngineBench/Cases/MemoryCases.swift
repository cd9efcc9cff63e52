// What a node weighs: bytes in use as the engine counts them, and what the kernel says a fresh
// process has grown by, where nothing freed earlier can hide growth.

import SeededRandom
import TraitEngine

enum Memory: BenchCase {
    static let name = "memory"
    static let measures = ["memory.used", "memory.values", "memory.resident"]

    static func run(_ bench: Bench) throws {
        for shape in [Shape.wide, .random] where bench.settings.shapes.contains(shape) {
            for size in bench.settings.sizes where size >= 1_000 {
                for percent in bench.settings.overridingPercents {
                    let probe = MemoryProbe(
                        shape: shape, nodes: size, overridingPercent: percent,
                        seed: bench.settings.seed)
                    let subject = Subject(shape, nodes: size, overridingPercent: percent)
                    let found = try probe.measureInFreshProcess()
                    bench.record("memory.used", subject, .bytes, [found.used])
                    bench.record("memory.values", subject, .bytes, [found.values])
                    bench.record("memory.resident", subject, .bytes, [found.resident])
                }
            }
        }
    }
}

/// A tree whose memory is measured, as it is passed to another process.
struct MemoryProbe {
    var shape: Shape
    var nodes: Int
    var overridingPercent: Int
    var seed: UInt64

    /// Bytes a node.
    struct Finding {
        /// Nodes with their names and what finds them.
        var used: Double
        /// Values.
        var values: Double
        /// What the process grew by, with the slack of growth and values.
        var resident: Double
    }

    init(shape: Shape, nodes: Int, overridingPercent: Int, seed: UInt64) {
        self.shape = shape
        self.nodes = nodes
        self.overridingPercent = overridingPercent
        self.seed = seed
    }

    /// Reads what `argument` wrote; nil when it did not.
    init?(argument: String) {
        let parts = argument.split(separator: ",")
        guard parts.count == 4, let shape = Shape(rawValue: String(parts[0])),
            let nodes = Int(parts[1]), let percent = Int(parts[2]), let seed = UInt64(parts[3])
        else { return nil }
        self.init(shape: shape, nodes: nodes, overridingPercent: percent, seed: seed)
    }

    private var argument: String { "\(shape.rawValue),\(nodes),\(overridingPercent),\(seed)" }

    func measureInFreshProcess() throws -> Finding {
        let process = try ChildProcess("/proc/self/exe", ["--memory-probe", argument])
        let line = process.readLine() ?? ""
        let status = process.wait()
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        guard status == 0, numbers.count == 3 else {
            throw BenchError("the memory probe answered '\(line)' and status \(status)")
        }
        return Finding(used: numbers[0], values: numbers[1], resident: numbers[2])
    }

    /// In the fresh process: builds the tree and prints what it takes.
    func run() throws {
        var random = SeededRandom(seed: seed)
        let parents = shape.parents(nodes, &random)
        let names = NodeNames(nodes)
        var indices: [NodeIndex] = []
        indices.reserveCapacity(nodes)
        indices.append(contentsOf: repeatElement(NodeIndex(rawValue: 0), count: nodes))
        indices.removeAll(keepingCapacity: true)
        let before = ProcessMemory.residentBytes()
        let hierarchy = Hierarchy(hashSeed: 42)
        hierarchy.begin()
        let traits = try BenchTraits(in: hierarchy)
        hierarchy.finish()
        // A commit for a thousand nodes each: one for all would leave its undo log behind.
        for start in stride(from: 0, to: nodes, by: 1_000) {
            hierarchy.begin()
            for position in start..<min(start + 1_000, nodes) {
                let parent = parents[position]
                let node = try hierarchy.createNode(
                    names[position], kind: parent < 0 ? .environment : .view,
                    parent: parent < 0 ? nil : indices[Int(parent)])
                indices.append(node)
                if random.chance(overridingPercent) {
                    for _ in 0...random.below(2) {
                        let trait = random.below(traits.all.count - 1)
                        try hierarchy.setOverride(
                            node, traits.all[trait], traits.values[trait][1])
                    }
                }
            }
            hierarchy.finish()
        }
        let grown = ProcessMemory.residentBytes() - before
        let used = hierarchy.usedBytes
        let count = Double(nodes)
        print(
            Double(used.nodes) / count, Double(used.values) / count,
            Double(max(0, grown)) / count)
    }
}
