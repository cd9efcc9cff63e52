// The records that streams share: each gets those of the commit that is next for it, or none.

import HTTPServer
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

struct EncodedRecordsTests {
    private static let lines = EncodedRecords.Key(
        format: .ndjson, withOperations: false, withDigest: false)

    private static func commit(
        _ revision: Int64, after: Int64, key: EncodedRecords.Key = lines, bytes: Int = 10
    ) -> EncodedRecords.Commit {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: bytes)
        return .init(
            key: key, after: after, revision: revision,
            records: bytes.withUnsafeBytes { SharedRecords($0) }, digestDelta: 0, writtenAt: 0,
            decidedAt: 0)
    }

    @Test("Only a stream to which nothing but the newest commit is left gets its records")
    func positions() {
        var encoded = EncodedRecords()
        encoded.happened(9)
        encoded.keep(Self.commit(9, after: 5))
        for position in Int64(0)...12 {
            let found = encoded.latest(Self.lines, after: position)
            #expect((found != nil) == (5..<9).contains(position), "after \(position)")
        }
    }

    @Test("A commit that is no longer the newest is not all that is left")
    func newest() {
        var encoded = EncodedRecords()
        #expect(encoded.latest(Self.lines, after: 0) == nil)
        encoded.happened(9)
        encoded.keep(Self.commit(9, after: 8))
        encoded.happened(10)
        #expect(encoded.latest(Self.lines, after: 8) == nil)
        #expect(encoded.latest(Self.lines, after: 9) == nil, "not written yet")
        encoded.keep(Self.commit(10, after: 9))
        #expect(encoded.latest(Self.lines, after: 9)?.revision == 10)
        #expect(encoded.latest(Self.lines, after: 8) == nil, "there is one in between")
    }

    @Test("Nothing is all that is left once the feed has ended")
    func ended() {
        var encoded = EncodedRecords()
        encoded.happened(9)
        encoded.keep(Self.commit(9, after: 8))
        encoded.end()
        #expect(encoded.latest(Self.lines, after: 8) == nil)
        #expect(encoded.records(Self.lines, of: 9, after: 8) != nil)
    }

    @Test("Formats and streams with operations do not get each other's")
    func keys() {
        let keys: [EncodedRecords.Key] = [
            .init(format: .ndjson, withOperations: false, withDigest: false),
            .init(format: .ndjson, withOperations: true, withDigest: false),
            .init(format: .serverSentEvents, withOperations: false, withDigest: false),
        ]
        var encoded = EncodedRecords()
        encoded.readers = 3
        encoded.happened(9)
        for (number, key) in keys.enumerated() {
            #expect(encoded.latest(key, after: 8) == nil)
            #expect(encoded.records(key, of: 9, after: 8) == nil)
            encoded.keep(Self.commit(9, after: 8, key: key, bytes: number + 1))
        }
        for (number, key) in keys.enumerated() {
            #expect(encoded.latest(key, after: 8)?.records.count == number + 1)
        }
    }

    @Test("A stream that comes from further back makes the records good for all from there on")
    func widens() {
        var encoded = EncodedRecords()
        encoded.happened(9)
        encoded.keep(Self.commit(9, after: 7))
        #expect(encoded.latest(Self.lines, after: 4) == nil)
        #expect(encoded.records(Self.lines, of: 9, after: 4) != nil)
        for position in Int64(4)..<9 {
            #expect(encoded.latest(Self.lines, after: position) != nil)
        }
    }

    @Test("As many are kept as streams may come for", arguments: [(0, 1), (1, 1), (3, 3), (99, 8)])
    func readers(count: Int, kept: Int) {
        var encoded = EncodedRecords()
        encoded.readers = count
        for revision in Int64(1)...20 { encoded.keep(Self.commit(revision, after: revision - 1)) }
        let found = (Int64(1)...20).filter {
            encoded.records(Self.lines, of: $0, after: $0 - 1) != nil
        }
        #expect(found == Array((21 - Int64(kept))...20))
    }

    @Test("A few are kept, and not one that is older than what is kept")
    func bounded() {
        var encoded = EncodedRecords()
        encoded.readers = 20
        for revision in Int64(1)...20 {
            encoded.happened(revision)
            encoded.keep(Self.commit(revision, after: revision - 1))
        }
        encoded.keep(Self.commit(3, after: 2))
        let kept = (Int64(1)...20).filter {
            encoded.records(Self.lines, of: $0, after: $0 - 1) != nil
        }
        #expect(kept == Array(13...20))
        encoded.happened(21)
        encoded.keep(Self.commit(21, after: 20, bytes: 1_000_000))
        #expect(encoded.records(Self.lines, of: 20, after: 19) == nil)
        #expect(encoded.latest(Self.lines, after: 20)?.records.count == 1_000_000)
    }
}
