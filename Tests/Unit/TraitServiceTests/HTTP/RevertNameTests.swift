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
                    ["id": "top", "kind": "environment"],
                    ["id": "a", "kind": "environment", "parent": "top", "overrides": ["theme": 1]],
                    ["id": "a1", "kind": "environment", "parent": "a"],
                    ["id": "b", "kind": "environment", "parent": "top", "overrides": ["size": 2]],
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
                ["op": "renameNode", "node": "a", "to": "x"],
                ["op": "renameNode", "node": "x", "to": "y"],
                ["op": "setOverride", "node": "y", "trait": "theme", "value": 7],
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
                ["op": "renameTrait", "trait": "theme", "to": "look"],
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
                ["op": "renameNode", "node": "a", "to": "t"],
                ["op": "renameNode", "node": "b", "to": "a"],
                ["op": "renameNode", "node": "a1", "to": "b"],
                ["op": "renameNode", "node": "t", "to": "a1"],
                ["op": "renameTrait", "trait": "theme", "to": "t"],
                ["op": "renameTrait", "trait": "size", "to": "theme"],
                ["op": "renameTrait", "trait": "t", "to": "size"],
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
            [
                ["op": "renameNode", "node": "b", "to": "x"],
                ["op": "createNode", "node": "b", "kind": "environment", "parent": "a1"],
            ])
        #expect(try Self.nodes(session) == ["of-a": "a", "of-a1": "a1"])
        // The node with the new name was deleted, and another one has that name now.
        try Self.revert(
            session,
            [
                ["op": "renameNode", "node": "a1", "to": "x"],
                ["op": "deleteNode", "node": "x"],
                ["op": "createNode", "node": "x", "kind": "environment", "parent": "a"],
                ["op": "register", "registration": "of-x", "node": "x", "traits": ["theme"]],
            ])
        #expect(try Self.nodes(session) == ["of-a": "a"])
    }

    @Test("A revert of a subtree gives names back there alone")
    func subtree() throws {
        let fixture = try InProcessService()
        let operations: [JSON] = [
            ["op": "renameNode", "node": "a", "to": "x"],
            ["op": "renameNode", "node": "a1", "to": "x1"],
            ["op": "renameNode", "node": "b", "to": "y"],
        ]
        for root in ["a", "x"] {
            let session = try Self.session(fixture)
            let kinds = try Self.revert(session, operations, nodes: [.string(root)])
            #expect(kinds == ["renameNode", "renameNode"])
            #expect(try Self.nodes(session) == ["of-a": "a", "of-a1": "a1", "of-b": "y"])
        }
    }
}
