// Values that are packed whole, and in pieces that are sent while the next ones are made.

import SessionLog
import Testing

@Suite("What is packed is unpacked again")
struct DeflateTests {
    /// Bytes that deflate well, and bytes that do not.
    static let samples: [[UInt8]] = [0, 1, 9, 10, 22, 23, 24, 4_096, 100_000].flatMap { count in
        [
            (0..<count).map { UInt8(truncatingIfNeeded: $0 % 7) },
            (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) },
        ]
    }

    @Test("pieces of any size join to what unpacks", arguments: [10, 11, 32, 4_096, 1_000_000])
    func pieces(size: Int) throws {
        for bytes in Self.samples {
            var pieces: [[UInt8]] = []
            try Deflate.pack(bytes, inPiecesOf: size) { pieces.append($0) }
            #expect(pieces.dropLast().allSatisfy { $0.count == size })
            #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= size })
            #expect(try Deflate.unpack(Array(pieces.joined())[...]) == bytes)
        }
    }

    @Test("a piece that is not taken ends the packing with its reason")
    func refused() {
        var taken = 0
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        #expect(throws: LogFailure.self) {
            try Deflate.pack(bytes, inPiecesOf: 64) { (_) throws(LogFailure) in
                taken += 1
                if taken == 3 { throw LogFailure(.unavailable, "the third") }
            }
        }
        #expect(taken == 3)
    }

    @Test("a missing piece behind the first is told as damage")
    func missing() throws {
        var pieces: [[UInt8]] = []
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        try Deflate.pack(bytes, inPiecesOf: 64) { pieces.append($0) }
        for index in pieces.indices.dropFirst() {
            var rest = pieces
            rest.remove(at: index)
            #expect(throws: LogFailure.self) { try Deflate.unpack(Array(rest.joined())[...]) }
        }
    }
}
