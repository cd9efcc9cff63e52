// Histories and their filters follow the names of nodes and traits, back and on.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Names in histories")
struct FollowedNamesTests {
    private static func session(
        _ name: String, propagation: String = "unified"
    ) throws -> SessionClient {
        try InProcessService().session(
            name,
            [
                "propagation": .string(propagation),
                "traits": ["b": ["type": "int", "default": 0]],
                "nodes": [
                    .node("top", "window"),
                    .node("e", "view", in: "top"),
                    .node("c", "view", in: "e"),
                    .node("vc", "viewController", in: "top"),
                    .node("v", "view", in: "e", with: ["controller": "vc"]),
                ],
            ])
    }

    private static func history(_ session: SessionClient, _ query: String) throws -> [Int64] {
        let answer = try session.get("history?\(query)").success().json
        return (answer["commits"]?.array ?? []).compactMap { $0["revision"]?.int }
    }

    private static func changes(_ session: SessionClient, _ place: String) throws -> [JSON] {
        try session.get("nodes/\(place)/history").success().json["changes"]?.array ?? []
    }

    @Test("What decides a value is found under each name that a node above had")
    func deciders() throws {
        let session = try Self.session("deciders")
        try session.override("b", at: "e", .int(3))
        try session.send("PATCH", "nodes/e", ["id": "E"]).success()
        try session.removeOverride("b", at: "E")
        // Two nodes exchange their names in the commit that decides.
        try session.send(
            "POST", "transactions",
            [
                "operations": [
                    .setOverride("b", at: "E", 5),
                    .renameNode("E", to: "x"),
                    .renameNode("top", to: "E"),
                    .setOverride("b", at: "E", 6),
                ]
            ]
        ).success()
        try session.removeOverride("b", at: "x")
        let changes = try Self.changes(session, "c/traits/b")
        let operations = changes.map { ($0["operations"]?.array ?? []).map { $0["op"]?.string } }
        #expect(
            operations == [
                ["removeOverride"], ["setOverride", "renameNode", "renameNode"],
                ["removeOverride"], ["setOverride"], [],
            ])
        #expect(changes[1]["operations"]?.array?.first?["value"] == 5)
    }

    @Test("A value's history goes back beyond the present names of its node and trait, and on")
    func valueHistory() throws {
        let session = try Self.session("back")
        try session.override("b", at: "c", .int(1))
        try session.send("PATCH", "nodes/c", ["id": "d"]).success()
        try session.override("b", at: "d", .int(2))
        try session.send(
            "POST", "transactions",
            ["operations": [.renameTrait("b", to: "count")]]
        ).success()
        try session.override("count", at: "d", .int(3))
        // Another node has the former name now, and is another one.
        try session.send("PUT", "nodes/c", ["kind": "view", "parent": "e"]).success()
        let wanted: [JSON] = [3, 2, 1, 0]
        #expect(try Self.changes(session, "d/traits/count").map { $0["value"] ?? .null } == wanted)
        try session.delete("nodes/c").success()
        try session.delete("nodes/d").success()
        // No node has the names any more: the history says what was there under them.
        let gone = try Self.changes(session, "d/traits/count")
        #expect(gone.map { $0["value"] ?? "absent" } == ["absent"] + wanted)
    }

    @Test("A former name that nothing has now leads to what has another name")
    func formerName() throws {
        let session = try Self.session("former")
        try session.override("b", at: "c", .int(1))
        try session.send("PATCH", "nodes/c", ["id": "d"]).success()
        try session.send("PATCH", "nodes/d", ["id": "f"]).success()
        try session.override("b", at: "f", .int(2))
        for name in ["c", "d", "f"] {
            let values = try Self.changes(session, "\(name)/traits/b").map { $0["value"]?.int }
            #expect(values == [2, 1, 0], "\(name)")
            #expect(try Self.history(session, "node=\(name)") == [5, 4, 3, 2, 1], "\(name)")
            let resolved = try Self.history(session, "resolved=\(name):b")
            #expect(resolved == [5, 2], "\(name)")
        }
        // Pages follow the names as well.
        let page = try session.get("history?node=f&pageSize=2").json
        let token = try #require(page["nextPageToken"]?.string)
        #expect(try Self.history(session, "node=f&pageSize=2&pageToken=\(token)") == [3, 2])
        try session.send(
            "POST", "transactions",
            ["operations": [.renameTrait("b", to: "count")]]
        ).success()
        #expect(try Self.history(session, "trait=count") == [6, 5, 2, 1])
        #expect(try Self.history(session, "trait=b") == [6, 5, 2, 1])
        #expect(try Self.history(session, "trait=b&node=c") == [5, 2])
        #expect(try Self.history(session, "until=2&node=f") == [2, 1])
    }

    @Test("With legacy propagation a node ends with its structural parent, which the history names")
    func legacy() throws {
        let session = try Self.session("legacy", propagation: "legacy")
        try session.override("b", at: "vc", .int(3))
        try session.delete("nodes/e").success()
        let changes = try Self.changes(session, "v/traits/b")
        #expect(changes.first?["state"] == "absent")
        #expect(changes.first?["operations"] == [.deleteNode("e")])
    }
}
