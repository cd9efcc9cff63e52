// Every deliberate end of a stream says why, and ends the answer properly.

import TestSupport
import Testing

@Suite("The end of a stream")
struct StreamEndTests {
    private func expectEnd(
        _ stream: EventStream, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> StreamRecord? {
        let (records, ending) = try stream.rest()
        #expect(ending == .complete, sourceLocation: sourceLocation)
        let end = records.last
        #expect(end?.type == "end", sourceLocation: sourceLocation)
        #expect(end?.reason == reason, "\(records)", sourceLocation: sourceLocation)
        #expect(end?.json["resume"] != nil, sourceLocation: sourceLocation)
        #expect(records.filter { $0.type == "end" }.count == 1, sourceLocation: sourceLocation)
        return end
    }

    @Test("Deleting a node ends its watches and its registration's streams")
    func nodeDeleted() throws {
        let story = try StreamStory("node")
        let watch = try story.session.stream("nodes/cell0/events?traits=theme")
        let registration = try story.session.stream("registrations/cell/events")
        let session = try story.session.stream("events")
        let revision = try story.session.delete("nodes/list").json["revision"]?.int
        _ = try expectEnd(watch, "nodeDeleted")
        _ = try expectEnd(registration, "nodeDeleted")
        let told = try session.collect(throughRevision: revision)
        #expect(told.last?.type == "commit", "the session's own stream goes on")
        let again = try story.session.override("theme", at: "scene", "bold").json["revision"]
        #expect(try session.next().json["revision"] == again)
    }

    @Test("Deleting a registration ends its stream and spares the others")
    func registrationRemoved() throws {
        let story = try StreamStory("registration")
        let removed = try story.session.stream("registrations/cell/events")
        let other = try story.session.stream("registrations/list/events")
        _ = try other.next()
        try story.session.delete("registrations/cell")
        _ = try expectEnd(removed, "registrationRemoved")
        try story.session.override("theme", at: "scene", "bold")
        #expect(try other.next().type == "change")
        try story.session.delete("registrations/cell").success()
    }

    @Test("Deleting a trait ends the watches that name it, and they never keep it from going")
    func traitDeleted() throws {
        let story = try StreamStory("trait")
        try story.session.put("traits/passing", ["type": "int", "default": 0])
        let watch = try story.session.stream("nodes/cell0/events?traits=passing,theme")
        let other = try story.session.stream("nodes/cell0/events?traits=theme")
        _ = try other.next()
        try story.session.delete("traits/passing")
        _ = try expectEnd(watch, "registrationRemoved")
        try story.session.override("theme", at: "scene", "bold")
        #expect(try other.next().type == "change")
    }

    @Test("What happened before the end is told before the end")
    func lastWords() throws {
        let story = try StreamStory("words")
        let stream = try story.session.stream("registrations/cell/events")
        _ = try stream.next()
        let commit = try story.session.override("theme", at: "scene", "bold").json
        try story.session.delete("registrations/cell")
        let (records, _) = try stream.rest()
        try #require(records.map(\.type) == ["change", "end"])
        #expect(records[0].json["revision"] == commit["revision"])
    }

    @Test("Deleting a session ends all its streams, and its waiting polls")
    func sessionDeleted() throws {
        let story = try StreamStory("session")
        let paths = [
            "events", "events?registrations=top", "registrations/cell/events",
            "nodes/cell0/events?traits=theme",
        ]
        let streams = try paths.map { try story.session.stream($0) }
        let answers = try concurrently(2) { role -> Int in
            let own = try story.session.another()
            guard role == 0 else { return try own.send("DELETE", "").status }
            // Answered one way or the other, long before its time is up.
            return try own.get("events?wait=30s&from=\(story.head)").status
        }
        #expect(answers[1] == 200)
        #expect([200, 404, 410].contains(answers[0]))
        for stream in streams { _ = try expectEnd(stream, "sessionDeleted") }
        try expectProblem(try story.session.get("events"), 404, "unknown-session")
    }
}
