// Reverts past new names: what has another name since gets its name back, and is not made anew.

import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("Reverts past new names")
struct RevertNameTests {
    private static func session(_ fixture: InProcessService) throws -> SessionClient {
        let session = try SessionClient.make(
            "names", on: fixture.url,
            [
                "traits": [
                    "theme": ["type": "int", "default": 0], "size": ["type": "int", "default": 0],
                ],
                "nodes": [
                    .node("top"),
                    .node("a", in: "top", overrides: ["theme": 1]),
                    .node("a1", in: "a"),
                    .node("b", in: "top", overrides: ["size": 2]),
                ],
            ])
        for node in ["a", "a1", "b"] {
            try session.put(
                "registrations/of-\(node)", ["node": .string(node), "traits": ["theme"]])
        }
        return session
    }

    /// Writes, and reverts them. Returns the kinds of the revert's operations.
    @discardableResult
    private static func revert(
        _ session: SessionClient, _ operations: [JSON], nodes: JSON? = nil
    ) throws -> [String] {
        func export() throws -> JSON {
            try session.get("export?specified=true").success().json
        }
        let remembered = try export()
        let target = try session.revision()
        for operation in operations { try session.transaction([operation]) }
        var body: JSON = ["revision": .int(Int64(target))]
        if let nodes { body = body.with("nodes", nodes) }
        try session.send("POST", "revert", body).success()
        if nodes == nil {
            #expect(
                try export().with("registrations", nil) == remembered.with("registrations", nil))
        }
        let newest = try session.get("history?operations=true&pageSize=1").success().json
        return newest["commits"]?[0]?["operations"]?.array?.compactMap { $0["op"]?.string } ?? []
    }

    private static func nodes(_ session: SessionClient) throws -> [String: String] {
        let list = try session.get("registrations").success().json["registrations"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: list.compactMap { registration in
                registration["id"]?.string.flatMap { id in
                    registration["node"]?.string.map { (id, $0) }
                }
            })
    }

    private static let all = ["of-a": "a", "of-a1": "a1", "of-b": "b"]

    @Test("A node gets its name back, with its registrations")
    func node() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let kinds = try Self.revert(
            session,
            [
                .renameNode("a", to: "x"),
                .renameNode("x", to: "y"),
                .setOverride("theme", at: "y", 7),
            ])
        #expect(kinds == ["renameNode", "setOverride"])
        #expect(try Self.nodes(session) == Self.all)
    }

    @Test("A trait gets its key back, also where a registration names it")
    func trait() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let kinds = try Self.revert(
            session,
            [
                .renameTrait("theme", to: "look"),
                ["op": "updateTrait", "trait": "look", "patch": ["default": 4]],
            ])
        #expect(kinds == ["renameTrait", "updateTrait"])
        #expect(try Self.nodes(session) == Self.all)
    }

    @Test("Nodes and traits that have exchanged their names exchange them again")
    func exchange() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let kinds = try Self.revert(
            session,
            [
                .renameNode("a", to: "t"),
                .renameNode("b", to: "a"),
                .renameNode("a1", to: "b"),
                .renameNode("t", to: "a1"),
                .renameTrait("theme", to: "t"),
                .renameTrait("size", to: "theme"),
                .renameTrait("t", to: "size"),
            ])
        #expect(
            kinds == ["renameTrait", "renameTrait", "renameTrait"]
                + [String](repeating: "renameNode", count: 4))
        #expect(try Self.nodes(session) == Self.all)
    }

    @Test("A node that was made since is not the one that had the name")
    func madeSince() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        // The name is another node's now, so the node is made anew under it.
        try Self.revert(
            session,
            [.renameNode("b", to: "x"), .createNode("b", "environment", in: "a1")])
        #expect(try Self.nodes(session) == ["of-a": "a", "of-a1": "a1"])
        // The node with the new name was deleted, and another one has that name now.
        try Self.revert(
            session,
            [
                .renameNode("a1", to: "x"),
                .deleteNode("x"),
                .createNode("x", "environment", in: "a"),
                .register("of-x", at: "x", ["theme"]),
            ])
        #expect(try Self.nodes(session) == ["of-a": "a"])
    }

    @Test("A revert of a subtree gives names back there alone")
    func subtree() throws {
        let fixture = try InProcessService()
        let operations: [JSON] = [
            .renameNode("a", to: "x"),
            .renameNode("a1", to: "x1"),
            .renameNode("b", to: "y"),
        ]
        for root in ["a", "x"] {
            let session = try Self.session(fixture)
            let kinds = try Self.revert(session, operations, nodes: [.string(root)])
            #expect(kinds == ["renameNode", "renameNode"])
            #expect(try Self.nodes(session) == ["of-a": "a", "of-a1": "a1", "of-b": "y"])
        }
    }
}
