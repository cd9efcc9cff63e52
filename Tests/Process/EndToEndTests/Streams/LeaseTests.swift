// Registrations with a ttl expire, unless a stream of them is open.

import TestSupport
import Testing

@Suite("Registrations with a ttl")
struct LeaseTests {
    @Test("A registration expires after its ttl, by a commit that the session's streams have")
    func ends() throws {
        let session = try sampleSession("lease")
        let stream = try session.stream("events")
        _ = try stream.next()
        try session.put(
            "registrations/r", ["node": "cell0", "traits": ["theme"], "ttl": 1])
        #expect(try session.get("registrations/r").json["ttl"] == 1)
        #expect(try stream.next().json["operations"]?["kinds"] == ["register": 1])
        let end = try stream.next()
        #expect(end.json["operations"]?["kinds"] == ["unregister": 1])
        #expect(end.json["cause"] == ["expired": true])
        try expectProblem(try session.get("registrations/r"), 404, "unknown-registration")
        // Its name is free again.
        try session.put(
            "registrations/r", ["node": "cell0", "traits": ["theme"], "ttl": 600])
    }

    @Test("A stream that names a registration keeps it; it expires after the stream has ended")
    func renewed() throws {
        let server = try TraitdProcess(["--limit", "heartbeat-seconds=1"])
        let session = try SessionClient.sample("renewed", on: server.url)
        try session.put("registrations/kept", ["node": "cell0", "traits": ["theme"], "ttl": 1])
        try session.put("registrations/lost", ["node": "cell0", "traits": ["theme"], "ttl": 1])
        let stream = try session.stream("events?registrations=kept")
        let all = try session.stream("events")
        func ending() throws -> Int64? {
            try all.collect { $0.json["operations"]?["kinds"] == ["unregister": 1] }.last?.revision
        }
        let first = try ending()
        try expectProblem(try session.get("registrations/lost"), 404, "unknown-registration")
        // Three bookmarks take longer than the ttl.
        for _ in 0..<3 { _ = try stream.collect { $0.type == "bookmark" } }
        #expect(try session.get("registrations/kept").status == 200)
        #expect(try session.revision() == first)
        stream.close()
        #expect(try ending() == first.map { $0 + 1 })
        try expectProblem(try session.get("registrations/kept"), 404, "unknown-registration")
    }

    @Test("PUT of the same makes no commit; another ttl is another registration")
    func put() throws {
        let session = try sampleSession("same")
        let body: JSON = ["node": "cell0", "traits": ["theme"], "ttl": 600]
        try session.put("registrations/r", body)
        let head = try session.revision()
        #expect(try session.put("registrations/r", body).json["unchanged"] == true)
        let other = try session.send("PUT", "registrations/r", body.with("ttl", 601))
        try expectProblem(other, 409, "exists")
        #expect(try session.revision() == head)
        for ttl in [0, -1, 604_801] as [JSON] {
            let answer = try session.send("PUT", "registrations/s", body.with("ttl", ttl))
            #expect(answer.status == 400)
            #expect(try answer.json["pointer"] == "/ttl")
        }
        try session.transaction([
            [
                "op": "register", "registration": "t", "node": "cell0", "traits": ["theme"],
                "ttl": 604_800,
            ]
        ])
        #expect(try session.get("registrations/t").json["ttl"] == 604_800)
    }
}
