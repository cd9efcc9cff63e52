// Entries as earlier releases stored them: every release reads all of them, and writes the newest
// form byte for byte as before.

import Foundation
import SessionLog
import Testing

@Suite("Entries of earlier releases")
struct EntryFixtureTests {
    struct Expected: Decodable {
        let file: String
        let revision: Int64
        let time: Int64
        let kind: String
        let payload: String
        let previous: String
        let checksum: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Support/Fixtures/entries")

    @Test("Version 1 is read with all its fields, and written the same", arguments: ["v1"])
    func version(_ version: String) throws {
        let folder = Self.folder.appending(path: version)
        let list = try Data(contentsOf: folder.appending(path: "entries.json"))
        let all = try JSONDecoder().decode([Expected].self, from: list)
        #expect(all.count == 5)
        var checksum: UInt64 = 0
        for expected in all {
            let stored = try Data(contentsOf: folder.appending(path: expected.file))
            let entry = try stored.withUnsafeBytes { try LogEntry(decoding: $0) }
            #expect(entry.revision == expected.revision && entry.time == expected.time)
            #expect(entry.kind == (expected.kind == "tombstone" ? .tombstone : .commit))
            #expect(Self.hexadecimal(entry.payload) == expected.payload)
            #expect(entry.previous == UInt64(expected.previous, radix: 16))
            #expect(entry.checksum == UInt64(expected.checksum, radix: 16))
            #expect(entry.follows(checksum))
            checksum = entry.checksum
            var written: [UInt8] = []
            entry.encode(into: &written)
            #expect(written == Array(stored))
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
