// Random documents, written and read again.

import JSONCodec
import JSONReference
import SeededRandom
import Testing

@Suite("Round trips")
struct RoundTripTests {
    @Test("a random document reads back as it was written")
    func documents() throws {
        var random = SeededRandom.make("random documents")
        let tape = JSONTape()
        var writer = JSONWriter()
        for round in 0..<2_000 {
            let tree = tree(depth: 5, &random)
            writer.reset()
            tree.write(to: &writer)
            let bytes = writer.array()
            try #require(try tape.read(bytes).get() == tree, "round \(round)")
            try #require(ReferenceReader.judge(bytes) == .accepted)
        }
    }

    private func tree(depth: Int, _ random: inout SeededRandom) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number("\(Int64(truncatingIfNeeded: random.next()))")
        case 3, 4: return .string(string(&random))
        case 5, 6:
            let count = Int.random(in: 0..<5, using: &random)
            return .array((0..<count).map { _ in tree(depth: depth - 1, &random) })
        default:
            let count = Int.random(in: 0..<24, using: &random)
            let members = (0..<count).map { position in
                JSONTree.Member(
                    key: Array("\(position)".utf8) + string(&random),
                    value: tree(depth: depth - 2, &random))
            }
            return .object(members)
        }
    }

    private func string(_ random: inout SeededRandom) -> [UInt8] {
        let parts = ["a", "bcdefghi", "\"", "\\", "\n", "\u{0}", "é", "€", "😀", " ", "/"]
        let count = Int.random(in: 0..<6, using: &random)
        return (0..<count).flatMap { _ in
            Array(parts[Int.random(in: 0..<parts.count, using: &random)].utf8)
        }
    }
}
