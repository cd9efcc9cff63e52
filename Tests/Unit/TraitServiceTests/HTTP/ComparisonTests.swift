// Comparing two sessions over HTTP. That the operations of the answer turn one session into the other is what
// RandomPairTests show of random sessions.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Comparing sessions")
struct ComparisonTests {
    private static func operations(_ a: SessionClient, _ b: SessionClient) throws -> [JSON] {
        let json = try a.get("compare?with=\(b.name)").expecting(200).json
        #expect(json["session"] == .string(a.name) && json["with"]?["session"] == .string(b.name))
        return try #require(json["operations"]?.array)
    }

    @Test("Large sessions are compared part by part, also with pretty")
    func large() throws {
        let service = try InProcessService()
        let nodes = (0..<5_000).map { number -> JSON in
            .node(
                "n\(number)", in: number == 0 ? nil : "n\((number - 1) / 4)",
                overrides: ["displayScale": .int(Int64(number % 5))])
        }
        let a = try SessionClient.make("large", on: service.url, ["nodes": .array(nodes)])
        let b = try SessionClient.make("empty", on: service.url)
        let operations = try Self.operations(a, b)
        #expect(operations.count == 10_000)
        let pretty = try a.get("compare?with=\(b.name)&pretty=true").expecting(200).json
        #expect(pretty["operations"]?.array?.count == 10_000)
        try b.transaction(operations)
        #expect(try Self.operations(a, b) == [])
        #expect(try Self.operations(b, a) == [])
        try b.override("displayScale", at: "n7", 9)
        #expect(try Self.operations(a, b) == [.setOverride("displayScale", at: "n7", 2)])
        let gone = try Self.operations(try SessionClient.make("none", on: service.url), b)
        #expect(gone == [.deleteNode("n0")])
    }

    @Test("Colours for equal values of a struct are equal, whatever the order of its fields")
    func fieldOrder() throws {
        let service = try InProcessService()
        let a = try SessionClient.make("in-order", on: service.url)
        let b = try SessionClient.make("in-another", on: service.url)
        func define(_ fields: String, _ condition: String, in session: SessionClient) throws {
            for (path, text) in [
                ("traits/st", #"{"type":"struct","fields":{\#(fields)},"default":{"a":0,"b":0}}"#),
                (
                    "colors/red",
                    #"{"variants":[{"value":"black"},{"when":{"st":{\#(condition)}},"value":"red"}]}"#
                ),
            ] {
                _ = try session.client.send(
                    HTTPRequest("PUT", session.target(path), text: text)
                ).success()
            }
        }
        try define(#""a":"int","b":"int""#, #""a":1,"b":2"#, in: a)
        try define(#""b":"int","a":"int""#, #""b":2,"a":1"#, in: b)
        #expect(try Self.operations(a, b) == [])
        #expect(try Self.operations(b, a) == [])
        try b.delete("colors/red")
        try define(#""b":"int","a":"int""#, #""b":1,"a":2"#, in: b)
        #expect(try Self.operations(a, b).map { $0["op"] } == ["deleteColor", "defineColor"])
    }

    @Test("Detached trees of a layout session that show a deleted trait are updated, and no others")
    func detachedTrees() throws {
        let service = try InProcessService()
        let settings: JSON = ["updates": "layout"]
        let nodes: [JSON] = ["sets", "waits", "idle"].flatMap {
            [.createNode($0, "view", in: nil), .createNode("\($0).child", "view", in: $0)]
        }
        let a = try SessionClient.make("a", on: service.url, settings)
        let b = try SessionClient.make("b", on: service.url, settings)
        for session in [a, b] { try session.transaction(nodes) }
        try b.put("traits/t", ["type": "int", "default": 0])
        try b.transaction([
            .setOverride("t", at: "sets.child", 1), .setOverride("t", at: "waits.child", 1),
            ["op": "updateTraitsIfNeeded", "node": "sets"],
            ["op": "updateTraitsIfNeeded", "node": "waits"],
            ["op": "updateTraitsIfNeeded", "node": "idle"],
        ])
        try b.transaction([.removeOverride("t", at: "waits.child")])
        let operations = try Self.operations(a, b)
        let updated = operations.filter { $0["op"] == "updateTraitsIfNeeded" }
        #expect(Set(updated.map { $0["node"] }) == ["sets", "waits"])
        try b.transaction(operations)
        #expect(try Self.operations(a, b) == [])
    }

    @Test("The answer names settings that differ; an unknown session is refused")
    func settings() throws {
        let service = try InProcessService()
        let a = try SessionClient.make("one", on: service.url)
        let b = try SessionClient.make(
            "two", on: service.url, ["propagation": "legacy", "updates": "layout"])
        let json = try a.get("compare?with=\(b.name)").expecting(200).json
        #expect(json["settings"] == ["propagation", "updates"])
        #expect(json["operations"] == [])
        let unknown = try a.get("compare?with=nothing")
        let problem = try expectProblem(unknown, 404, "unknown-session")
        #expect(problem["parameter"] == "with")
        try expectProblem(try a.get("compare"), 400, "malformed-parameter")
        try expectProblem(try a.get("compare?with=a%20b"), 400, "malformed-identifier")
        #expect(try a.get("compare?with=\(a.name)").json["operations"] == [])
    }
}
