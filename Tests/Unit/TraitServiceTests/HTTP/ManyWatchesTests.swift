// Watches of so many traits that making them takes long: a thread makes them, and the shard serves others
// at the same time. What comes of them is what comes of few.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Watches of many traits")
struct ManyWatchesTests {
    private static let count = 100
    /// All names together are longer than a body that is parsed on the shard.
    private static let names = ["level"] + (0..<59).map { "traitWithALongerName\($0)" }

    /// A session in which 100 watches of all traits have 8,200 of them.
    private static func server(opens: Bool = true) throws -> LongWriteServer {
        let server = try LongWriteServer(count)
        for name in names.dropFirst() {
            try server.session.put("traits/\(name)", ["type": "int", "default": 0])
        }
        if opens { server.gate.open() }
        return server
    }

    private static func watches(_ traits: [String]) -> JSON {
        .array(
            (0..<count).map {
                ["node": .string("n\($0)"), "traits": .array(traits.map(JSON.string))]
            })
    }

    /// A short body and a long one.
    private static let bodies = [["all"], names].map { JSON.object(["watches": watches($0)]) }

    @Test("The shard serves others while a thread makes them, and requests of the session wait")
    func beside() throws {
        for body in Self.bodies {
            let server = try Self.server(opens: false)
            let other = try SessionClient.make("other", on: server.url)
            let page = try server.start("POST", "events?wait=0&limit=1000", body)
            try server.gate.wait()
            try other.put("nodes/n", ["kind": "environment"])
            #expect(try other.client.get("/livez").status == 200)
            let write = try server.start("PUT", "nodes/root/overrides/level", ["value": 5])
            server.waitForQueued(1)
            let read = try server.start("GET", "nodes/n3/traits/level")
            server.waitForWaiting(1)
            #expect(!page.isAnswered && !write.isAnswered && !read.isAnswered)
            server.gate.open()
            let answer = try page.response().expecting(200)
            let revision = try #require(answer.revision)
            #expect(try write.response().success().revision == revision + 1)
            try read.response().expecting(200)
            // The watches were there before the write, which the page may have already.
            var changes = try answer.json["records"]?.array ?? []
            if changes.isEmpty {
                let from = try #require(answer.json["next"]?.string)
                changes =
                    try server.session.send("POST", "events?wait=0&limit=1000&from=\(from)", body)
                    .expecting(200).json["records"]?.array ?? []
            }
            #expect(changes.map { $0["node"]?.string } == (0..<Self.count).map { "n\($0)" })
            #expect(changes.allSatisfy { $0["changes"]?[0]?["current"] == 5 })
        }
    }

    @Test("Their state, their changes and a poll that waits are those of watches one by one")
    func same() throws {
        let server = try Self.server()
        for body in Self.bodies {
            let stream = try EventStream(
                server.session.url("events?initial=true"), method: "POST",
                fields: [HTTPField("Content-Type", "application/json")], body: Array(body.text.utf8)
            )
            let state = try stream.collect { $0.type == "sync" }
            #expect(
                state.map(\.type) == ["begin"] + Array(repeating: "state", count: 100) + ["sync"])
            let traits = body == Self.bodies[0] ? "all" : Self.names.joined(separator: ",")
            let alone = try server.session.stream("nodes/n7/events?initial=true&traits=" + traits)
            #expect(
                try state[8].json["traits"] == alone.collect { $0.type == "sync" }[1].json["traits"]
            )
            let poll = try server.start("POST", "events?wait=20s&limit=1000", body)
            let deadline = Deadline(within: .seconds(30))
            while try server.session.get("stats").json["streams"] != 3 {
                if deadline.hasPassed { throw TimedOut("the poll") }
            }
            let value = try server.session.revision()
            try server.session.override("level", at: "root", .int(value))
            #expect(
                try stream.next(100).allSatisfy {
                    $0.json["changes"]?[0]?["current"]?.int == value
                })
            #expect(try poll.response().expecting(200).json["records"]?.array?.count == 100)
        }
    }

    @Test("What is wrong with them is told as of few, with the place in the body")
    func refused() throws {
        let server = try Self.server()
        func refusal(_ body: JSON, _ status: Int, _ code: String, query: String = "?wait=0") throws
            -> JSON
        {
            try expectProblem(
                try server.session.send("POST", "events" + query, body), status, code)
        }
        for body in Self.bodies {
            var watches = body["watches"]?.array ?? []
            watches[7] = ["node": "lost", "traits": ["level"]]
            #expect(
                try refusal(["watches": .array(watches)], 422, "unknown-node")["pointer"]
                    == "/watches/7/node")
            watches[7] = ["node": "n7", "traits": ["lost"]]
            let unknown = try refusal(["watches": .array(watches)], 422, "unknown-trait")
            #expect(unknown["pointer"]?.string?.hasPrefix("/watches/7/traits") == true)
            _ = try refusal(["watches": .array(watches), "more": 1], 400, "unknown-member")
            _ = try refusal(body, 400, "malformed-token", query: "?wait=0&from=nonsense")
            let gone = try refusal(
                body, 410, "session-replaced", query: "?wait=0&from=aaaaaaaaaaaa.1")
            #expect(gone["restart"]?.string?.contains("initial=true") == true)
        }
        let lost = try SessionClient("lost", on: server.url)
        for body in Self.bodies {
            try expectProblem(
                try lost.send("POST", "events?wait=0", body), 404, "unknown-session")
        }
    }

    @Test("A session that ends before they are made ends them")
    func ended() throws {
        let server = try Self.server(opens: false)
        let write = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        let end = try server.start("DELETE", "")
        server.waitForQueued(1)
        let page = try server.start("POST", "events?wait=0", Self.bodies[0])
        server.waitForQueued(2)
        server.gate.open()
        #expect(try write.response().status == 404)
        try end.response().success()
        #expect(try page.response().status == 404)
    }
}
