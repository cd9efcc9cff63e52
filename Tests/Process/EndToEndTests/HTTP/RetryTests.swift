// `Idempotency-Key` against the real binary: a repeated request is done once, even if the first answer never
// arrived, or the server was killed in between.

import Foundation
import TestSupport
import Testing

@Suite("Requests that are sent again")
struct RetryTests {
    private static func key(_ text: String) -> [HTTPField] { [HTTPField("Idempotency-Key", text)] }

    @Test("A repeated creation is replayed with the same name, and creates one node")
    func createsOnce() throws {
        let session = try sampleSession("retry")
        let body: JSON = ["kind": "environment"]
        let first = try session.send("POST", "nodes", body, fields: Self.key("k-1")).expecting(201)
        #expect(first["Idempotency-Replayed"] == nil)
        let before = try session.revision()
        for spelling in ["k-1", "\"k-1\""] {
            let again = try session.send("POST", "nodes", body, fields: Self.key(spelling))
                .expecting(201)
            #expect(again["Idempotency-Replayed"] == "true")
            #expect(again.body == first.body)
            #expect(again["Location"] == first["Location"])
        }
        #expect(try session.revision() == before)
        // A request with another key creates another node.
        let other = try session.send("POST", "nodes", body, fields: Self.key("k-2")).expecting(201)
        #expect(other["Location"] != first["Location"])
        #expect(try session.revision() == before + 1)
    }

    @Test("Each kind of write is replayed with its status, `Prefer` included")
    func everyMethod() throws {
        let session = try sampleSession("retry")
        let writes: [(String, String, JSON?, Int)] = [
            ("PUT", "nodes/fresh", ["kind": "environment"], 201),
            ("PATCH", "nodes/fresh", ["label": "x"], 200),
            ("PUT", "nodes/fresh/overrides/userInterfaceStyle", ["value": "dark"], 200),
            ("POST", "registrations", ["node": "fresh", "traits": ["userInterfaceStyle"]], 201),
            (
                "POST", "transactions?changes=true",
                ["operations": [.removeOverride("userInterfaceStyle", at: "fresh")]], 200
            ),
            ("DELETE", "nodes/fresh", nil, 200),
        ]
        var firsts: [HTTPResponse] = []
        for (number, write) in writes.enumerated() {
            firsts.append(
                try session.send(write.0, write.1, write.2, fields: Self.key("w\(number)"))
                    .expecting(write.3))
        }
        let end = try session.revision()
        for (number, write) in writes.enumerated() {
            let again = try session.send(write.0, write.1, write.2, fields: Self.key("w\(number)"))
                .expecting(write.3)
            #expect(again["Idempotency-Replayed"] == "true")
            #expect(again.body == firsts[number].body)
            #expect(again["Location"] == firsts[number]["Location"])
            let short = Self.key("w\(number)") + [HTTPField("Prefer", "return=minimal")]
            let minimal = try session.send(write.0, write.1, write.2, fields: short).expecting(204)
            #expect(minimal["Idempotency-Replayed"] == "true" && minimal.body.isEmpty)
        }
        #expect(try session.revision() == end)
    }

    @Test("Requests without a commit are not recorded: dry runs, refusals, and unchanged writes")
    func nothingKept() throws {
        let session = try sampleSession("retry")
        let body: JSON = .node("n")
        try session.send("POST", "nodes?dryRun=true", body, fields: Self.key("dry")).expecting(201)
        try session.send("POST", "nodes?dryRun=true", body, fields: Self.key("dry")).expecting(201)
        let orphan: JSON = .node("n", in: "m")
        try expectProblem(
            try session.send("POST", "nodes", orphan, fields: Self.key("late")), 422,
            "unknown-parent")
        try session.put("nodes/m", ["kind": "environment"])
        let made = try session.send("POST", "nodes", orphan, fields: Self.key("late")).expecting(
            201)
        #expect(made["Idempotency-Replayed"] == nil)
        let value: JSON = ["value": "dark"]
        let target = "nodes/n/overrides/userInterfaceStyle"
        try session.put(target, value)
        let same = try session.send("PUT", target, value, fields: Self.key("same")).expecting(200)
        #expect(try same.json["unchanged"] == true)
        try session.delete(target)
        let set = try session.send("PUT", target, value, fields: Self.key("same")).expecting(200)
        #expect(try set.json["unchanged"] == nil && set["Idempotency-Replayed"] == nil)
    }

    @Test("A key stands for one method, target and body of one session")
    func reuse() throws {
        let session = try sampleSession("retry")
        let body: JSON = ["kind": "environment"]
        try session.send("PUT", "nodes/a", body, fields: Self.key("k")).expecting(201)
        let others: [(String, String, JSON?)] = [
            ("PUT", "nodes/a", ["kind": "environment", "label": "x"]), ("PUT", "nodes/b", body),
            ("PUT", "nodes/a?changes=true", body), ("DELETE", "nodes/a", nil),
        ]
        for (method, target, json) in others {
            try expectProblem(
                try session.send(method, target, json, fields: Self.key("k")), 422,
                "idempotency-key-reused")
        }
        let elsewhere = try sampleSession("retry")
        try elsewhere.send("PUT", "nodes/b", body, fields: Self.key("k")).expecting(201)
    }

    @Test("Malformed keys are refused, and nothing is changed")
    func malformed() throws {
        let session = try sampleSession("retry")
        let before = try session.revision()
        let long = String(repeating: "k", count: 256)
        let bad = ["\"", "\"a", "a\"b", "a b", "a,b", "\"a\\b\"", "\"\"", "é", long, "\"\(long)\""]
        for key in bad {
            try expectProblem(
                try session.send("POST", "nodes", ["kind": "view"], fields: Self.key(key)), 400,
                "malformed-idempotency-key")
        }
        try expectProblem(
            try session.send(
                "POST", "nodes", ["kind": "view"], fields: Self.key("a") + Self.key("a")), 400,
            "malformed-idempotency-key")
        #expect(try session.revision() == before)
        let good = [String(repeating: "k", count: 255), "\"a \\\" b\"", "x:/=?"]
        for key in good {
            try session.send("POST", "nodes", ["kind": "environment"], fields: Self.key(key))
                .expecting(201)
        }
    }

    @Test("A replayed write has the entity tag of its own commit, whatever came after it")
    func tags() throws {
        let session = try sampleSession("retry")
        func put(_ value: JSON, _ fields: [HTTPField]) throws -> HTTPResponse {
            try session.send(
                "PUT", "nodes/scene/overrides/displayScale", ["value": value], fields: fields
            ).expecting(200)
        }
        let key = Self.key("tag-\(UInt64.random(in: 0...(.max)))")
        let first = try put(5, key)
        let newer = try put(6, [])
        let again = try put(5, key)
        #expect(again["Idempotency-Replayed"] == "true" && again.body == first.body)
        #expect(again["ETag"] == first["ETag"] && first["ETag"] != newer["ETag"])
    }

    @Test("A repeated request with a long body, which the workers read, is replayed")
    func longBodies() throws {
        let session = try sampleSession("retry")
        let operations = (0..<3_000).map { number -> JSON in
            .createNode("n\(number)", "environment")
        }
        let body: JSON = ["operations": .array(operations)]
        let first = try session.send("POST", "transactions", body, fields: Self.key("long"))
            .expecting(200)
        let again = try session.send("POST", "transactions", body, fields: Self.key("long"))
            .expecting(200)
        #expect(again["Idempotency-Replayed"] == "true" && again.body == first.body)
    }

    @Test("After an answer that was cut off and a kill, the retry is replayed")
    func killed() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("retries-\(UInt64.random(in: 0...(.max)))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var server = try TraitdProcess(["--data-dir", folder])
        var client = try HTTPClient(server.url)
        try client.send("PUT", "/v1/sessions/s", json: [:]).expecting(201)
        for round in 0..<3 {
            // The answer is never read: the connection ends as soon as the commit is there.
            let cut = try RawConnection(port: server.port)
            let text = #"{"kind":"environment"}"#
            try cut.send(
                "POST /v1/sessions/s/nodes HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: n\(round)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            )
            let deadline = Deadline(within: .seconds(20))
            while try client.get("/v1/sessions/s").json["nodes"] != .int(Int64(round + 1)) {
                if deadline.hasPassed { throw TimedOut("the node") }
            }
            withExtendedLifetime(cut) {}
            server.child.signal(SIGKILL)
            _ = try server.child.waitForExit()
            server = try TraitdProcess(["--data-dir", folder])
            client = try HTTPClient(server.url)
            for known in 0...round {
                let again = try client.send(
                    HTTPRequest(
                        "POST", "/v1/sessions/s/nodes", text: text,
                        fields: Self.key("n\(known)"))
                ).expecting(201)
                #expect(again["Idempotency-Replayed"] == "true")
            }
            #expect(try client.get("/v1/sessions/s").json["nodes"] == .int(Int64(round + 1)))
        }
    }
}
