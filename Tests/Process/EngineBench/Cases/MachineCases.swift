// What the machine itself takes for a random read: most figures of large trees are a small
// multiple of it, so two machines are compared by it first.

import CFence

enum MachineReads: BenchCase {
    static let name = "machine"
    static let measures = ["machine.read"]

    static func run(_ bench: Bench) throws {
        for mebibytes in bench.settings.isQuick ? [1] : [1, 4, 8, 16, 32, 64] {
            var random = bench.random(19)
            let bytes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: mebibytes << 20, alignment: 4_096)
            defer { bytes.deallocate() }
            bytes.initializeMemory(as: UInt8.self, repeating: 1)
            let count = bench.settings.readCount
            let places = (0..<count * 16).map { _ in random.below(bytes.count) }
            // The first rounds fill the caches with what they hold.
            let values = (0..<16).map { round in
                bench.awaitCore()
                return bench.ticks.isolated(round * count..<(round + 1) * count) {
                    UInt64(bytes[places[$0]])
                }
            }
            bench.record(
                "machine.read", Subject(nodes: 0, "a byte of \(mebibytes) MiB"), .nanoseconds,
                Array(values.dropFirst(5)))
        }
    }
}
