// Requests for commits that are no longer retained. With a small window,
// which the command cannot be given.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("The retained window")
struct RetentionTests {
    private static func service() throws -> InProcessService {
        var limits = ServiceLimits()
        limits.retainedCommitsMax = 20
        return try InProcessService(limits: limits)
    }

    @Test("A reader behind the window gets a refusal with the path to start again")
    func fallsOut() throws {
        let service = try Self.service()
        let session = try SessionClient.textual("slow", on: service.url)
        let slow = try StalledReader(
            port: service.port, target: session.target("registrations/r/events"))
        // Far more than the sockets' and the server's own buffers hold.
        let head = try session.writeTexts(250, bytes: 16_000)
        let bytes = try slow.readOn(to: #""type":"end""#)
        #expect(bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        let records = try StalledReader.records(in: bytes)
        #expect(records.last?["type"] == "end")
        #expect(records.last?["reason"] == "slowConsumer")
        #expect(records.last?["resume"] == true)
        #expect(records.last?["revision"]?.int ?? .max < head ?? 0)
        let numbers = records.compactMap {
            $0["changes"]?[0]?["current"]?.string?.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(numbers == Array(0..<numbers.count), "what it got has no gap")
        // Going on where it ended is no longer possible, and the answer says what is.
        let token = records.last?["token"]?.string ?? ""
        let gone = try session.get("registrations/r/events?from=\(token)")
        let problem = try expectProblem(gone, 410, "history-gone")
        #expect(problem["currentRevision"]?.int == head)
        let restart = try #require(problem["restart"]?.string)
        let fresh = try EventStream(service.url + restart)
        #expect(try fresh.collect { $0.type == "sync" }.map(\.type) == ["begin", "state", "sync"])
    }

    @Test("The oldest retained revision is where start begins, and nothing older is served")
    func oldest() throws {
        let service = try Self.service()
        let session = try SessionClient.sample("window", on: service.url)
        for round in 0..<50 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
        }
        let head = try session.revision()
        let begin = try session.stream("events?from=start").next()
        let oldest = try #require(begin.json["oldestRevision"]?.int)
        #expect(oldest == head - 19)
        #expect(begin.revision == oldest - 1)
        let shown = try session.get("").success().json
        #expect(shown["oldestRevision"]?.int == oldest)
        let commits = try session.get("history?pageSize=100").success().json["commits"]
        #expect(shown["oldestTime"] != nil && shown["oldestTime"] == commits?.array?.last?["time"])
        let page = try session.get("events?wait=0&limit=1000&from=start").json
        let told = (page["records"]?.array ?? []).map { $0["revision"]?.int }
        #expect(told == Array(oldest...head))
        #expect(try session.get("events?wait=0&from=\(oldest - 1)").status == 200)
        for from in ["0", "1", "\(oldest - 2)"] {
            let gone = try session.get("events?wait=0&from=\(from)")
            let problem = try expectProblem(gone, 410, "history-gone")
            #expect(problem["oldestRevision"]?.int == oldest)
        }
    }

    @Test("A stream of registrations carries no change of one that ended before another was made")
    func successor() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("successor", on: service.url)
        func register(_ id: String, _ trait: String) throws {
            try session.put("registrations/\(id)", ["node": "cell0", "traits": [.string(trait)]])
        }
        try register("first", "displayScale")
        try register("ended", "theme")
        let start = try session.revision()
        try session.override("theme", at: "scene", "bold")
        try session.delete("registrations/ended")
        try register("later", "theme")
        try session.override("theme", at: "scene", "pastel")
        let page = try session.get(
            "events?registrations=first,later&wait=0&from=\(start)"
        ).success().json
        let told = page["records"]?.array?.compactMap { $0["changes"]?[0]?["current"] }
        #expect(told == ["pastel"])
    }

    @Test("A session that was made larger than the window starts its history after its creation")
    func largeCreation() throws {
        var limits = ServiceLimits()
        limits.retainedBytesMax = 100_000
        let service = try InProcessService(limits: limits)
        let nodes = (0..<5_000).map { number -> JSON in
            let parent: JSON = number == 0 ? nil : .string("node-\((number - 1) / 10)")
            return ["id": .string("node-\(number)"), "kind": "environment", "parent": parent]
        }
        let session = try SessionClient.make("large", on: service.url, ["nodes": .array(nodes)])
        #expect(try session.get("").json["nodes"] == 5_000)
        let gone = try session.get("events?wait=0&from=0")
        #expect(try expectProblem(gone, 410, "history-gone")["oldestRevision"] == 2)
        let stream = try session.stream("events?from=start&operations=true")
        #expect(try stream.next().json["oldestRevision"] == 2)
        try session.override("displayScale", at: "node-4999", 3)
        let commit = try stream.next()
        #expect(commit.revision == 2)
        #expect(commit.json["operations"]?.array?.count == 1)
        // What is smaller stays whole.
        let small = try SessionClient.make("small", on: service.url, ["nodes": [nodes[0]]])
        let page = try small.get("events?wait=0&from=0&operations=true").json
        #expect(page["records"]?[0]?["operations"]?.array?.count == 1)
    }

    @Test("A stream that keeps up is not ended by the window moving on")
    func keepsUp() throws {
        let service = try Self.service()
        let session = try SessionClient.sample("window", on: service.url)
        let stream = try session.stream("events")
        let start = try stream.next().revision ?? 0
        for round in 0..<200 {
            let scale = JSON.int(Int64(round + 1))
            let revision = try session.override("displayScale", at: "scene", scale).revision
            #expect(try stream.next().revision == revision)
        }
        #expect(try session.revision() == start + 200)
    }
}
