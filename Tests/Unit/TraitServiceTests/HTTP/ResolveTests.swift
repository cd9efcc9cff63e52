// Many nodes resolved at once: the limit, the order, and the two forms of the answer.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Resolving many nodes")
struct ResolveTests {
    private static func session(_ limits: ServiceLimits = ServiceLimits()) throws -> SessionClient {
        let nodes = (0..<100).map { number -> JSON in
            let parent: JSON = number == 0 ? nil : .string("n\((number - 1) / 3)")
            let overrides: JSON = number % 7 == 3 ? ["displayScale": .int(Int64(number))] : [:]
            return [
                "id": .string("n\(number)"), "kind": "environment", "parent": parent,
                "overrides": overrides,
            ]
        }
        return try InProcessService(limits: limits).session("many", ["nodes": .array(nodes)])
    }

    private static func resolve(_ session: SessionClient, _ body: JSON) throws -> HTTPResponse {
        try session.send("POST", "resolve", body)
    }

    @Test("Each node reads as it does alone, in the order of the tree")
    func asAlone() throws {
        let session = try Self.session()
        let answer = try Self.resolve(session, ["under": "n1"]).expecting(200).json
        let nodes = try #require(answer["nodes"]?.array)
        let listed = try session.get("nodes?under=n1&pageSize=1000").json["nodes"]?.array
        #expect(nodes.map { $0["node"] } == listed?.map { $0["id"] })
        #expect(nodes.count > 20)
        for node in nodes {
            let alone = try session.get("nodes/\(node["node"]?.string ?? "")/traits").json
            #expect(node["traits"] == alone["traits"])
            #expect(node["state"] == alone["state"])
        }
        let lines = try session.send(
            "POST", "resolve", ["under": "n1"],
            fields: [HTTPField("Accept", "application/x-ndjson")])
        let records = try lines.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(records.map { $0["traits"] } == nodes.map { $0["traits"] })
    }

    @Test("Nodes times traits under the lock is bounded; beyond, the answer is streamed")
    func limit() throws {
        var limits = ServiceLimits()
        limits.inlineValuesMax = 30
        let session = try Self.session(limits)
        let names = { (count: Int) in JSON.array((0..<count).map { .string("n\($0)") }) }
        for (traits, most) in [(["displayScale"], 30), (["displayScale", "layoutDirection"], 15)] {
            let list = JSON.array(traits.map { .string($0) })
            let whole = try Self.resolve(session, ["nodes": names(most), "traits": list])
            #expect(try whole.expecting(200).json["nodes"]?.array?.count == most)
            #expect(whole[header: "Transfer-Encoding"] == nil)
            let beyond = try Self.resolve(session, ["nodes": names(most + 1), "traits": list])
            #expect(try beyond.expecting(200).json["nodes"]?.array?.count == most + 1)
            #expect(beyond[header: "Transfer-Encoding"] == "chunked")
            #expect(beyond.revision == 1)
        }
        let subtree = try Self.resolve(session, ["under": "n0", "traits": ["displayScale"]])
        #expect(try subtree.expecting(200).json["nodes"]?.array?.count == 100)
        #expect(subtree[header: "Transfer-Encoding"] == "chunked")
        let leaf = try Self.resolve(session, ["under": "n99", "traits": ["displayScale"]])
        #expect(try leaf.expecting(200).json["nodes"]?.array?.count == 1)
        #expect(leaf[header: "Transfer-Encoding"] == nil)
    }
}
