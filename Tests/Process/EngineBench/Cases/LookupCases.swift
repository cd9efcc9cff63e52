// From an identifier to its node.

import TraitEngine

enum Lookups: BenchCase {
    static let name = "lookup"
    static let measures = ["lookup.isolated"]

    static func run(_ bench: Bench) throws {
        for bytes in [8, 24] {
            for size in bench.settings.sizes {
                var random = bench.random(7)
                let plan = Tree.Plan(shape: .wide, nodes: size, identifierBytes: bytes)
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
        let times = bench.repeatedWarm(31) { round in
            ticks.isolated(round * count..<(round + 1) * count) {
                UInt64(truncatingIfNeeded: hierarchy.node(known[$0])?.rawValue ?? -1)
            }
        }
        bench.record("lookup.isolated", subject, .nanoseconds, times)
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
