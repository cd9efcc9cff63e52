// Streams whose changes carry the whole collection of their node, before and after: also what no
// registration names, wherever it is set, and how much of it one commit may deliver.

import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Streams with whole collections", .timeLimit(.minutes(10)))
struct CollectionStreamTests {
    private static func make(
        _ service: InProcessService, updates: String = "immediate"
    ) throws -> SessionClient {
        let nodes: [JSON] = [
            ["id": "scene", "kind": "windowScene"],
            ["id": "window", "kind": "window", "parent": "scene"],
            ["id": "old", "kind": "view", "parent": "window"],
            ["id": "new", "kind": "view", "parent": "window"],
            ["id": "label", "kind": "view", "parent": "old"],
        ]
        return try SessionClient.make(
            "whole", on: service.url,
            [
                "updates": .string(updates), "nodes": .array(nodes),
                "traits": ["theme": ["type": "int", "default": 0]],
            ])
    }

    private static func layOut(_ session: SessionClient) throws {
        _ = try session.send("POST", "layout", [:])
    }

    @Test(
        "Values, moves, definitions and deletions of one commit are all in what was and what is",
        arguments: ["immediate", "layout"])
    func whole(_ updates: String) throws {
        let service = try InProcessService()
        let session = try Self.make(service, updates: updates)
        try session.put("registrations/r", ["node": "label", "traits": ["theme"]])
        try session.put("traits/gone", ["type": "int", "default": 1])
        try session.transaction([
            .setOverride("userInterfaceStyle", at: "old", "dark"),
            .setOverride("displayScale", at: "new", 3), .setOverride("gone", at: "scene", 5),
            .setOverride("displayScale", at: "scene", 2),
        ])
        try Self.layOut(session)
        let streams = try [
            "events", "registrations/r/events", "nodes/label/events?traits=theme",
        ].map { try session.stream($0 + ($0.contains("?") ? "&" : "?") + "collection=true") }
        for stream in streams { _ = try stream.next() }
        func expect(_ previous: JSON?) throws {
            let current = try session.get("nodes/label/traits").json["traits"]
            for stream in streams {
                let change = try #require(try stream.collect { $0.type == "change" }.last).json
                #expect(change["changes"]?.array?.count == 1)
                #expect(change["previous"] == previous && change["current"] == current)
            }
        }
        var previous = try session.get("nodes/label/traits").json["traits"]
        #expect(previous?["userInterfaceStyle"] == "dark" && previous?["displayScale"] == 2)
        try session.transaction([
            .setOverride("theme", at: "window", 1),
            .setOverride("legibilityWeight", at: "label", "bold"),
            ["op": "updateNode", "node": "label", "parent": "new"],
        ])
        try Self.layOut(session)
        try expect(previous)
        previous = try session.get("nodes/label/traits").json["traits"]
        #expect(previous?["userInterfaceStyle"] == "unspecified")
        #expect(previous?["displayScale"] == 3 && previous?["legibilityWeight"] == "bold")
        try session.transaction([
            .setOverride("displayScale", at: "scene", 1),
            ["op": "removeOverride", "node": "scene", "trait": "gone"],
            ["op": "deleteNode", "node": "old"], .setOverride("theme", at: "new", 2),
        ])
        try Self.layOut(session)
        try expect(previous)
    }

    @Test(
        "Nodes that read the same share what they carry, and one that carries too much ends streams"
    )
    func bounded() throws {
        var limits = ServiceLimits()
        limits.heardBytesMax = 100_000
        let service = try InProcessService(limits: limits)
        let nodes = (0..<200).map { number -> JSON in
            ["id": .string("n\(number)"), "kind": "environment", "parent": "root"]
        }
        let session = try SessionClient.make(
            "many", on: service.url,
            [
                "nodes": .array([["id": "root", "kind": "environment"]] + nodes),
                "traits": [
                    "theme": ["type": "int", "default": 0],
                    "name": ["type": "string", "default": ""],
                ],
            ])
        try session.transaction(
            (0..<200).map { .register("r\($0)", at: "n\($0)", ["theme"]) })
        let all = try session.stream("events?collection=true")
        let one = try session.stream("registrations/r0/events?collection=true")
        let plain = try session.stream("events")
        for stream in [all, one, plain] { _ = try stream.next() }
        // 200 collections of a kilobyte, but two different ones.
        try session.override("theme", at: "root", 1)
        #expect(try all.next(201).last?.json["previous"]?["theme"] == 0)
        #expect(try one.next().json["current"]?["theme"] == 1)
        #expect(try plain.next(201).last?.json["previous"] == nil)
        try session.transaction(
            (0..<200).map {
                .setOverride("name", at: "n\($0)", .string("a name of its own: \($0)"))
            })
        let revision = try session.override("theme", at: "root", 2).json["revision"]?.int
        #expect(
            try plain.collect { $0.json["last"] == true && $0.revision == revision }.count > 200)
        let (records, _) = try all.rest()
        #expect(records.last?.type == "end" && records.last?.reason == "limit")
        #expect(try one.next().json["previous"]?["name"] == "a name of its own: 0")
        // The stream goes on after what was lost.
        let again = try session.stream("events?collection=true&from=\(try #require(revision))")
        _ = try again.next()
        try session.override("theme", at: "n7", 3)
        let change = try again.next(2).last?.json
        #expect(change?["previous"]?["theme"] == 2)
        #expect(change?["current"]?["name"] == "a name of its own: 7")
    }
}
