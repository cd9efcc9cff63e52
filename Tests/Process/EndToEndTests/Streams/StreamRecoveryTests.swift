// With resync=auto a stream is not refused where a new state helps: a `reset` record names the reason, and the
// new state follows.

import TestSupport
import Testing

@Suite("Streams that recover by themselves")
struct StreamRecoveryTests {
    private static let query = "initial=true&resync=auto&overflow=coalesce"

    /// The records through `sync`, and the cache that they make.
    private func state(
        _ session: SessionClient, _ path: String, token: String? = nil,
        format: String = "application/x-ndjson"
    ) throws -> (records: [StreamRecord], cache: StreamCache, stream: EventStream) {
        let fields =
            [HTTPField("Accept", format)] + (token.map { [HTTPField("Last-Event-ID", $0)] } ?? [])
        let stream = try session.stream(path, fields: fields)
        let records = try stream.collect { $0.type == "sync" }
        var cache = StreamCache()
        for record in records { try cache.take(record, isResumed: token != nil) }
        return (records, cache, stream)
    }

    @Test(
        "A session made again: reset with both uids, begin, the state",
        arguments: ["application/x-ndjson", "text/event-stream"])
    func replaced(format: String) throws {
        let session = try sampleSession("replaced")
        let path = "events?watch=cell0:theme&watch=scene:theme,displayScale&\(Self.query)"
        let first = try state(session, path)
        let token = try #require(first.records.last?.token)
        let uid = try session.get("").json["uid"]
        try session.delete("")
        try session.put("", [:])
        try session.transaction(SampleHierarchy.operations())
        try session.override("theme", at: "scene", "bold")
        let second = try state(session, path, token: token, format: format)
        #expect(second.records.map(\.type) == ["reset", "begin", "state", "state", "sync"])
        let reset = second.records[0]
        #expect(reset.json["reason"] == "sessionReplaced")
        #expect(reset.json["previousUid"] == uid)
        #expect(try reset.json["uid"] == session.get("").json["uid"])
        // A stream cannot be resumed inside the state, so these records have no token.
        // The browser forgets the token that it had, as its cache is empty.
        #expect(second.records.first?.event.map { $0.id == "" } ?? true)
        #expect(second.records.dropFirst().dropLast().allSatisfy { $0.event?.id == nil })
        #expect(second.cache.values[.init(node: "cell0", trait: "theme")] == "bold")
        #expect(second.cache.values.count == 3)
        #expect(second.cache.digests == 1)
    }

    @Test("Reset for a new watch, a revision ahead, and a token of another filter")
    func reasons() throws {
        let session = try sampleSession("reasons")
        try session.put("registrations/r", ["node": "scene", "traits": ["theme"]])
        try session.override("theme", at: "scene", "bold")
        let head = try session.revision()
        let uid = try #require(try session.get("").json["uid"]?.string)
        for (path, token, reason) in [
            ("events?watch=cell0:theme", "\(uid).1", "historyGone"),
            ("nodes/cell0/events?traits=displayScale", "\(uid).1", "historyGone"),
            ("events?subtree=list", "\(uid).1", "historyGone"),
            ("registrations/r/events?", "\(uid).\(head + 5)", "revisionAhead"),
            ("events?", "\(uid).\(head).0-00000000", "filterChanged"),
        ] {
            let query = path + (path.hasSuffix("?") ? "" : "&")
            let recovered = try state(session, query + Self.query, token: token)
            #expect(recovered.records[0].json["reason"] == .string(reason), "\(path)")
            #expect(recovered.records[0].json["previousUid"] == nil)
            #expect(recovered.cache.isSynced)
            #expect(
                try session.send("GET", query, fields: [HTTPField("Last-Event-ID", token)]).status
                    >= 400)
        }
        // Other faults are refused as without resync.
        try expectProblem(
            try session.get("events?resync=auto&from=nonsense"), 400, "malformed-token")
        try expectProblem(
            try session.get("events?resync=auto&watch=lost:theme"), 404, "unknown-node")
        try expectProblem(try session.get("events?resync=yes"), 400, "malformed-parameter")
    }

    @Test("Reset for history that is no longer retained, of streams and of pages")
    func truncated() throws {
        let server = try TraitdProcess(["--limit", "retained-commits-max=3"])
        let session = try SessionClient.sample("gone", on: server.url)
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        let stream = try session.stream("registrations/r/events?initial=true")
        let token = try #require(try stream.collect { $0.type == "sync" }.last?.token)
        stream.close()
        for theme in ["bold", "pastel", "bold", "pastel", "monochrome"] {
            try session.override("theme", at: "scene", .string(theme))
        }
        let path = "registrations/r/events?\(Self.query)"
        try expectProblem(
            try session.get("registrations/r/events?from=\(token)"), 410, "history-gone")
        let recovered = try state(session, path, token: token)
        #expect(recovered.records[0].json["reason"] == "historyGone")
        #expect(recovered.cache.values[.init(node: "cell0", trait: "theme")] == "monochrome")
        let page = try session.get("registrations/r/events?resync=auto&wait=30s&from=\(token)")
        let records = try #require(try page.expecting(200).json["records"]?.array)
        #expect(records.map { $0["type"] } == ["reset", "state", "sync"])
        #expect(records[1]["traits"] == ["theme": "monochrome"])
        let next = try #require(try page.json["next"]?.string)
        #expect(try session.get("registrations/r/events?wait=0&from=\(next)").status == 200)
    }

    @Test("A page with the initial state is answered at once, and the next page continues after it")
    func page() throws {
        let session = try sampleSession("page")
        try session.override("theme", at: "scene", "bold")
        let path = "events?watch=cell0:theme"
        let page = try session.get(path + "&initial=true&wait=300s").expecting(200).json
        #expect(page["records"]?.array?.map { $0["type"] } == ["state", "sync"])
        #expect(page["records"]?[0]?["traits"] == ["theme": "bold"])
        #expect(page["records"]?[1]?["count"] == 1)
        try session.override("theme", at: "scene", "pastel")
        let next = try #require(page["next"]?.string)
        let after = try session.get(path + "&wait=0&from=\(next)").expecting(200).json
        #expect(after["records"]?[0]?["changes"]?[0]?["current"] == "pastel")
    }

    @Test("A stream that is resumed after a token has the digest of the resumed cache")
    func resumed() throws {
        let server = try TraitdProcess(["--limit", "heartbeat-seconds=1"])
        let session = try SessionClient.sample("resumed", on: server.url)
        let path = "events?watch=cell0:theme&\(Self.query)"
        var (records, cache, stream) = try state(session, path)
        stream.close()
        try session.override("theme", at: "scene", "bold")
        try session.override("theme", at: "scene", "pastel")
        stream = try session.stream(
            path, fields: [HTTPField("Last-Event-ID", records[records.count - 1].token)])
        records = try stream.collect { $0.type == "bookmark" }
        #expect(records.map(\.type) == ["begin", "change", "change", "bookmark"])
        for record in records { try cache.take(record, isResumed: true) }
        #expect(cache.digests == 2)
        // Without initial=true the client has no cache, so there is no digest.
        let plain = try session.stream("events?watch=cell0:theme")
        #expect(try plain.collect { $0.type == "bookmark" }.last?.json["digest"] == nil)
    }
}
