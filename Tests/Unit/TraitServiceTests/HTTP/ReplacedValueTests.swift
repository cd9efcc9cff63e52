// What the operations of the history replaced.

import TestSupport
import Testing
import TraitService

@Suite("What operations replaced")
struct ReplacedValueTests {
    /// The `previous` of each operation of the newest commit.
    private static func previous(_ session: SessionClient) throws -> [JSON?] {
        let commits = try session.get("history?operations=true&pageSize=1").json["commits"]?.array
        let commit = try #require(commits?.first)
        #expect(commit["previousIsKnown"] == nil)
        return commit["operations"]?.array?.map { $0["previous"] } ?? []
    }

    private static let depth: JSON = ["type": "int", "default": 0]

    private static func make(_ name: String, _ service: InProcessService) throws -> SessionClient {
        try SessionClient.make(
            name, on: service.url,
            [
                "traits": [
                    "size": ["type": "int", "default": 1],
                    "mode": ["type": "enum", "cases": ["off": 0, "on": 1], "default": "off"],
                ],
                "nodes": [
                    .node("a", with: ["label": "A", "overrides": ["size": 2]]),
                    .node("b", in: "a", overrides: ["size": 3]),
                    .node("c", in: "b"),
                ],
            ])
    }

    @Test("A deleted node is shown as it was, with the number of nodes below it")
    func nodes() throws {
        let service = try InProcessService()
        let session = try Self.make("deleted", service)
        try session.transaction([
            ["op": "defineEnvironmentKey", "key": "depth", "definition": Self.depth],
            ["op": "setEnvironment", "node": "b", "key": "depth", "value": 4],
            ["op": "setSupplied", "node": "b", "trait": "userInterfaceStyle", "value": "dark"],
        ])
        try session.delete("nodes/b")
        #expect(
            try Self.previous(session) == [
                [
                    "kind": "environment", "parent": "a", "overrides": ["size": 3],
                    "supplied": ["userInterfaceStyle": "dark"], "environment": ["depth": 4],
                    "nodesBelow": 1,
                ]
            ])
        try session.delete("nodes/a")
        #expect(
            try Self.previous(session) == [
                [
                    "kind": "environment", "parent": .null, "label": "A", "overrides": ["size": 2],
                ]
            ])
    }

    @Test("Updated and deleted definitions are shown as they were")
    func definitions() throws {
        let service = try InProcessService()
        let session = try Self.make("redefined", service)
        let color: JSON = ["variants": [["when": [:], "value": "#FF0000"]]]
        try session.transaction([
            ["op": "updateTrait", "trait": "size", "patch": ["default": 7, "name": "Size"]],
            ["op": "updateTrait", "trait": "size", "patch": ["default": 8]],
            ["op": "updateTrait", "trait": "mode", "patch": ["cases": ["auto": 2]]],
            ["op": "updateTrait", "trait": "mode", "patch": ["cases": ["auto": 2]]],
            ["op": "defineColor", "color": "tint", "definition": color],
            ["op": "defineEnvironmentKey", "key": "depth", "definition": Self.depth],
        ])
        #expect(
            try Self.previous(session) == [
                ["default": 1, "name": "size"], ["default": 7], ["cases": ["auto": .null]], nil,
                nil, nil,
            ])
        let definition = try session.get("traits/mode").json
        try session.transaction([
            ["op": "deleteTrait", "trait": "mode"],
            ["op": "deleteEnvironmentKey", "key": "depth"],
            ["op": "deleteColor", "color": "tint"],
        ])
        let previous = try Self.previous(session)
        #expect(previous[0]?["cases"] == definition["cases"] && previous[0]?["default"] == "off")
        #expect(previous[1]?["type"] == "int" && previous[1]?["default"] == 0)
        #expect(previous[2]?["variants"]?.array?.count == 1)
    }

    @Test("Each operation meets the state that those before it in the commit have made")
    func withinACommit() throws {
        let service = try InProcessService()
        let session = try Self.make("within", service)
        try session.transaction([
            .renameNode("a", to: "z"),
            .setOverride("size", at: "z", 5),
            .renameTrait("size", to: "width"),
            .setOverride("width", at: "z", 6),
            .createNode("n", "environment", overrides: ["width": 9]),
            .removeOverride("width", at: "n"),
            .deleteNode("n"),
            .createNode("n", "environment"),
            .setOverride("width", at: "n", 1),
        ])
        #expect(
            try Self.previous(session) == [
                nil, 2, nil, 5, nil, 9, ["kind": "environment", "parent": .null], nil, nil,
            ])
    }

    @Test("Moved nodes, registrations and scopes are shown as they were")
    func places() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("places", cells: 2, on: service.url)
        try session.transaction([
            .register("r1", at: "cell0", ["theme"]),
            ["op": "setScope", "node": "cell0", "scope": "draw", "reads": ["theme"]],
        ])
        try session.transaction([
            ["op": "moveNode", "node": "cell0", "after": "cell1"],
            ["op": "setScope", "node": "cell0", "scope": "draw", "reads": ["displayScale"]],
            ["op": "removeScope", "node": "cell0", "scope": "draw"],
            ["op": "unregister", "registration": "r1"],
        ])
        #expect(
            try Self.previous(session) == [
                ["before": "cell1"], ["theme"], ["displayScale"],
                ["node": "cell0", "traits": ["theme"]],
            ])
    }

    @Test("The first commit of a session is known, too")
    func first() throws {
        let service = try InProcessService()
        let session = try Self.make("first", service)
        #expect(try session.revision() == 1)
        #expect(try Self.previous(session).allSatisfy { $0 == nil })
        let empty = try SessionClient.make("empty", on: service.url, [:])
        try empty.transaction([
            .createNode("n", "environment"),
            .setOverride("userInterfaceStyle", at: "n", "dark"),
            .removeOverride("userInterfaceStyle", at: "n"),
        ])
        #expect(try Self.previous(empty).last == "dark")
    }
}
