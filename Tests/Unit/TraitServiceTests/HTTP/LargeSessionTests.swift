// Sessions whose bodies are worked on away from the shard: the same answers, and the shard goes on.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Sessions made of large bodies")
struct LargeSessionTests {
    /// Every body that says something goes the long way.
    private static func service() throws -> InProcessService {
        var limits = ServiceLimits()
        limits.inlineBodyBytesMax = 0
        return try InProcessService(limits: limits)
    }

    private static func nodes(_ count: Int) -> [JSON] {
        (0..<count).map { number in
            let parent: JSON = number == 0 ? nil : .string("node-\((number - 1) / 10)")
            return ["id": .string("node-\(number)"), "kind": "environment", "parent": parent]
        }
    }

    @Test(
        "What is worked on elsewhere is answered with the same bytes",
        arguments: ["sessions", "conditions", "problems", "layout"])
    func golden(name: String) throws {
        let script = try #require(ExchangeScript.all.first { $0.name == name })
        let service = try Self.service()
        try script.verify(on: service.url)
    }

    @Test("A large session is there whole, whichever connection asks for it next")
    func whole() throws {
        let body: JSON = ["nodes": .array(Self.nodes(20_000))]
        #expect(body.bytes.count > ServiceLimits().inlineBodyBytesMax)
        let session = try InProcessService().session("large", body)
        #expect(try session.another().get("").json["nodes"] == 20_000)
        #expect(try session.another().value(of: "displayScale", at: "node-19999") == 0)
        let again = try session.send("PUT", "", body)
        try expectProblem(again, 409, "exists")
        #expect(again.revision == 1)
        let dry = try session.client.send(
            "PUT", "/v1/sessions/dry?dryRun=true", json: body,
            fields: [HTTPField("Traitd-Request-Id", "mine")])
        #expect(try dry.expecting(201).json["nodes"] == 20_000)
        #expect(dry[header: "Traitd-Request-Id"] == "mine")
        #expect(try session.client.get("/v1/sessions/dry").status == 404)
    }

    @Test(
        "One bad node of many, wherever it stands, and there is no session",
        arguments: [0, 1_000, 4_999])
    func refused(position: Int) throws {
        let client = try InProcessService().client()
        var nodes = Self.nodes(5_000)
        nodes[position] = nodes[position].with("parent", "lost")
        let answer = try client.send(
            "PUT", "/v1/sessions/bad", json: ["nodes": .array(nodes)])
        let problem = try expectProblem(answer, 422, "unknown-parent")
        #expect(problem["pointer"] == .string("/nodes/\(position)/parent"))
        #expect(try client.get("/v1/sessions/bad").status == 404)
        let text = JSON.array(nodes).text
        let cut = try client.send(
            HTTPRequest("PUT", "/v1/sessions/bad", text: "{\"nodes\":" + text.dropLast(3)))
        try expectProblem(cut, 400, "malformed-json")
        let form = try client.send(
            HTTPRequest(
                "PUT", "/v1/sessions/bad", fields: [HTTPField("Content-Type", "text/plain")],
                body: Array(text.utf8)))
        try expectProblem(form, 415, "unsupported-media-type")
    }

    @Test("Of several that create the same large session one does, and the others hear of it")
    func race() throws {
        let service = try Self.service()
        let body: JSON = ["nodes": .array(Self.nodes(3_000))]
        let statuses = try concurrently(8) { _ in
            try HTTPClient(service.url).send("PUT", "/v1/sessions/one", json: body).status
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 7)
        let empty = try concurrently(8) { _ in
            try HTTPClient(service.url).send("PUT", "/v1/sessions/two", json: [:]).status
        }
        #expect(empty.filter { $0 == 201 }.count == 1)
        #expect(empty.filter { $0 == 200 }.count == 7)
    }
}
