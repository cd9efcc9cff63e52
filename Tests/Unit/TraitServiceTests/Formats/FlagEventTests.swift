// Notices of changes for clients of feature flags, and the access checks of their routes.

import HTTPServer
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Notices of flags")
struct FlagEventTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make("notices", on: service.url, FlagTests.world)
    }

    private func stream(_ node: String = "leaf", after id: String? = nil) throws
        -> TestSupport.EventStream
    {
        try session.stream(
            "ofrep/v1/events?node=\(node)&x=1",
            fields: [HTTPField("Accept", "text/event-stream")]
                + (id.map { [HTTPField("Last-Event-ID", $0)] } ?? []))
    }

    @Test("A stream begins with a notice without a tag, then has one for each change at the node")
    func notices() throws {
        let stream = try stream()
        defer { stream.close() }
        let uid = try #require(try session.get("").json["uid"]?.string)
        let first = try stream.next()
        #expect(first.json == ["type": "refetchEvaluation"])
        #expect(first.event?.id == "\(uid).1")
        #expect(first.event?.event == "message")
        #expect(first.event?.retry == "1000")
        // Neither another node nor an override that is shadowed changes a value of the leaf.
        try session.put("nodes/other", ["kind": "environment"])
        try session.override("seats", at: "other", 4)
        try session.override("theme", at: "root", "bold")
        try session.override("seats", at: "root", 4)
        let second = try stream.next()
        #expect(second.event?.id == "\(uid).5")
        #expect(second.json["etag"] == .string("\(uid).5"))
        #expect(second.json["type"] == "refetchEvaluation")
        #expect(try #require(second.json["lastModified"]?.int) > 1_700_000_000)
    }

    @Test("A new trait and a deleted one are noticed, and values of the new one too")
    func definitions() throws {
        let stream = try stream()
        defer { stream.close() }
        _ = try stream.next()
        try session.put("traits/fresh", ["type": "int", "default": 0])
        #expect(try stream.next().json["etag"]?.string?.hasSuffix(".2") == true)
        try session.override("fresh", at: "root", 4)
        #expect(try stream.next().json["etag"]?.string?.hasSuffix(".3") == true)
        try session.removeOverride("fresh", at: "root")
        #expect(try stream.next().json["etag"]?.string?.hasSuffix(".4") == true)
        try session.delete("traits/fresh")
        #expect(try stream.next().json["etag"]?.string?.hasSuffix(".5") == true)
        try session.override("seats", at: "root", 4)
        #expect(try stream.next().json["etag"]?.string?.hasSuffix(".6") == true)
    }

    @Test("An id that proves that nothing was missed has no notice, any other one has")
    func resuming() throws {
        let open = try stream()
        defer { open.close() }
        let id = try #require(try open.next().event?.id)
        let resumed = try stream(after: id)
        defer { resumed.close() }
        try session.override("seats", at: "root", 4)
        #expect(try resumed.next().json["etag"]?.string?.hasSuffix(".2") == true)
        for id in [id, "aaaaaaaaaaaa.1", "nonsense", id.dropLast() + "999"] {
            let behind = try stream(after: String(id))
            defer { behind.close() }
            #expect(try behind.next().json == ["type": "refetchEvaluation"], "\(id)")
        }
    }

    @Test("The stream ends with its node and its session")
    func ends() throws {
        let first = try stream()
        _ = try first.next()
        try session.delete("nodes/leaf")
        #expect(try first.next().json["etag"] != nil)
        #expect(try first.rest().ending == .complete)
        let second = try stream("root")
        _ = try second.next()
        try session.delete("")
        #expect(try second.rest().ending == .complete)
    }

    @Test("A stream without a node, of an unknown one, or of another type is refused")
    func refusals() throws {
        #expect(try session.get("ofrep/v1/events").status == 400)
        #expect(try session.get("ofrep/v1/events?node=none").status == 404)
        let lines = try session.send(
            "GET", "ofrep/v1/events?node=leaf", fields: [HTTPField("Accept", "application/json")])
        #expect(lines.status == 406)
        #expect(try session.send("POST", "ofrep/v1/events?node=leaf").status == 405)
    }

    @Test("A token counts in X-API-Key for flags, and nowhere else")
    func apiKeys() throws {
        let folder = try TokenFolder()
        let reader = try folder.add("reader", .read, ["a"])
        let admin = try folder.add("admin", .admin, ["*"])
        let fixture = try InProcessService(tokens: try folder.keeper())
        let client = try fixture.client()
        for name in ["a", "b"] {
            try client.send(
                "PUT", "/v1/sessions/\(name)", json: FlagTests.world, fields: [.bearer(admin)]
            ).expecting(201)
        }
        let body: JSON = ["context": ["targetingKey": "leaf"]]
        func ask(_ name: String, _ fields: [HTTPField]) throws -> HTTPResponse {
            try client.send(
                "POST", "/v1/sessions/\(name)/ofrep/v1/evaluate/flags", json: body, fields: fields)
        }
        let key = HTTPField("X-API-Key", reader)
        for _ in 0..<2 {
            #expect(try ask("a", [key]).status == 200)
            let hidden = try ask("b", [key])
            #expect(hidden.status == 404)
            #expect(try hidden.json["errorCode"] == "GENERAL")
            #expect(try ask("a", []).status == 401)
            #expect(try ask("a", [HTTPField("X-API-Key", "Bearer \(reader)")]).status == 401)
            #expect(try ask("a", [HTTPField("Authorization", reader)]).status == 401)
            #expect(try ask("a", [.bearer(reader)]).status == 200)
            #expect(try ask("a", [key, .bearer("wrong")]).status == 401)
            #expect(try client.get("/v1/sessions/a", fields: [key]).status == 401)
        }
        let stream = try TestSupport.EventStream(
            fixture.url + "/v1/sessions/a/ofrep/v1/events?node=leaf",
            fields: [key, HTTPField("Accept", "text/event-stream")])
        _ = try stream.next()
        stream.close()
    }

    @Test("With tokens the announced address carries a ticket, which opens this stream alone")
    func tickets() throws {
        let folder = try TokenFolder()
        let writer = try folder.add("writer", .write, ["*"])
        let keeper = try folder.keeper()
        let fixture = try InProcessService(tokens: keeper)
        let client = try fixture.client()
        for name in ["a", "b"] {
            try client.send(
                "PUT", "/v1/sessions/\(name)", json: FlagTests.world, fields: [.bearer(writer)]
            ).expecting(201)
        }
        func ask(_ tag: String? = nil) throws -> HTTPResponse {
            try client.send(
                "POST", "/v1/sessions/a/ofrep/v1/evaluate/flags",
                json: ["context": ["targetingKey": "leaf"]],
                fields: [.bearer(writer)] + (tag.map { [HTTPField("If-None-Match", $0)] } ?? []))
        }
        func announced() throws -> String {
            try #require(
                try ask().json["eventStreams"]?[0]?["endpoint"]?["requestUri"]?.string)
        }
        let address = try announced()
        let ticket = try #require(address.split(separator: "=").last.map(String.init))
        #expect(ticket.hasPrefix("traitd_\(TokenFolder.accessor(of: writer))_1800001200-"))
        // Logs hide it as they hide tokens.
        #expect(SafeText.hidingTokens(address).hasSuffix("_***"))
        // Within a window of time the tag stays.
        #expect(try ask(try ask()[header: "ETag"]).status == 304)
        let event = [HTTPField("Accept", "text/event-stream")]
        func open(_ target: String) throws -> TestSupport.EventStream {
            try TestSupport.EventStream(fixture.url + target, fields: event)
        }
        let stream = try open(address)
        #expect(try stream.next().json == ["type": "refetchEvaluation"])
        let seal = String(ticket.dropFirst(27))
        for refused in [
            address.replacing("sessions/a/", with: "sessions/b/"),
            address.replacing("node=leaf", with: "node=root"),
            address.replacing("node=leaf", with: "node=none"),
            address.replacing("node=leaf&", with: ""),
            address.replacing("_1800001200-", with: "_1900001200-"),
            address.replacing("_1800001200-", with: "_-"),
            address.replacing(seal, with: String(seal.reversed())),
            address.replacing(ticket, with: ""),
            address.replacing(ticket, with: "traitd_"),
            address.replacing(ticket, with: writer),
            "/v1/sessions/a?ticket=\(ticket)",
            "/v1/sessions/a/nodes/leaf/events?ticket=\(ticket)",
            "/v1/whoami?ticket=\(ticket)",
        ] {
            #expect(try client.get(refused, fields: event).status == 401, "\(refused)")
        }
        #expect(
            try client.send(
                "POST", "/v1/sessions/a/ofrep/v1/evaluate/flags?ticket=\(ticket)",
                json: ["context": ["targetingKey": "leaf"]]
            ).status == 401)
        #expect(try client.send("POST", address).status == 405)
        // A new window announces another ticket; the first one still opens the stream, and then no more.
        folder.clock.withLock { $0 += 600_000 }
        #expect(try announced() != address)
        try open(address).close()
        folder.clock.withLock { $0 += 600_000 }
        #expect(try client.get(address, fields: event).status == 401)
        // The stream ends with the token.
        let second = try open(try announced())
        _ = try second.next()
        let last = try announced()
        try folder.write("")
        try keeper.reload()
        #expect(try second.rest().ending == .complete)
        #expect(try client.get(last, fields: event).status == 401)
    }

    @Test("A preflight allows X-API-Key where flags are, and nowhere else")
    func preflights() throws {
        let page = "https://app.example"
        let client = try InProcessService(access: AccessPolicy(origins: [page])).client()
        func allowed(_ target: String) throws -> String {
            let answer = try client.send(
                "OPTIONS", target,
                fields: [
                    HTTPField("Origin", page), HTTPField("Access-Control-Request-Method", "POST"),
                ])
            return try #require(answer[header: "Access-Control-Allow-Headers"]).lowercased()
        }
        let flags = try allowed("/v1/sessions/a/ofrep/v1/evaluate/flags")
        for name in ["content-type", "authorization", "x-api-key", "if-none-match"] {
            #expect(flags.contains(name))
        }
        #expect(try !allowed("/v1/sessions/a/resolve").contains("x-api-key"))
    }
}
