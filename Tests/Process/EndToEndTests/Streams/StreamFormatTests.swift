// How streams look on the wire: NDJSON, server-sent events, the fields of the answer.

import Foundation
import TestSupport
import Testing

@Suite("The form of a stream")
struct StreamFormatTests {
    private static let events = [HTTPField("Accept", "text/event-stream")]

    @Test("NDJSON unless asked otherwise, never stored and never buffered")
    func lines() throws {
        let story = try StreamStory("lines")
        for accept in ["*/*", "application/x-ndjson", "application/json, application/x-ndjson"] {
            let stream = try story.session.stream(
                "events", fields: [HTTPField("Accept", accept)])
            #expect(stream.head["Content-Type"] == "application/x-ndjson")
            #expect(stream.head["Transfer-Encoding"] == "chunked")
            #expect(stream.head["Cache-Control"] == "no-store")
            #expect(stream.head["X-Accel-Buffering"] == "no")
            #expect(stream.head["Content-Length"] == nil)
            #expect(try stream.next().type == "begin")
        }
    }

    @Test("Server-sent events carry the same records, the token as id, the type as event")
    func serverSentEvents() throws {
        let story = try StreamStory("sse")
        let lines = try story.records("events", from: "\(story.start)")
        let stream = try story.session.stream("events?from=\(story.start)", fields: Self.events)
        #expect(stream.head["Content-Type"] == "text/event-stream")
        #expect(stream.head["Cache-Control"] == "no-store")
        let events = try stream.collect(throughRevision: story.head)
        #expect(events.map(\.json) == lines.map(\.json))
        for event in events {
            #expect(event.event?.id == event.token)
            #expect(event.event?.event == event.type)
        }
        #expect(events[0].event?.retry.flatMap { Int($0) } ?? 0 > 0)
    }

    @Test("A browser's reconnect with the last id goes on after it")
    func reconnect() throws {
        let story = try StreamStory("reconnect")
        let events = try story.records("events", from: "0")
        for index in [1, events.count - 2] {
            let stream = try story.session.stream(
                "events", fields: Self.events + [HTTPField("Last-Event-ID", events[index].token)])
            #expect(try stream.next().type == "begin")
            #expect(try stream.next().text == events[index + 1].text)
        }
    }

    @Test("A browser that reconnects to an initial state resumes, and loses nothing")
    func reconnectInitial() throws {
        let story = try StreamStory("initial")
        let path = "registrations/cell/events?initial=true"
        let stream = try story.session.stream(path, fields: Self.events)
        let initial = try stream.collect { $0.type == "sync" }
        stream.close()
        try story.session.override("theme", at: "scene", "bold")
        try story.session.override("theme", at: "scene", "pastel")
        // Before the state is whole there is no id to resume from: it starts over.
        for record in initial.dropLast() where record.event?.id?.isEmpty == false {
            let token = HTTPField("Last-Event-ID", record.event?.id ?? "")
            let again = try story.session.stream(path, fields: Self.events + [token])
            #expect(try again.collect { $0.type == "sync" }.map(\.type) == initial.map(\.type))
        }
        let last = HTTPField("Last-Event-ID", initial.last?.event?.id ?? "")
        let resumed = try story.session.stream(path, fields: Self.events + [last])
        let types = try resumed.next(3).map(\.type)
        #expect(types == ["begin", "change", "change"])
    }

    @Test("The streams of a session need an Accept that fits")
    func notAcceptable() throws {
        let session = try sampleSession("accept")
        let response = try session.send("GET", "events", fields: [HTTPField("Accept", "text/css")])
        try expectProblem(response, 406, "not-acceptable")
    }

    @Test("Commit records say what was done, in full when asked")
    func operations() throws {
        let session = try sampleSession("operations")
        let start = try session.revision()
        try session.override("theme", at: "scene", "bold")
        let head = try session.transaction([
            .setOverride("theme", at: "list", "pastel"), .setOverride("theme", at: "list", "bold"),
            .deleteNode("cell0"),
        ]).json["revision"]?.int
        let full = try session.stream("events?operations=true&from=\(start)")
        let commits = try full.collect(throughRevision: head).filter { $0.type == "commit" }
        #expect(
            commits.map { $0.json["operations"]?.array?.map { $0["op"] } } == [
                ["setOverride"], ["setOverride", "setOverride", "deleteNode"],
            ])
        let brief = try session.stream("events?from=\(start)")
        let counted = try brief.collect(throughRevision: head).filter { $0.type == "commit" }
        #expect(counted.map { $0.json["operations"]?["count"] } == [1, 3])
        for record in counted { #expect(record.json["time"]?.string?.hasSuffix("Z") == true) }
    }

    @Test("A pipelined request behind a stream is not answered inside it")
    func pipelined() throws {
        let session = try sampleSession("pipelined")
        let raw = try RawConnection(port: try sharedServer().port)
        try raw.send(
            "GET \(session.target("events")) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try raw.read { String(decoding: $0, as: UTF8.self).contains(#""begin""#) }
        try session.delete("")
        // The answer to the second request may come in the same breath, but never before the end.
        let rest = String(
            decoding: try raw.read {
                String(decoding: $0, as: UTF8.self).contains("\r\n0\r\n\r\n")
            },
            as: UTF8.self)
        let end = try #require(rest.range(of: "\r\n0\r\n\r\n"))
        #expect(rest[..<end.lowerBound].contains("sessionDeleted"))
        #expect(!rest[..<end.lowerBound].contains("HTTP/1.1"))
    }
}
