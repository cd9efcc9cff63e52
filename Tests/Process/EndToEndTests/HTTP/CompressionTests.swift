// gzip, both ways.

import TestSupport
import Testing

@Suite("gzip")
struct CompressionTests {
    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        try Gzip.compress(bytes)
    }

    @Test("Each coding has a tag of its own; 304 needs that of the coding to be sent, a write any")
    func tags() throws {
        let session = try sampleSession("tags")
        let gzip = HTTPField("Accept-Encoding", "gzip")
        for path in ["nodes/cell0/traits?explain=true", "traits"] {
            let plain = try #require(try session.get(path)[header: "ETag"])
            let packed = try #require(
                try session.send("GET", path, fields: [gzip])[header: "ETag"])
            #expect(packed == plain.dropLast() + "-gzip\"")
            for (tags, coding, status) in [
                (plain, [], 304), (packed, [gzip], 304), ("W/\(packed)", [gzip], 304),
                ("\(plain), \(packed)", [gzip], 304), ("\(packed), \(plain)", [], 304),
                ("*", [], 304), (packed, [], 200), ("W/\(packed)", [], 200), (plain, [gzip], 200),
            ] {
                let fields = coding + [HTTPField("If-None-Match", tags)]
                let answer = try session.send("GET", path, fields: fields)
                #expect(answer.status == status, "\(tags) \(coding)")
                #expect(answer[header: "Vary"] == "Accept-Encoding")
                #expect(answer[header: "ETag"] == (coding.isEmpty ? plain : packed))
            }
            let other = String(packed.dropLast()) + "x\""
            let whole = try session.send("GET", path, fields: [HTTPField("If-None-Match", other)])
            #expect(whole.status == 200)
            for tag in [plain, packed] {
                let written = try session.send(
                    "PUT", "nodes/scene/overrides/displayScale?dryRun=true", ["value": 2],
                    fields: [HTTPField("If-Match", tag)])
                #expect(written.status == 200)
            }
            for tag in ["W/\(plain)", String(plain.dropLast()) + "1\""] where path == "traits" {
                let refused = try session.send(
                    "PUT", "nodes/scene/overrides/displayScale", ["value": 2],
                    fields: [HTTPField("If-Match", tag)])
                #expect(refused.status == 412)
            }
        }
    }

    @Test("The limit is on what comes out, and rubbish is refused; the state stays")
    func refused() throws {
        let session = try sampleSession("bomb")
        let before = try session.state()
        let good = try Self.gzip(Array(#"{"value": 1}"#.utf8))
        let bomb = try Self.gzip(Array(repeating: UInt8(ascii: " "), count: 17 * 1_048_576))
        #expect(bomb.count < 100_000)
        let cases: [([UInt8], Int, String)] = [
            (bomb, 413, "body-too-large"), (Array(good.dropLast(5)), 400, "malformed-request"),
            (Array(#"{"value": 1}"#.utf8), 400, "malformed-request"),
            (good + [1, 2, 3], 400, "malformed-request"),
        ]
        for (bytes, status, code) in cases {
            let request = HTTPRequest(
                "PUT", session.target("nodes/scene/overrides/theme"),
                fields: [
                    HTTPField("Content-Type", "application/json"),
                    HTTPField("Content-Encoding", "gzip"),
                ], body: bytes)
            try expectProblem(try session.another().client.send(request), status, code)
        }
        #expect(try session.state() == before)
    }

    @Test("A stream is plain unless it is asked for otherwise")
    func streams() throws {
        let session = try sampleSession("stream")
        let stream = try session.stream(
            "events", fields: [HTTPField("Accept-Encoding", "gzip")])
        #expect(stream.head["Content-Encoding"] == nil)
        #expect(try stream.next().type == "begin")
    }
}
