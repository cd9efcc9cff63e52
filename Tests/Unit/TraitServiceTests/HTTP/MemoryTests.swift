// A service whose process has as much memory as the test says: what is refused, and what never is.

import HTTPServer
import Ledger
import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("A budget of memory")
struct MemoryTests {
    /// A service, its ledger, and what the ledger takes for the process's memory.
    final class Server: Sendable {
        let ledger: MemoryLedger
        private let served: InProcessService
        var service: TraitService { served.service }
        var server: HTTPServer { served.server }
        var url: String { served.url }

        init(
            bytesMax: Int = 1_000_000_000, session: Int = 100, caller: Int = 100,
            limits: ServiceLimits = ServiceLimits(), log: (any SessionLog)? = nil
        ) throws {
            let resident = Box()
            box = resident
            ledger = MemoryLedger(
                bytesMax: bytesMax, sessionPercentMax: session, callerPercentMax: caller,
                measure: { resident.value.load(ordering: .relaxed) })
            var environment = SessionEnvironment.system
            environment.memory = ledger
            let service = TraitService(
                version: "test", shards: 2, limits: limits, environment: environment, log: log)
            served = try InProcessService(serving: service, shards: 2) { [ledger] in
                $0.memory = ledger
            }
        }

        final class Box: Sendable { let value = Atomic<Int>(0) }
        private let box: Box

        /// The process holds so many bytes from now on, which nothing has looked at yet.
        func grows(to bytes: Int) { box.value.store(bytes, ordering: .relaxed) }

        /// The process holds so many bytes from now on.
        func holds(_ bytes: Int) {
            box.value.store(bytes, ordering: .relaxed)
            ledger.measureNow()
        }
    }

    private static let text: JSON = ["type": "string", "default": ""]

    private static func expectFull(
        _ answer: HTTPResponse, _ limit: String, _ option: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let problem = try expectProblem(answer, 507, "memory-full")
        #expect(problem["limit"]?.string == limit, sourceLocation: sourceLocation)
        #expect(problem["option"]?.string == option, sourceLocation: sourceLocation)
        #expect(problem["value"]?.int ?? 0 > 0, sourceLocation: sourceLocation)
        #expect(problem["current"]?.int ?? 0 > 0, sourceLocation: sourceLocation)
        #expect(answer[header: "Retry-After"] == nil, sourceLocation: sourceLocation)
    }

    @Test("A full process refuses what adds; deleting, small reads, streams and health go on")
    func full() throws {
        let server = try Server()
        let session = try SessionClient.make("full", on: server.url, ["traits": ["t": Self.text]])
        try session.put("nodes/a", ["kind": "environment"])
        try session.put("nodes/b", ["kind": "environment", "parent": "a"])
        try session.override("t", at: "a", "x")
        try session.put("registrations/r", ["node": "b", "traits": ["t"]])
        #expect(try session.get("registrations/r/events?wait=0").status == 200)
        server.holds(1_000_000_000)
        let before = try session.state()
        for (method, rest, body) in [
            ("PUT", "nodes/c", ["kind": "environment"]),
            ("PUT", "nodes/b/overrides/t", ["value": "y"]),
            ("PATCH", "nodes/b", ["parent": nil]), ("POST", "nodes", ["kind": "view"]),
            ("PUT", "traits/u", Self.text), ("PATCH", "nodes/b/overrides", ["t": "z"]),
            ("PUT", "registrations/q", ["node": "a", "traits": ["t"]]),
            ("POST", "transactions", ["operations": [.createNode("d", "view")]]),
            ("PUT", "nodes/b/scopes/layoutSubviews", ["reads": ["t"]]),
        ] as [(String, String, JSON)] {
            let answer = try session.send(method, rest, body)
            try Self.expectFull(answer, "memoryBytesMax=1000000000", "--max-memory")
        }
        let session2 = try session.client.send("PUT", "/v1/sessions/another", json: [:])
        try Self.expectFull(session2, "memoryBytesMax=1000000000", "--max-memory")
        #expect(try session.state() == before)
        #expect(try session.client.get("/livez").status == 200)
        #expect(try session.client.get("/readyz").status == 200)
        #expect(try session.value(of: "t", at: "b") == "x")
        #expect(try session.get("registrations/r/events?wait=0").status == 200)
        // A filter that is there is one more listener; a new one would take memory.
        try expectProblem(
            try session.get("nodes/b/events?wait=0&traits=t"), 503, "out-of-memory")
        try session.delete("nodes/a/overrides/t")
        try session.transaction([.removeOverride("t", at: "a")])
        try session.delete("registrations/r")
        try session.delete("nodes/b")
        #expect(try session.client.send("DELETE", session.target("")).status == 200)
        server.holds(0)
        #expect(try session.client.send("PUT", "/v1/sessions/another", json: [:]).status == 201)
    }

    @Test("A transaction that deletes passes up to the operation that adds, whose place is named")
    func transaction() throws {
        let server = try Server()
        let session = try SessionClient.make("mixed", on: server.url)
        try session.put("nodes/a", ["kind": "environment"])
        server.holds(1_000_000_000)
        let answer = try session.send(
            "POST", "transactions",
            ["operations": [.deleteNode("a"), .createNode("b", "environment")]])
        let problem = try expectProblem(answer, 507, "memory-full")
        #expect(problem["pointer"] == "/operations/1")
        #expect(try session.get("nodes/a").status == 200)
    }

    @Test("A long read that has no room is refused before it begins; a short one is not")
    func longRead() throws {
        var limits = ServiceLimits()
        limits.inlineValuesMax = 10
        let server = try Server(limits: limits)
        let session = try SessionClient.make("long", on: server.url)
        let nodes: [JSON] = (0..<500).map {
            .createNode("n\($0)", "environment")
        }
        try session.transaction(nodes)
        let all: JSON = ["nodes": .array((0..<500).map { .string("n\($0)") })]
        #expect(try session.send("POST", "resolve", all).status == 200)
        server.holds(1_000_000_000)
        let answer = try session.send("POST", "resolve", all)
        let problem = try expectProblem(answer, 503, "out-of-memory")
        #expect(problem["limit"] == "memoryBytesMax=1000000000")
        #expect(problem["option"] == "--max-memory")
        #expect(answer[header: "Retry-After"] == "1")
        #expect(try session.get("nodes/n0/traits/displayScale").status == 200)
        server.holds(0)
        #expect(try session.send("POST", "resolve", all).status == 200)
        #expect(server.ledger.bytes < 100_000_000)
    }

    @Test("A commit whose hearers would take too much is undone")
    func hearers() throws {
        let server = try Server()
        let session = try SessionClient.make("heard", on: server.url)
        let traits = (0..<40).map { "t\($0)" }
        try session.transaction(traits.map { .defineTrait($0, Self.text) })
        try session.put("nodes/a", ["kind": "environment"])
        try session.put("nodes/b", ["kind": "environment"])
        try session.put("nodes/m", ["kind": "environment", "parent": "a"])
        try session.put(
            "registrations/r", ["node": "m", "traits": .array(traits.map { .string($0) })])
        for trait in traits {
            try session.override(trait, at: "b", .string(String(repeating: trait, count: 5_000)))
        }
        let revision = try session.revision()
        server.holds(999_900_000)
        // The request is small; what it makes heard is not, and shows in the process.
        server.grows(to: 1_000_500_000)
        let moved = try session.send("PATCH", "nodes/m", ["parent": "b"])
        try Self.expectFull(moved, "memoryBytesMax=1000000000", "--max-memory")
        #expect(try session.revision() == revision)
        #expect(try session.value(of: "t0", at: "m") == "")
        server.holds(0)
        #expect(try session.send("PATCH", "nodes/m", ["parent": "b"]).status == 200)
        #expect(try session.value(of: "t0", at: "m") != "")
    }

    @Test("One session may hold its share, and others go on")
    func sessionShare() throws {
        let server = try Server(bytesMax: 100_000_000, session: 2)
        let session = try SessionClient.make("share", on: server.url, ["traits": ["t": Self.text]])
        var last: HTTPResponse?
        for number in 0..<400 where last == nil {
            let value = JSON.string(String(repeating: "x", count: 16_000) + "\(number)")
            let answer = try session.send(
                "PUT", "nodes/n\(number)", ["kind": "environment", "overrides": ["t": value]])
            if answer.status != 201 { last = answer }
        }
        let refused = try #require(last)
        try Self.expectFull(
            refused, "sessionMemoryPercentMax=2000000", "--limit session-memory-percent-max")
        let other = try SessionClient.make("other", on: server.url)
        try other.put("nodes/a", ["kind": "environment"])
    }

    @Test("One caller's sessions may hold its share together, until one of them is deleted")
    func callerShare() throws {
        let server = try Server(bytesMax: 100_000_000, caller: 4)
        var sessions: [SessionClient] = []
        var refused: HTTPResponse?
        for number in 0..<20 where refused == nil {
            let session = try SessionClient("caller\(number)", on: server.url)
            let created = try session.client.send(
                "PUT", session.target(""), json: ["traits": ["t": Self.text]])
            if created.status != 201 {
                refused = created
                break
            }
            sessions.append(session)
            for node in 0..<25 {
                let value = JSON.string(String(repeating: "x", count: 16_000) + "\(node)")
                let answer = try session.send(
                    "PUT", "nodes/n\(node)", ["kind": "environment", "overrides": ["t": value]])
                if answer.status != 201 { refused = answer }
            }
            _ = server.service.store.countMemory()
        }
        let answer = try #require(refused)
        try Self.expectFull(
            answer, "callerMemoryPercentMax=4000000", "--limit caller-memory-percent-max")
        let first = try #require(sessions.first)
        let last = try #require(sessions.last)
        #expect(try first.client.send("DELETE", first.target("")).status == 200)
        try last.put("nodes/more", ["kind": "environment"])
    }

    @Test("What a log has is replayed though the process is full; what is new is refused")
    func replay() throws {
        let log = MemoryLog()
        let first = try Server(log: log)
        let session = try SessionClient.make("kept", on: first.url, ["traits": ["t": Self.text]])
        for number in 0..<300 {
            let value = JSON.string(String(repeating: "x", count: 5_000) + "\(number)")
            try session.put(
                "nodes/n\(number)", ["kind": "environment", "overrides": ["t": value]])
        }
        let second = try Server(session: 1, caller: 1, log: log)
        second.holds(1_000_000_000)
        let again = try SessionClient(session.name, on: second.url)
        #expect(try again.client.send("PUT", again.target(""), json: [:]).status == 200)
        // A page of a few: a long one is made from a snapshot, for which there is no room.
        #expect(
            try again.get("nodes?pageSize=9").expecting(200).json
                == session.get("nodes?pageSize=9").json)
        let refused = try again.send("PUT", "nodes/more", ["kind": "environment"])
        try Self.expectFull(refused, "memoryBytesMax=1000000000", "--max-memory")
    }

    @Test("Windows shrink on demand, and a token from before gets 410")
    func windows() throws {
        let server = try Server()
        let session = try SessionClient.make("window", on: server.url, ["traits": ["t": Self.text]])
        try session.put("nodes/a", ["kind": "environment"])
        let token = try session.get("events?from=start&wait=0&limit=1").json["records"]?.array?
            .first?["token"]?.string
        for number in 0..<100 {
            try session.override(
                "t", at: "a", .string(String(repeating: "\(number % 10)", count: 9_000)))
        }
        let bytes = try #require(try session.get("stats").json["retainedBytes"]?.int)
        #expect(bytes > 900_000)
        // The first call has a base made, from which the past goes on.
        let freed = server.service.shrinkWindows() + server.service.shrinkWindows()
        #expect(freed >= Int(bytes) / 2)
        let left = try #require(try session.get("stats").json["retainedBytes"]?.int)
        #expect(left <= bytes / 2)
        for _ in 0..<10 { _ = server.service.shrinkWindows() }
        let least = try #require(try session.get("stats").json["retainedBytes"]?.int)
        #expect(least <= 65_536)
        try expectProblem(
            try session.get("events?wait=0&from=\(try #require(token))"), 410, "history-gone")
    }

    @Test("What each part holds is shown, and the parts make up the total")
    func shown() throws {
        let server = try Server()
        let session = try SessionClient.make("shown", on: server.url, ["traits": ["t": Self.text]])
        for number in 0..<200 {
            try session.put(
                "nodes/n\(number)",
                [
                    "kind": "environment",
                    "overrides": ["t": .string(String(repeating: "v", count: 900) + "\(number)")],
                ])
        }
        server.ledger.setParts(server.service.store.countMemory())
        server.holds(123_456_789)
        let answer = try session.client.get("/v1/memory").expecting(200).json
        #expect(answer["memoryBytesMax"]?.int == 1_000_000_000)
        #expect(answer["residentBytes"]?.int == 123_456_789)
        let parts = try #require(answer["parts"]?.object)
        #expect(Set(parts.map(\.key)) == Set(MemoryPart.allCases.map(\.name)))
        let sum = parts.reduce(0) { $0 + ($1.value.int ?? 0) }
        #expect(answer["countedBytes"]?.int == sum)
        #expect(parts.first { $0.key == "values" }?.value.int ?? 0 > 180_000)
        #expect(parts.first { $0.key == "retainedCommits" }?.value.int ?? 0 > 180_000)
    }
}
