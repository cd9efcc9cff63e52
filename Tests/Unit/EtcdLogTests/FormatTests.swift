// Keys and values of the log by themselves, without etcd.

import SeededRandom
import SessionLog
import SessionLogTestSupport
import Testing

@testable import EtcdLog

@Suite("Forms of the log in etcd")
struct FormatTests {
    private let keys = Keys(prefix: "/p")

    @Test("Bytes of any number become base64 and come back")
    func base64() {
        #expect(Base64.encode(Array("foobar".utf8)) == Array("Zm9vYmFy".utf8))
        #expect(Base64.encode(Array("fooba".utf8)) == Array("Zm9vYmE=".utf8))
        #expect(Base64.encode([0xFB, 0xFF]) == Array("+/8=".utf8))
        var random = SeededRandom(seed: 1)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
            #expect(Base64.encode(bytes).withUnsafeBytes { Base64.decode($0) } == bytes)
        }
    }

    @Test(
        "Text that is no base64 is refused",
        arguments: ["A", "AAA", "A===", "=AAA", "AA=A", "ä", "AA-="])
    func noBase64(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { Base64.decode($0) } == nil)
    }

    @Test("Keys of rows are in the order of revisions and tell their place")
    func rowKeys() throws {
        let revisions: [Int64] = [1, 9, 10, 16, 255, 4_096, .max]
        let names = revisions.map { keys.row("uid", $0) }
        #expect(names == names.sorted())
        for (name, revision) in zip(names, revisions) {
            let place = try #require(keys.place(ofRow: name))
            #expect(place.uid == "uid" && place.last == revision)
        }
        for key in ["/p/log/", "/p/log/uid", "/p/log/uid/", "/p/log/uid/x", "/q/log/uid/1", ""] {
            #expect(keys.place(ofRow: key) == nil)
        }
        #expect(Keys.end(of: keys.rows) == "/p/log0")
    }

    @Test("Heads and lists of snapshots come back")
    func texts() throws {
        for name in ["mail", "a b", "", "deleted"] {
            for isDeleted in [false, true] {
                let head = Head(
                    revision: 7, checksum: .max, isDeleted: isDeleted, name: name)
                #expect(try Head(head.bytes) == head)
            }
        }
        var list = SnapshotList()
        #expect(try SnapshotList(list.bytes) == list)
        list.base = 4
        for revision in [5, 9] as [Int64] {
            list.snapshots.append(
                StoredSnapshot(
                    revision: revision, checksum: 1, bytes: 2, pieces: 1, tag: 3, check: .max))
        }
        #expect(try SnapshotList(list.bytes) == list)
        for text in [
            "", "x", "1", "0 0 live a", "1 g live a", "1 0 dead a", "-1 0 live a",
            "9223372036854775807 0 live a",
        ] {
            #expect(throws: LogFailure.self) { try Head(Array(text.utf8)) }
        }
        for text in [
            "", "1", "-1 0", "9223372036854775807 0", "1 0\n1", "1 0\n0 0 0 0 0 0",
            "1 0\n1 0 -1 0 0 0", "1 0\n1 0 9223372036854775807 1 0 0",
            "1 0\n1 0 1 9223372036854775807 0 0",
        ] {
            #expect(throws: LogFailure.self) { try SnapshotList(Array(text.utf8)) }
        }
    }

    @Test("Rows come back, plain, deflated and in pieces", arguments: [1, 40, 400, 60_000])
    func rows(count: Int) throws {
        let entries = ChainWriter(LogSession(name: "mail", uid: "uid")).entries(count)
        let (value, pieces) = Row.encode(entries, tag: 42, name: "mail")
        let row = try Row(value)
        #expect(row.tag == 42 && row.name == "mail")
        switch row.content {
        case .entries(let read): #expect(read.map(\.checksum) == entries.map(\.checksum))
        case .pieces(let count, let bytes):
            let content = pieces.flatMap { $0 }
            #expect(pieces.count == count && content.count == bytes)
            #expect(try Row.entries(in: content[...]).count == entries.count)
        }
        if count == 400 { #expect(value.count < entries.count * 30) }
    }

    @Test("A changed or cut row is damaged or unsupported, and never another one")
    func damagedRows() throws {
        var random = SeededRandom(seed: 3)
        let writer = ChainWriter(LogSession(name: "mail", uid: "uid"))
        for count in [1, 2, 200] {
            let entries = writer.entries(count)
            let value = Row.encode(entries, tag: 0, name: "mail").value
            for _ in 0..<2_000 {
                var damaged = value
                if random.chance(30) { damaged.removeLast(random.below(damaged.count) + 1) }
                if !damaged.isEmpty {
                    damaged[random.below(damaged.count)] ^= UInt8(1 << random.below(8))
                }
                guard let row = try? Row(damaged), case .entries(let read) = row.content else {
                    continue
                }
                // Only the tag and the name are not part of what is checked.
                #expect(read.map(\.checksum) == entries.map(\.checksum))
            }
        }
    }

    @Test("Lines of a watch come whole, however they are cut")
    func lines() throws {
        let text = Array("{\"a\":1}\n\n{\"b\":2}\n{\"c\"".utf8)
        for size in 1...text.count {
            let lines = WatchLines(lineBytesMax: 20)
            var found: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                try text[start..<min(start + size, text.count)].withUnsafeBytes {
                    try lines.add($0) { found.append(String(decoding: $0, as: UTF8.self)) }
                }
            }
            #expect(found == ["{\"a\":1}", "{\"b\":2}"])
        }
        let lines = WatchLines(lineBytesMax: 20)
        #expect(throws: EtcdFailure.self) {
            try [UInt8](repeating: 1, count: 21).withUnsafeBytes { try lines.add($0) { _ in } }
        }
    }

    @Test(
        "Answers that are none are failures",
        arguments: ["", "{", "[]x", "{\"kvs\":[{\"key\":\"?\"}]}"])
    func noAnswers(text: String) {
        #expect(throws: EtcdFailure.self) { try EtcdAnswer(Array(text.utf8)) }
    }

    @Test("Failures tell whether a request may have been carried out")
    func failures() {
        func kind(_ status: Int, _ json: String) -> EtcdFailure.Kind {
            EtcdAnswer.failure(status: status, Array(json.utf8)).kind
        }
        #expect(kind(503, #"{"error":"etcdserver: no leader","code":14}"#) == .unanswered)
        #expect(
            kind(429, #"{"message":"etcdserver: mvcc: database space exceeded","code":8}"#) == .full
        )
        #expect(kind(429, #"{"message":"etcdserver: too many requests","code":8}"#) == .busy)
        #expect(kind(400, #"{"message":"duplicate key given in txn","code":3}"#) == .refused)
        #expect(
            kind(400, #"{"message":"etcdserver: revision of auth store is old","code":3}"#)
                == .unauthenticated)
        #expect(kind(404, #"{"message":"requested lease not found","code":5}"#) == .leaseLost)
        #expect(kind(401, #"{"message":"invalid auth token","code":16}"#) == .unauthenticated)
        #expect(kind(502, "<html>") == .unanswered)
    }
}
