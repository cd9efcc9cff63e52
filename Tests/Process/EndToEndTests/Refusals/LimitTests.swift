// Limits: each refusal names the limit and its value, and what is there stays.

import TestSupport
import Testing

@Suite("Limits")
struct LimitTests {
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
}
