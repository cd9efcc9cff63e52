// Damaged texts: whatever is thrown at the reader, it answers, agrees with the reference, reads no
// byte too many, and never traps.

import GuardedBytes
import JSONCodec
import SeededRandom
import Testing

@Suite("Damaged texts")
struct MutationTests {
    @Test("random damage never traps and is judged as the reference does")
    func damage() throws {
        var random = SeededRandom.make("random damage")
        let tape = JSONTape(limits: JSONLimits(depthMax: 1_000))
        let originals = (AcceptedTexts.all + RefusedTexts.all + TruncationTests.texts)
            .map(\.bytes).filter { $0.count < 1_000 }
        for round in 0..<60_000 {
            var text = originals[Int.random(in: 0..<originals.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damage(&text, originals, &random)
            }
            let guarded = GuardedBytes(text)
            let result = tape.read(guarded.bytes)
            try #require(agrees(tape, text), "round \(round): \(text)")
            if case .success(let tree) = result {
                var writer = JSONWriter(capacity: 16)
                tree.write(to: &writer)
                try #require(try tape.read(writer.array()).get() == tree)
                exercise(tape, guarded.bytes)
            }
        }
    }

    private func damage(
        _ text: inout [UInt8], _ others: [[UInt8]], _ random: inout SeededRandom
    ) {
        let structural =
            Array("{}[],:\"\\0123456789.eE+-utrfn \u{0}".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]
        let at = Int.random(in: 0...text.count, using: &random)
        let byte = structural[Int.random(in: 0..<structural.count, using: &random)]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text.insert(byte, at: at)
        case 1 where at < text.count: text[at] = byte
        case 2 where at < text.count: text[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3 where at < text.count:
            text.removeSubrange(at..<min(text.count, at + Int.random(in: 1...4, using: &random)))
        case 4:
            let other = others[Int.random(in: 0..<others.count, using: &random)]
            let from = Int.random(in: 0...other.count, using: &random)
            text.insert(contentsOf: other[from...].prefix(20), at: at)
        default:
            let end = min(text.count, at + 12)
            text.insert(contentsOf: Array(text[at..<end]), at: at)
        }
    }

    /// Asks every value everything.
    private func exercise(_ tape: JSONTape, _ bytes: UnsafeRawBufferPointer) {
        func visit(_ value: JSONValue) {
            _ = value.int64
            _ = value.double
            _ = value.bool
            _ = value.string?.string
            _ = value.member("a")
            _ = value.pointer
            for element in value.elements { visit(element) }
            for (_, member) in value.members { visit(member) }
        }
        try? tape.withDocument(bytes) { visit($0) }
    }
}
