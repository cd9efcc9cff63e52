// The bytes of an entry: read back as written, and refused when anything about them is wrong.

import Testing

@testable import SessionLog

@Suite("The stored form of entries")
struct StoredFormTests {
    static let entry = LogEntry(
        revision: 0x0102_0304_0506_0708, time: -2, payload: Array("{\"a\":1}".utf8),
        after: 0xfedc_ba98_7654_3210)

    private static func bytes(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        entry.encode(into: &bytes)
        return bytes
    }

    private static func read(_ bytes: [UInt8]) throws -> LogEntry {
        try bytes.withUnsafeBytes { try LogEntry(decoding: $0) }
    }

    private static func failure(_ bytes: [UInt8]) throws -> LogFailure.Kind {
        try #require(#expect(throws: LogFailure.self) { try read(bytes) }).kind
    }

    @Test("Entries of all lengths and extremes are read as they were written")
    func roundTrip() throws {
        for length in Array(0...70) + [4_096, 100_003] {
            for (kind, number) in [(LogEntry.Kind.commit, Int64.max), (.tombstone, .min)] {
                let entry = LogEntry(
                    revision: number, time: ~number, kind: kind,
                    payload: (0..<length).map { UInt8(truncatingIfNeeded: $0 * 13) },
                    after: UInt64(length) &* 0x9E37_79B9_7F4A_7C15)
                let bytes = Self.bytes(entry)
                #expect(bytes.count == entry.storedBytes)
                let read = try Self.read(bytes)
                #expect(read.revision == entry.revision && read.time == entry.time)
                #expect(read.kind == entry.kind && read.payload == entry.payload)
                #expect(read.previous == entry.previous && read.checksum == entry.checksum)
                #expect(read.follows(entry.previous))
            }
        }
    }

    @Test("An entry is appended to what is there, and read from any address")
    func appending() throws {
        for prefix in 0..<9 {
            var bytes = [UInt8](repeating: 0xAA, count: prefix)
            Self.entry.encode(into: &bytes)
            #expect(bytes.prefix(prefix).allSatisfy { $0 == 0xAA })
            let read = try bytes.withUnsafeBytes {
                try LogEntry(decoding: UnsafeRawBufferPointer(rebasing: $0[prefix...]))
            }
            #expect(read.checksum == Self.entry.checksum)
        }
    }

    @Test("Each flip of one bit is detected")
    func singleBits() throws {
        let whole = Self.bytes(Self.entry)
        for bit in 0..<whole.count * 8 {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            switch try Self.failure(bytes) {
            case .damaged: break
            case .unsupported(let version): #expect(bit / 8 == 3 && version != 1)
            default: Issue.record("bit \(bit) is not said to be damaged")
            }
        }
    }

    @Test("Each flip of two bits within one word is detected")
    func twoBits() throws {
        let whole = Self.bytes(Self.entry)
        for word in stride(from: 8, to: whole.count - 7, by: 8) {
            for first in 0..<64 {
                for second in 0..<first {
                    var bytes = whole
                    bytes[word + first / 8] ^= 1 << UInt8(first % 8)
                    bytes[word + second / 8] ^= 1 << UInt8(second % 8)
                    #expect(throws: LogFailure.self) { try Self.read(bytes) }
                }
            }
        }
    }

    @Test("An entry that ends early or has bytes behind it is damaged")
    func lengths() throws {
        let whole = Self.bytes(Self.entry)
        for count in 0..<whole.count {
            let kind = try Self.failure(Array(whole.prefix(count)))
            let isKnown = count >= LogEntry.storedOverheadBytes
            #expect(kind == .damaged(revision: isKnown ? Self.entry.revision : nil))
        }
        #expect(try Self.failure(whole + [0]) == .damaged(revision: Self.entry.revision))
        #expect(try Self.failure(whole + whole) == .damaged(revision: Self.entry.revision))
    }

    @Test("A form of a later release is told from damage")
    func laterVersion() throws {
        var bytes = Self.bytes(Self.entry)
        bytes[3] = 2
        #expect(try Self.failure(bytes) == .unsupported(version: 2))
        #expect(try Self.failure(Array(bytes.prefix(9))) == .unsupported(version: 2))
    }

    @Test("A kind that does not exist is damaged, even with the right checksum elsewhere")
    func kinds() throws {
        var bytes = Self.bytes(Self.entry)
        for kind in UInt8(2)...255 {
            bytes[4] = kind
            #expect(try Self.failure(bytes) == .damaged(revision: Self.entry.revision))
        }
    }
}
