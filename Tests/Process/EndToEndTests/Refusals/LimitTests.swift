// Limits: each refusal names the limit and its value, and what is there stays.

import TestSupport
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("A tree is as deep as the limit, and no deeper")
    func depth() throws {
        let session = try SessionClient.make("deep", on: sharedServer().url)
        let chain = (0..<10_000).map { level in
            JSON.createNode("n\(level)", "environment", in: level == 0 ? nil : "n\(level - 1)")
        }
        try session.transaction(chain)
        try session.override("displayScale", at: "n0", 3)
        #expect(try session.value(of: "displayScale", at: "n9999") == 3)
        let before = try session.revision()
        let deeper = try session.send(
            "PUT", "nodes/deeper", ["kind": "environment", "parent": "n9999"])
        let problem = try expectProblem(deeper, 507, "quota")
        #expect(problem["limit"]?.string?.contains("10000") == true)
        #expect(try session.revision() == before)
        let last = try session.delete("nodes/n0").json
        #expect(last["revision"] == .int(before + 1))
        #expect(try session.get("").json["nodes"] == 0)
    }

    @Test("A session may be given narrower limits")
    func sessionLimits() throws {
        let limits: JSON = ["limits": ["nodesMax": 2]]
        let session = try SessionClient.make("narrow", on: sharedServer().url, limits)
        try session.put("nodes/a", ["kind": "environment"])
        try session.put("nodes/b", ["kind": "environment", "parent": "a"])
        let third = try session.send("PUT", "nodes/c", ["kind": "environment", "parent": "a"])
        let problem = try expectProblem(third, 507, "quota")
        #expect(problem["limit"] == "nodesMax=2")
        try session.put("", limits)
        let other = try session.send("PUT", "", ["limits": ["nodesMax": 3]])
        try expectProblem(other, 409, "session-differs")
    }

    @Test("Health is answered although all connections are taken, and nothing else is")
    func health() throws {
        let server = try TraitdProcess(["--limit", "connections-max=3"])
        let idle = try (0..<3).map { _ in try RawConnection(port: server.port) }
        for connection in idle {
            try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try connection.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n{") }
        }
        // Every request is on a connection of its own.
        for _ in 0..<10 {
            #expect(try HTTPClient(server.url).get("/livez").status == 200)
            #expect(try HTTPClient(server.url).get("/readyz").status == 200)
            for path in ["/version", "/v1/sessions", "/nothing", "/openapi.yaml"] {
                let answer = try HTTPClient(server.url).get(path)
                let problem = try expectProblem(answer, 503, "too-many-connections")
                #expect(problem["limit"] == "connectionsMax=3")
                #expect(answer[header: "Retry-After"] == "1")
            }
        }
        withExtendedLifetime(idle) {}
    }

    @Test("An answer that the server has no room for is a problem that says when to come back")
    func unsent() throws {
        let server = try TraitdProcess(["--limit", "unsent-bytes-max=65536"])
        let client = try HTTPClient(server.url)
        var request = HTTPRequest("GET", "/openapi.yaml")
        request.acceptsGzip = true
        let refused = try client.send(request)
        let problem = try expectProblem(refused, 503, "too-much-output")
        #expect(problem["limit"] == "unsentBytesMax=65536")
        #expect(refused[header: "Retry-After"] == "1")
        #expect(try client.get("/livez").status == 200)
    }

    @Test("A string value has a length that it may not exceed")
    func strings() throws {
        let session = try sampleSession("strings")
        try session.put("traits/text", ["type": "string", "default": ""])
        let longest = String(repeating: "é", count: 8_192)
        try session.override("text", at: "scene", .string(longest))
        #expect(try session.value(of: "text", at: "cell0") == .string(longest))
        let longer = try session.send(
            "PUT", "nodes/scene/overrides/text", ["value": .string(longest + "x")])
        #expect([422, 429].contains(longer.status))
        #expect(try longer.json["limit"]?.string?.contains("16384") == true)
    }

    @Test(
        "Text is kept byte for byte",
        arguments: [
            "", "\u{0}", "\"\\/\u{8}\u{c}\n\r\t", "e\u{301}", "é", "👩‍👩‍👧‍👦", "\u{2028}\u{FEFF}",
            "\u{10FFFF}",
        ])
    func text(_ text: String) throws {
        let session = try sampleSession("text")
        try session.put("traits/text", ["type": "string", "default": "d"])
        try session.override("text", at: "scene", .string(text))
        let value = try session.value(of: "text", at: "cell0")?.string
        #expect(value.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test("Equal is what has the same bytes: a composed letter is another value")
    func canonicalEquivalence() throws {
        let session = try sampleSession("letters")
        try session.put("traits/text", ["type": "string", "default": ""])
        try session.override("text", at: "scene", "\u{e9}")
        let other = try session.override("text", at: "scene", "e\u{301}")
        #expect(try other.json["unchanged"] == nil)
        let same = try session.override("text", at: "scene", "e\u{301}")
        #expect(try same.json["unchanged"] == true)
    }

    @Test(
        "Numbers keep every bit",
        arguments: [
            "9223372036854775807", "-9223372036854775808", "0", "-1",
        ])
    func integers(_ number: String) throws {
        let session = try sampleSession("integers")
        try session.put("traits/n", ["type": "int", "default": 5])
        let request = HTTPRequest(
            "PUT", session.target("nodes/scene/overrides/n"), text: #"{"value":\#(number)}"#)
        try session.client.send(request).expecting(200)
        #expect(try session.get("nodes/cell0/traits/n").text.contains(#""value":\#(number),"#))
    }

    @Test("A server may be given a smaller limit for bodies")
    func bodyLimit() throws {
        let server = try TraitdProcess(["--limit", "body-bytes-max=1024"])
        defer { server.child.stop() }
        let session = try SessionClient("small", on: server.url)
        let fits = HTTPRequest(
            "PUT", session.target(""), text: "{" + String(repeating: " ", count: 1_022) + "}")
        try session.client.send(fits).expecting(201)
        let large = HTTPRequest(
            "PUT", session.target(""), text: "{" + String(repeating: " ", count: 1_023) + "}")
        let problem = try expectProblem(try session.client.send(large), 413, "body-too-large")
        #expect(problem["limit"]?.string?.contains("1024") == true)
    }

    @Test("Silence on a stream is broken by bookmarks")
    func bookmarks() throws {
        let server = try TraitdProcess(["--limit", "heartbeat-seconds=1"])
        defer { server.child.stop() }
        let session = try SessionClient.sample("quiet", on: server.url)
        let streams = [
            try session.stream("events"),
            try session.stream("events", fields: [HTTPField("Accept", "text/event-stream")]),
        ]
        let head = try session.revision()
        for stream in streams {
            #expect(try stream.next().json["heartbeatMs"] == 1_000)
            let bookmark = try stream.next()
            #expect(bookmark.type == "bookmark")
            #expect(bookmark.revision == head)
            #expect(bookmark.json["lagMs"] == 0)
            let resumed = try session.stream("events?from=\(bookmark.token)")
            #expect(try resumed.next().revision == head)
        }
    }
}
