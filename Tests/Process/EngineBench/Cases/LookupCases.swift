// From an identifier to its node, and from a node to why it has a value.

import TraitEngine

enum Lookups: BenchCase {
    static let name = "lookup"
    static let measures = ["lookup.isolated", "lookup.overlapping", "lookup.missing"]

    static func run(_ bench: Bench) throws {
        for bytes in [8, 24] {
            for size in bench.settings.sizes {
                var random = bench.random(7)
                let plan = Tree.Plan(
                    shape: .wide, nodes: size, identifierBytes: bytes, spareNames: 1_000)
                let tree = try Tree(plan, &random)
                measureLookups(tree, Subject(.wide, nodes: size, "\(bytes) bytes"), bench)
            }
        }
    }

    private static func measureLookups(_ tree: Tree, _ subject: Subject, _ bench: Bench) {
        var random = bench.random(8)
        let (hierarchy, ticks) = (tree.hierarchy, bench.ticks)
        let (count, rounds) = (bench.settings.readCount, bench.settings.repetitions(31))
        // A request brings its identifier along; so these lie side by side, copied.
        let known = QueriedNames(
            tree.names, (0..<count * (rounds + 1)).map { _ in random.below(subject.nodes) })
        let unknown = QueriedNames(
            tree.names, (0..<count * (rounds + 1)).map { _ in subject.nodes + random.below(1_000) })
        func range(_ round: Int) -> Range<Int> { round * count..<(round + 1) * count }
        let isolated = bench.repeatedWarm(31) {
            ticks.isolated(range($0)) { lookUp(hierarchy, known[$0]) }
        }
        let overlapping = bench.repeatedWarm(31) {
            ticks.overlapping(range($0)) { lookUp(hierarchy, known[$0]) }
        }
        let missing = bench.repeatedWarm(31) {
            ticks.isolated(range($0)) { lookUp(hierarchy, unknown[$0]) }
        }
        for (name, values) in zip(measures, [isolated, overlapping, missing]) {
            bench.record(name, subject, .nanoseconds, values)
        }
    }

    @inline(__always)
    private static func lookUp(_ hierarchy: Hierarchy, _ name: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(truncatingIfNeeded: hierarchy.node(name)?.rawValue ?? -1)
    }

}

enum Explanations: BenchCase {
    static let name = "explain"
    static let measures = ["explain"]

    static func run(_ bench: Bench) throws {
        for shape in [Shape.wide, .chain] where bench.settings.shapes.contains(shape) {
            let size = shape == .chain ? bench.settings.chainDepth : bench.settings.largest
            for percent in bench.settings.overridingPercents {
                var random = bench.random(9)
                let tree = try Tree(
                    Tree.Plan(shape: shape, nodes: size, overridingPercent: percent), &random)
                let times = bench.repeated(501) { _ in
                    let node = tree.nodes[random.below(size)]
                    var count = 0
                    let elapsed = bench.ticks.time {
                        count = tree.hierarchy.chain(of: tree.traits.theme, at: node).count
                    }
                    consume(UInt64(count))
                    return elapsed
                }
                bench.record(
                    "explain", Subject(shape, nodes: size, overridingPercent: percent),
                    .nanoseconds, times)
            }
        }
    }
}

/// Identifiers in the order in which they are asked for.
private final class QueriedNames {
    private let width: Int
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ names: NodeNames, _ numbers: [Int]) {
        width = names.width
        bytes = .allocate(byteCount: max(1, width * numbers.count), alignment: 8)
        for (position, number) in numbers.enumerated() {
            UnsafeMutableRawBufferPointer(
                rebasing: bytes[position * width..<(position + 1) * width]
            )
            .copyMemory(from: names[number])
        }
    }

    deinit { bytes.deallocate() }

    @inline(__always)
    subscript(position: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: bytes.baseAddress.map { $0 + position &* width }, count: width)
    }
}
