// Watches: streams of a node's traits that are no part of the session's state.

import TestSupport
import Testing

@Suite("Watches")
struct WatchTests {
    private static let path = "nodes/cell0/events?traits=theme"

    @Test("A watch makes no commit, is in no list and is not counted")
    func noState() throws {
        let session = try sampleSession("watch")
        let before = try session.state()
        let stream = try session.stream(Self.path)
        _ = try stream.next()
        #expect(try session.state() == before)
        let commit = try session.put(
            "nodes/scene/overrides/theme?changes=true", ["value": "bold"]
        ).json
        #expect(commit["notified"] == 0)
        #expect(commit["changes"] == [])
        let record = try stream.next()
        #expect(record.json["registration"] == nil)
        #expect(record.json["node"] == "cell0")
    }

    @Test("It hears of the traits it names, by key, identifier or set; of all when it names none")
    func traits() throws {
        let session = try sampleSession("traits")
        let queries = ["?traits=theme,displayScale", "?traits=com.myapp.theme", "?traits=all", ""]
        let streams = try queries.map { try session.stream("nodes/cell0/events" + $0) }
        for stream in streams { _ = try stream.next() }
        let scale = try session.override("displayScale", at: "window", 3).json["revision"]
        let theme = try session.override("theme", at: "scene", "bold").json["revision"]
        let told = try streams.map { try $0.collect { $0.json["revision"] == theme } }
        let heard = told.map { $0.map { $0.json["revision"] } }
        #expect(heard[0] == [scale, theme])
        #expect(heard[1] == [theme])
        #expect(heard[2] == [scale, theme])
        #expect(heard[3] == [scale, theme])
    }

    @Test("Watches of the same node and traits are one: their tokens are interchangeable")
    func shared() throws {
        let session = try sampleSession("shared")
        let first = try session.stream("nodes/cell0/events?traits=theme,displayScale")
        let begin = try first.next()
        let second = try session.stream("nodes/cell0/events?traits=displayScale,theme")
        _ = try second.next()
        try session.override("theme", at: "scene", "bold")
        let told = try [first, second].map { try $0.next() }
        #expect(told[0].text == told[1].text)
        let resumed = try session.stream(
            "nodes/cell0/events?traits=displayScale,theme&from=\(begin.token)")
        _ = try resumed.next()
        #expect(try resumed.next().text == told[0].text)
    }

    @Test("After its last stream is gone a token still resumes without a gap")
    func lingers() throws {
        let session = try sampleSession("lingers")
        let stream = try session.stream(Self.path)
        let token = try stream.next().token
        stream.close()
        let revision = try session.override("theme", at: "scene", "bold").json["revision"]
        try session.override("theme", at: "scene", "pastel")
        let resumed = try session.stream(Self.path + "&from=\(token)")
        #expect(try resumed.next().type == "begin")
        #expect(try resumed.next().json["revision"] == revision)
        #expect(try resumed.next().json["changes"]?[0]?["current"] == "pastel")
    }

    @Test("Nothing is known from before it was made, and it says how to start afresh")
    func before() throws {
        let session = try sampleSession("before")
        try session.override("theme", at: "scene", "bold")
        let gone = try session.get(Self.path + "&from=1")
        let problem = try expectProblem(gone, 410, "history-gone")
        #expect(problem["currentRevision"]?.int == (try session.revision()))
        let restart = try #require(problem["restart"]?.string)
        let stream = try EventStream(session.client.baseURL + restart)
        let records = try stream.collect { $0.type == "sync" }
        #expect(records.first { $0.type == "state" }?.json["traits"] == ["theme": "bold"])
    }

    @Test("Node and traits have to be there")
    func refused() throws {
        let session = try sampleSession("refused")
        try expectProblem(
            try session.get("nodes/lost/events?traits=theme"), 404, "unknown-node")
        let trait = try session.get("nodes/cell0/events?traits=theem")
        let problem = try expectProblem(trait, 422, "unknown-trait")
        #expect(problem["didYouMean"] == "theme")
        #expect(try session.get("nodes/cell0/events?traits=").status == 422)
    }
}
