// Operations of transactions that order siblings, create or replace, and clear all overrides.

import TestSupport
import Testing

@Suite("Order and upserts in transactions")
struct OrderTests {
    private static func children(_ session: SessionClient) throws -> [String?] {
        let nodes = try session.get("nodes?under=list&depth=1").json["nodes"]?.array ?? []
        return nodes.dropFirst().map { $0["id"]?.string }
    }

    @Test("A node goes before or after a sibling, alone or with a move, and the order survives")
    func moves() throws {
        let session = try sampleSession("order", cells: 4)
        func move(_ members: JSON) throws -> HTTPResponse {
            try session.send("POST", "transactions", ["operations": [members]])
        }
        #expect(try Self.children(session) == ["cell0", "cell1", "cell2", "cell3"])
        try move(["op": "moveNode", "node": "cell3", "before": "cell1"]).success()
        #expect(try Self.children(session) == ["cell0", "cell3", "cell1", "cell2"])
        try move(["op": "moveNode", "node": "cell0", "after": "cell2"]).success()
        #expect(try Self.children(session) == ["cell3", "cell1", "cell2", "cell0"])
        try move(["op": "moveNode", "node": "cell2", "before": "cell3"]).success()
        #expect(try Self.children(session) == ["cell2", "cell3", "cell1", "cell0"])
        let same = try move(["op": "moveNode", "node": "cell3", "after": "cell2"]).success()
        #expect(try same.json["unchanged"] == true)
        let back = try session.transaction([
            ["op": "moveNode", "node": "cell0", "before": "cell2"],
            ["op": "moveNode", "node": "cell0", "after": "cell1"],
        ])
        #expect(try back.json["unchanged"] == true)
        try session.put("nodes/cell4", ["kind": "view", "parent": "middle"])
        try move(["op": "moveNode", "node": "cell4", "parent": "list", "after": "cell2"])
            .success()
        #expect(try Self.children(session) == ["cell2", "cell4", "cell3", "cell1", "cell0"])
        try expectProblem(
            try move(["op": "moveNode", "node": "cell2", "after": "scene"]), 422, "not-siblings")
        try expectProblem(
            try move(["op": "moveNode", "node": "cell2", "after": "cell2"]), 422, "not-siblings")
        let both = try move([
            "op": "moveNode", "node": "cell2", "after": "cell1", "before": "cell3",
        ])
        try expectProblem(both, 400, "malformed-body")
    }

    @Test("An upsert creates and replaces, and clearing removes every override")
    func upserts() throws {
        let session = try sampleSession("order")
        try session.transaction([
            ["op": "putTrait", "trait": "theme", "definition": SampleHierarchy.theme],
            ["op": "putNode", "node": "new", "kind": "view", "parent": "list"],
            [
                "op": "putNode", "node": "new", "parent": "list", "label": "again",
                "overrides": ["theme": "bold", "displayScale": 2],
            ],
        ])
        let node = try session.get("nodes/new").expecting(200).json
        #expect(node["label"] == "again" && node["overrides"]?["theme"] == "bold")
        try session.transaction([["op": "clearOverrides", "node": "new"]])
        #expect(try session.get("nodes/new/overrides").json["overrides"] == [:])
        let again = try session.transaction([["op": "clearOverrides", "node": "new"]])
        #expect(try again.json["unchanged"] == true)
    }
}
