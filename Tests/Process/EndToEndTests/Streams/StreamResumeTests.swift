// Resuming: from every record's token a stream goes on exactly after that record.

import TestSupport
import Testing

@Suite("Resuming a stream")
struct StreamResumeTests {
    static let paths = [
        "events", "events?operations=true", "events?registrations=top,cell",
        "registrations/list/events", "nodes/cell0/events?traits=theme",
    ]

    @Test(
        "From every token, parts of a revision included, nothing is lost or repeated",
        arguments: paths)
    func everyToken(path: String) throws {
        let story = try StreamStory("resume")
        // Keeps a watch alive and shared while its tokens are used.
        let live = try story.session.stream(path)
        defer { live.close() }
        let begin = try live.next()
        let head = try StreamStory.play(on: story.session)
        let all = [begin] + (try live.collect(throughRevision: head))
        #expect(Set(all.map(\.token)).count == all.count, "each record has a token of its own")
        for (index, record) in all.enumerated().dropLast() {
            let query = path + (path.contains("?") ? "&" : "?") + "from=\(record.token)"
            let resumed = try story.session.stream(query)
            let first = try resumed.next()
            #expect(first.type == "begin")
            let rest = try resumed.collect(throughRevision: head)
            #expect(rest.map(\.text) == all[(index + 1)...].map(\.text), "after \(record)")
            resumed.close()
        }
        let empty = try story.session.get(
            path + (path.contains("?") ? "&" : "?") + "wait=0&from=\(all[all.count - 1].token)")
        #expect(try empty.expecting(200).json["records"] == [])
    }

    @Test("Last-Event-ID does what from does, and wins over it")
    func lastEventID() throws {
        let story = try StreamStory("last")
        let all = try story.records("events", from: "start")
        let token = all[all.count - 3].token
        let field = [HTTPField("Last-Event-ID", token)]
        for path in ["events", "events?from=0"] {
            let stream = try story.session.stream(path, fields: field)
            let rest = try stream.collect(throughRevision: story.head).dropFirst()
            #expect(rest.map(\.text) == all.suffix(2).map(\.text), "\(path)")
        }
    }

    @Test("A browser that reconnects to an initial state resumes, and loses nothing")
    func reconnectInitial() throws {
        let story = try StreamStory("initial")
        let events = [HTTPField("Accept", "text/event-stream")]
        let path = "registrations/cell/events?initial=true"
        let stream = try story.session.stream(path, fields: events)
        let initial = try stream.collect { $0.type == "sync" }
        stream.close()
        try story.session.override("theme", at: "scene", "bold")
        try story.session.override("theme", at: "scene", "pastel")
        // Before the state is whole there is no id to resume from: it starts over.
        for record in initial.dropLast() where record.event?.id?.isEmpty == false {
            let token = HTTPField("Last-Event-ID", record.event?.id ?? "")
            let again = try story.session.stream(path, fields: events + [token])
            #expect(try again.collect { $0.type == "sync" }.map(\.type) == initial.map(\.type))
        }
        let last = HTTPField("Last-Event-ID", initial.last?.event?.id ?? "")
        let resumed = try story.session.stream(path, fields: events + [last])
        let types = try resumed.next(3).map(\.type)
        #expect(types == ["begin", "change", "change"])
    }

    @Test("Pages of any size tell what the stream tells", arguments: [1, 2, 3, 1_000])
    func pages(limit: Int) throws {
        let story = try StreamStory("pages")
        for path in ["events", "events?registrations=top,cell", "registrations/list/events"] {
            let streamed = try story.records(path, from: "0").dropFirst().map(\.json)
            #expect(try story.polled(path, from: "0", limit: limit) == streamed, "\(path)")
        }
    }

    @Test("A page's next may continue a stream, and a stream's token a page")
    func mixed() throws {
        let story = try StreamStory("mixed")
        let all = try story.records("events", from: "0").dropFirst()
        let page = try story.session.get("events?wait=0&limit=3&from=0").json
        let next = page["next"]?.string ?? ""
        let rest = try story.records("events", from: next).dropFirst()
        #expect(rest.map(\.text) == all.dropFirst(3).map(\.text))
        let polled = try story.polled("events", from: all.first?.token ?? "", limit: 100)
        #expect(polled == all.dropFirst().map(\.json))
    }
}
