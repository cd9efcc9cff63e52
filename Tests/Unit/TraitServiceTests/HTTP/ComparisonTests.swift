// Comparing two sessions: the operations of the answer turn one session into the other.

import SeededRandom
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

    /// The content of a session without revisions and times, sorted where the order does not matter.
    private static func content(_ session: SessionClient, inOrder: Bool) throws -> [JSON] {
        func list(_ rest: String, _ member: String, _ name: String) throws -> [JSON] {
            let all = try session.get(rest).expecting(200).json[member]?.array ?? []
            let bare = all.map { item -> JSON in
                guard case .object(var members) = item else { return item }
                members["createdAt"] = nil
                members["revision"] = nil
                members["state"] = nil
                return .object(members)
            }
            if inOrder { return bare }
            return bare.sorted { ($0[name]?.string ?? "") < ($1[name]?.string ?? "") }
        }
        var content: [JSON] = []
        content += try list("nodes?pageSize=1000", "nodes", "id")
        content += try list("registrations?pageSize=1000", "registrations", "id")
        for (rest, name) in [("colors", "color"), ("images", "image"), ("environmentKeys", "key")] {
            content += try list(rest + "?pageSize=1000", rest, name).sorted {
                ($0[name]?.string ?? "") < ($1[name]?.string ?? "")
            }
        }
        content += try list("traits", "traits", "key").sorted {
            ($0["key"]?.string ?? "") < ($1["key"]?.string ?? "")
        }
        // The order of roots is not compared, so the nodes are sorted.
        let ids = (try session.get("nodes?pageSize=1000").json["nodes"]?.array ?? [])
            .compactMap { $0["id"]?.string }
        for id in ids.sorted() {
            let scopes = try session.get("nodes/\(id)/scopes").json["scopes"]?.array ?? []
            content += scopes.map { ["scope": $0["scope"] ?? nil, "reads": $0["reads"] ?? nil] }
            content.append(try session.get("nodes/\(id)/environment").json["environment"] ?? nil)
        }
        return content
    }

    /// Sends one random change. The server may refuse it, which changes nothing.
    private static func change(
        _ session: SessionClient, _ random: inout SeededRandom, inUIKit: Bool
    ) throws {
        func name(_ prefix: String, _ count: Int) -> JSON {
            .string("\(prefix)\(Int.random(in: 0..<count, using: &random))")
        }
        let kinds =
            inUIKit
            ? ["windowScene", "window", "viewController", "view", "environment"] : ["environment"]
        let node = name("n", 14)
        let parent: JSON = Int.random(in: 0..<5, using: &random) == 0 ? nil : name("n", 14)
        let kind = JSON.string(kinds[Int.random(in: 0..<kinds.count, using: &random)])
        let trait = name("t", 3)
        let small = JSON.int(Int64.random(in: 0..<3, using: &random))
        let operation: JSON
        switch Int.random(in: 0..<19, using: &random) {
        case 0...4: operation = ["op": "createNode", "node": node, "kind": kind, "parent": parent]
        case 5: operation = ["op": "updateNode", "node": node, "parent": parent]
        case 6:
            operation = [
                "op": "updateNode", "node": node, "parent": parent, "controller": name("n", 14),
            ]
        case 7: operation = ["op": "updateNode", "node": node, "label": name("l", 3)]
        case 8: operation = ["op": "deleteNode", "node": node]
        case 9:
            operation = [
                "op": "defineTrait", "trait": trait,
                "definition": ["type": "int", "default": small],
            ]
        case 10: operation = ["op": "setOverride", "node": node, "trait": trait, "value": small]
        case 11:
            operation = [
                "op": "setSupplied", "node": node, "trait": "displayScale", "value": small,
            ]
        case 12: operation = ["op": "removeOverride", "node": node, "trait": trait]
        case 13:
            operation = [
                "op": "register", "registration": name("r", 5), "node": node, "traits": [trait],
            ]
        case 14: operation = ["op": "unregister", "registration": name("r", 5)]
        case 15:
            operation = [
                "op": "defineColor", "color": name("c", 2),
                "definition": [
                    "variants": [
                        ["when": [trait.string ?? "": small], "value": small], ["value": "x"],
                    ]
                ],
            ]
        case 16:
            operation = [
                "op": "defineEnvironmentKey", "key": name("k", 3),
                "definition": small == 0
                    ? ["type": "int", "default": 0, "bridgedTrait": trait]
                    : ["type": "int", "default": small],
            ]
        case 17:
            operation = ["op": "setEnvironment", "node": node, "key": name("k", 3), "value": small]
        default: operation = ["op": "setScope", "node": node, "scope": "s", "reads": [trait]]
        }
        _ = try session.send("POST", "transactions", ["operations": [operation]])
    }

    @Test("The operations of random sessions make them equal", arguments: 0..<24)
    func random(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let service = try InProcessService()
        // Without controllers and windows the order of siblings is restored, too.
        let inUIKit = seed % 3 != 0
        let settings: JSON = ["propagation": seed % 2 == 0 ? "unified" : "legacy"]
        let a = try SessionClient.make("a", on: service.url, settings)
        let b = try SessionClient.make("b", on: service.url, settings)
        for _ in 0..<60 {
            for session in [a, b] {
                try Self.change(session, &random, inUIKit: inUIKit)
            }
        }
        let operations = try Self.operations(a, b)
        #expect(!operations.isEmpty, "seed \(seed)")
        try b.transaction(operations)
        let left = try Self.operations(a, b)
        #expect(left == [], "seed \(seed)")
        #expect(
            try Self.content(b, inOrder: false) == Self.content(a, inOrder: false), "seed \(seed)")
        if !inUIKit {
            let children = { (session: SessionClient) throws -> [[JSON?]] in
                // Below each root in order; the order of roots is not compared.
                let all = try session.get("nodes?pageSize=1000").json["nodes"]?.array ?? []
                let roots = all.filter { $0["traitParent"] == .null }.compactMap {
                    $0["id"]?.string
                }
                return try roots.sorted().map { root in
                    try
                        (session.get("nodes?under=\(root)&pageSize=1000").json["nodes"]?.array ?? [])
                        .map { $0["id"] }
                }
            }
            #expect(try children(b) == children(a), "seed \(seed)")
            let names = { (session: SessionClient) throws -> [JSON?] in
                (try session.get("registrations").json["registrations"]?.array ?? []).map {
                    $0["id"]
                }
            }
            #expect(try names(b) == names(a), "seed \(seed)")
        }
    }

    @Test("Large sessions are compared part by part, also with pretty")
    func large() throws {
        let service = try InProcessService()
        let nodes = (0..<5_000).map { number -> JSON in
            [
                "id": .string("n\(number)"), "kind": "environment",
                "parent": number == 0 ? nil : .string("n\((number - 1) / 4)"),
                "overrides": ["displayScale": .int(Int64(number % 5))],
            ]
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
        #expect(
            try Self.operations(a, b) == [
                ["op": "setOverride", "node": "n7", "trait": "displayScale", "value": 2]
            ])
        let gone = try Self.operations(try SessionClient.make("none", on: service.url), b)
        #expect(gone == [["op": "deleteNode", "node": "n0"]])
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
        try b.transaction([["op": "removeOverride", "node": "waits.child", "trait": "t"]])
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
