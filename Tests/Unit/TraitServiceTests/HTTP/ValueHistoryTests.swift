// The history of a resolved value, and the filters of the history.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("The history of a value")
struct ValueHistoryTests {
    private static func changes(_ session: SessionClient, _ rest: String) throws -> [JSON] {
        let answer = try session.get("nodes/\(rest)")
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json["changes"]?.array ?? []
    }

    @Test("Every change is listed with the value before, its source and what decided it")
    func changes() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("values", cells: 2, on: service.url)
        let begun = try session.revision()
        try session.override("theme", at: "scene", "pastel")
        try session.override("displayScale", at: "scene", .int(2))
        try session.override("theme", at: "middle", "bold")
        // Not what decides at the cell.
        try session.override("theme", at: "scene", "monochrome")
        try session.removeOverride("theme", at: "middle")
        try session.delete("nodes/cell1")
        let head = try session.revision()
        let page = try session.get("nodes/cell0/traits/theme/history").json
        #expect(page["node"] == "cell0" && page["trait"] == "theme")
        #expect(page["revision"]?.int == head && page["oldestRevision"]?.int == 1)
        let changes = page["changes"]?.array ?? []
        #expect(
            changes.compactMap { $0["revision"]?.int } == [
                begun + 5, begun + 3, begun + 1, begun, 1,
            ])
        #expect(changes.map { $0["value"] } == ["monochrome", "bold", "pastel", "standard", nil])
        #expect(changes.map { $0["previous"] } == ["bold", "pastel", "standard", .null, .null])
        #expect(changes.map { $0["begins"] } == [nil, nil, nil, nil, true])
        #expect(changes.last?["state"] == "absent")
        #expect(changes[1]["source"]?["node"] == "middle")
        #expect(changes[0]["operations"] == [.removeOverride("theme", at: "middle")])
        #expect(changes[2]["operations"] == [.setOverride("theme", at: "scene", "pastel")])
        #expect(changes[2]["cause"]?["requestId"]?.string != nil)
        let gone = try Self.changes(session, "cell1/traits/theme/history")
        #expect(gone.first?["state"] == "absent")
        #expect(gone.first?["previous"] == "monochrome")
        #expect(gone.first?["operations"] == [.deleteNode("cell1")])
    }

    @Test("New definitions decide a value, too, and new names do not")
    func definitions() throws {
        let session = try InProcessService().session(
            "decided",
            [
                "traits": ["size": ["type": "int", "default": 1]],
                "nodes": [.node("a"), .node("b", in: "a")],
            ])
        let operations: [JSON] = [
            ["op": "updateTrait", "trait": "size", "patch": ["default": 2]],
            .renameTrait("size", to: "width"),
            .renameNode("b", to: "c"),
        ]
        for operation in operations { try session.transaction([operation]) }
        // A new name is no other value, and each name leads to the same history.
        for place in ["c/traits/width", "b/traits/size"] {
            let changes = try Self.changes(session, "\(place)/history")
            #expect(changes.map { $0["operations"] } == [[operations[0]], nil], "\(changes)")
        }
    }

    @Test("A definition that writes the same value otherwise is no change of it")
    func sameValue() throws {
        let session = try InProcessService().session(
            "same",
            [
                "traits": [
                    "box": [
                        "type": "struct", "fields": ["w": "int", "s": "string"],
                        "default": ["w": 1, "s": ""],
                    ]
                ],
                "nodes": [.node("n")],
            ])
        try session.transaction([
            ["op": "updateTrait", "trait": "box", "patch": ["type": "json"]]
        ]).success()
        let changes = try Self.changes(session, "n/traits/box/history")
        #expect(changes.map { $0["begins"] } == [true])
    }

    @Test("Pages go on from the revision of the first one, and from and to bound the search")
    func pages() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("pages", on: service.url)
        let begun = try session.revision()
        for round in 0..<10 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 2)))
        }
        let all = try Self.changes(session, "cell0/traits/displayScale/history")
        #expect(all.count == 12)
        var found: [JSON] = []
        var token = ""
        repeat {
            let page = try session.get(
                "nodes/cell0/traits/displayScale/history?pageSize=3\(token)"
            ).json
            found += page["changes"]?.array ?? []
            // A newer change does not shift the pages.
            try session.override("displayScale", at: "window", .int(Int64(found.count + 90)))
            token = page["nextPageToken"]?.string.map { "&pageToken=\($0)" } ?? ""
        } while !token.isEmpty
        #expect(found == all)
        let some = try Self.changes(
            session, "cell0/traits/displayScale/history?from=\(begun + 3)&to=\(begun + 5)")
        #expect(some.compactMap { $0["revision"]?.int } == [begun + 5, begun + 4, begun + 3])
        #expect(some.last?["begins"] == true && some.last?["value"] == all[7]["value"])
        _ = try expectProblem(
            session.get("nodes/cell0/traits/displayScale/history?from=5&to=4"), 400,
            "malformed-parameter")
        _ = try expectProblem(
            session.get("nodes/cell0/traits/displayScale/history?from=noon"), 400,
            "malformed-parameter")
        _ = try expectProblem(session.get("nodes/lost/traits/theme/history"), 404, "unknown-node")
        _ = try expectProblem(session.get("nodes/cell0/traits/lost/history"), 404, "unknown-trait")
    }

    @Test("In a layout session a change is what the node shows")
    func layout() throws {
        let session = try InProcessService().session("layout", ["updates": "layout"])
        try session.transaction(SampleHierarchy.operations(cells: 1))
        _ = try session.send("POST", "layout", [:])
        try session.override("theme", at: "scene", "bold")
        let written = try session.revision()
        _ = try session.send("POST", "layout", [:])
        let changes = try Self.changes(session, "cell0/traits/theme/history")
        #expect(changes.first?["value"] == "bold")
        #expect(changes.first?["revision"]?.int == written + 1)
        #expect(changes.first?["operations"] == [["op": "layout"]])
    }

    @Test("The filters of the history leave what they say")
    func filters() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("filters", on: service.url)
        let begun = try session.revision()
        try session.override("theme", at: "scene", "pastel")
        try session.override("theme", at: "middle", "bold")
        try session.override("theme", at: "scene", "monochrome")
        try session.delete("nodes/cell0")
        func revisions(_ query: String) throws -> [Int64] {
            let answer = try session.get("history?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            return try answer.json["commits"]?.array?.compactMap { $0["revision"]?.int } ?? []
        }
        #expect(try revisions("resolved=cell0:theme") == [begun + 4, begun + 2, begun + 1, begun])
        #expect(try revisions("resolved=scene:theme") == [begun + 3, begun + 1, begun])
        #expect(try revisions("kind=deleteNode") == [begun + 4])
        #expect(try revisions("since=\(begun + 2)&until=\(begun + 3)") == [begun + 3, begun + 2])
        #expect(try revisions("since=2999-01-01T00:00:00Z") == [])
        #expect(try revisions("until=2999-01-01T00:00:00Z&pageSize=1") == [begun + 4])
        #expect(try revisions("caller=nobody") == [])
        #expect(try revisions("reason=INC") == [])
        #expect(try revisions("manager=ci") == [])
        for bad in ["resolved=theme", "resolved=a:b:c", "kind=paint", "since=noon"] {
            _ = try expectProblem(session.get("history?\(bad)"), 400, "malformed-parameter")
        }
        let document = try session.get("export").json
        _ = try session.send("PUT", "apply?manager=ci", document)
        _ = try session.send("PUT", "apply?manager=ci&force=true", document)
        #expect(try revisions("manager=ci").count <= 1)
    }

    @Test("Operations say what they replaced")
    func previous() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("replaced", on: service.url)
        try session.override("theme", at: "scene", "pastel")
        try session.override("theme", at: "scene", "bold")
        try session.removeOverride("theme", at: "scene")
        try session.transaction([
            .setOverride("theme", at: "scene", "bold"),
            .setOverride("theme", at: "scene", "pastel"),
            ["op": "updateNode", "node": "cell0", "label": "One"],
        ])
        try session.transaction([
            ["op": "updateNode", "node": "cell0", "label": "Two", "parent": "middle"]
        ])
        let commits = try session.get("history?operations=true&pageSize=5").json["commits"]?.array
        let operations = try #require(commits).map { $0["operations"]?.array ?? [] }
        #expect(operations[4][0]["previous"] == nil)
        #expect(operations[3][0]["previous"] == "pastel")
        #expect(operations[2][0]["previous"] == "bold")
        #expect(operations[1].map { $0["previous"] } == [nil, "bold", ["label": .null]])
        #expect(operations[0][0]["previous"] == ["parent": "list", "label": "One"])
    }
}
