// Reverting over HTTP: the answer, what stays, what is refused, and a restart afterwards.

import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("Reverts")
struct RevertTests {
    private static let theme: JSON = [
        "type": "enum", "cases": ["plain": 0, "bold": 1], "default": "plain",
    ]

    /// A session at revision 1, and its client.
    private static func session(_ fixture: InProcessService) throws -> SessionClient {
        try SessionClient.make(
            "revert", on: fixture.url,
            [
                "traits": ["theme": theme],
                "nodes": [
                    .node("top", overrides: ["theme": "bold"]),
                    .node("a", in: "top", with: ["label": "A"]),
                    .node("a1", in: "a"),
                    .node("b", in: "top"),
                ],
            ])
    }

    private static func export(_ session: SessionClient) throws -> JSON {
        try session.get("export?specified=true").success().json
    }

    @discardableResult
    private static func revert(
        _ session: SessionClient, _ body: JSON, _ query: String = "", fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        try session.send("POST", "revert" + query, body, fields: fields)
    }

    @Test(
        "A revert brings back definitions, nodes, order, values and managers, and a restart agrees")
    func whole() throws {
        let log = MemoryLog()
        var fixture = try InProcessService(log: log)
        var session = try Self.session(fixture)
        try session.send(
            "PUT", "apply?manager=ci",
            ["nodes": [.node("b", in: "top", overrides: ["theme": "bold"])]]
        ).success()
        let remembered = try Self.export(session)
        let target = try session.revision()
        try session.put("registrations/r", ["node": "top", "traits": ["theme"]])
        try session.put("registrations/b", ["node": "b", "traits": ["theme"]])
        try session.transaction([
            .setOverride("theme", at: "b", "plain"),
            .removeOverride("theme", at: "top"),
            .deleteNode("a"),
            .createNode("late", "environment", in: "b"),
            .register("late", at: "late", ["theme"]),
            .defineTrait("extra", ["type": "int", "default": 1]),
            ["op": "moveNode", "node": "b", "parent": nil],
        ])
        let head = try session.revision()
        let dry = try Self.revert(session, ["revision": .int(Int64(target))], "?dryRun=true")
            .success().json
        #expect(dry["revertedTo"]?.int == target && dry["dryRun"] == true)
        #expect(dry["counts"]?["createNode"] == 2)
        #expect(dry["operations"]?.array?.isEmpty == false)
        #expect(dry["ended"]?["registrations"] == ["late"])
        #expect(try session.revision() == head)
        let stale = try Self.revert(
            session, ["revision": 1], fields: [HTTPField("If-Match", "\"x.1\"")])
        try expectProblem(stale, 412, "revision-mismatch")
        let key = [HTTPField("Idempotency-Key", "k")]
        let body: JSON = ["revision": .int(Int64(target)), "reason": "the beta is over"]
        let answer = try Self.revert(session, body, fields: key).success()
        #expect(try answer.json["revision"]?.int == head + 1)
        #expect(try answer.json["ended"]?["registrations"] == ["late"])
        let again = try Self.revert(session, body, fields: key).success()
        #expect(again[header: "Idempotency-Replayed"] == "true" && again.text == answer.text)
        let commit = try session.get("history?pageSize=1").success().json["commits"]?[0]
        #expect(commit?["cause"]?["reason"] == "the beta is over")
        func check() throws {
            let now = try Self.export(session)
            #expect(now.with("registrations", nil) == remembered.with("registrations", nil))
            #expect(try session.get("registrations/r").status == 200)
            #expect(try session.get("registrations/b").status == 200)
            #expect(try session.get("registrations/late").status == 404)
            let explained = try session.get("nodes/b/traits/theme?explain=true").success()
            #expect(explained.text.contains("\"setBy\":\"ci\""))
        }
        try check()
        let unchanged = try Self.revert(session, ["revision": .int(Int64(target))]).success().json
        #expect(unchanged["unchanged"] == true && unchanged["revision"]?.int == head + 1)
        let present = try Self.revert(session, ["revision": .int(Int64(head + 1))]).success().json
        #expect(present["unchanged"] == true)
        fixture.stop()
        fixture = try InProcessService(log: log)
        try fixture.service.store.openAll()
        session = try SessionClient(session.name, on: fixture.url)
        try check()
        #expect(try session.revision() == head + 1)
    }

    @Test("A revert of a subtree leaves the others, and takes back what has moved out of it")
    func subtree() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.transaction([
            .setOverride("theme", at: "a", "bold"),
            .setOverride("theme", at: "b", "bold"),
            ["op": "updateNode", "node": "a", "label": "other"],
            ["op": "moveNode", "node": "a1", "parent": "b"],
            .createNode("new", "environment", in: "a1"),
        ])
        try Self.revert(session, ["revision": 1, "nodes": ["a"], "move": true]).success()
        let a = try session.get("nodes/a").success().json
        #expect(a["label"] == "A")
        #expect(try session.get("nodes/a1").success().json["parent"] == "a")
        #expect(try session.get("nodes/new").success().json["parent"] == "a1")
        #expect(try session.get("nodes/a/overrides/theme").status == 404)
        #expect(try session.get("nodes/b/overrides/theme").success().json["value"] == "bold")
        let unknown = try Self.revert(session, ["revision": 1, "nodes": ["a", "no"]])
        #expect(try expectProblem(unknown, 422, "unknown-node")["pointer"] == "/nodes/1")
    }

    @Test("A subtree gets its values by the present definitions; one that does not fit is refused")
    func redefined() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let zero: JSON = ["x": 0, "y": 0]
        try session.put("traits/size", ["type": "int", "default": 1])
        try session.put(
            "traits/place",
            ["type": "struct", "fields": ["x": "int", "y": "int"], "default": zero])
        try session.override("size", at: "a", 3)
        try session.override("place", at: "a", ["x": 1, "y": 2])
        let target = JSON.int(Int64(try session.revision()))
        try session.send("PATCH", "traits/size", ["type": "double"]).success()
        try session.override("size", at: "a", 4.5)
        try session.delete("nodes/a/overrides/place")
        try session.delete("traits/place")
        try session.put(
            "traits/place",
            ["type": "struct", "fields": ["y": "int", "x": "int"], "default": zero])
        try Self.revert(session, ["revision": target, "nodes": ["a"]]).success()
        #expect(try session.get("nodes/a/overrides/size").success().json["value"] == 3)
        let place = try session.get("nodes/a/overrides/place").success().json["value"]
        #expect(place == ["x": 1, "y": 2])

        try session.delete("nodes/a/overrides/size")
        try session.delete("traits/size")
        try session.put("traits/size", ["type": "string", "default": "s"])
        let mismatch = try expectProblem(
            try Self.revert(session, ["revision": target, "nodes": ["a"]]), 422, "type-mismatch")
        #expect(mismatch["pointer"] == "/value")
        #expect(
            mismatch["operation"]
                == ["op": "setOverride", "node": "a", "trait": "size", "value": 3])
        try session.delete("nodes/a")
        let parent = try expectProblem(
            try Self.revert(session, ["revision": target, "nodes": ["a1"]]), 422, "unknown-parent")
        #expect(parent["pointer"] == "/parent")
        #expect(parent["operation"]?["op"] == "createNode")
    }

    @Test("A node whose parent and controller are gone is refused for both")
    func orphan() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.put("nodes/c", ["kind": "viewController"])
        try session.put("nodes/v", ["kind": "view", "parent": "a", "controller": "c"])
        let target = JSON.int(Int64(try session.revision()))
        for node in ["v", "a", "c"] { try session.delete("nodes/\(node)") }
        let problem = try expectProblem(
            try Self.revert(session, ["revision": target, "nodes": ["v"]]), 422, "unknown-parent")
        let pointers = problem["errors"]?.array?.compactMap { $0["pointer"]?.string }
        #expect(pointers == ["/parent", "/controller"])
    }

    @Test("What cannot be reverted is refused as a whole, with the operation")
    func refusals() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.put("traits/extra", ["type": "int", "default": 1])
        try session.put("registrations/r", ["node": "top", "traits": ["extra"]])
        try session.put("nodes/b/overrides/theme", ["value": "bold"])
        let head = try session.revision()
        let before = try Self.export(session)
        for query in ["", "?dryRun=true"] {
            let problem = try expectProblem(
                try Self.revert(session, ["revision": 1], query), 409, "in-use")
            #expect(problem["operation"] == ["op": "deleteTrait", "trait": "extra"])
        }
        #expect(try session.revision() == head)
        #expect(try Self.export(session) == before)
        // The registration's own revision is no obstacle.
        try Self.revert(session, ["revision": 2]).success()
        try expectProblem(try Self.revert(session, ["revision": 99]), 409, "revision-ahead")
        try expectProblem(
            try Self.revert(session, ["at": "1999-01-01T00:00:00Z"]), 410, "history-gone")
        for (body, code) in [
            ([:], "missing-member"),
            (["revision": 1, "at": "2026-01-01T00:00:00Z"], "malformed-body"),
            (["at": "2026-01-01T00:00:00"], "malformed-body"), (["revision": 0], "malformed-body"),
            (["revision": "1"], "malformed-body"),
            (["revision": 1, "nodes": []], "malformed-body"),
            (["revision": 1, "nodes": [1]], "malformed-body"), (["revison": 1], "unknown-member"),
            (["revision": 1, "reason": ""], "malformed-reason"),
        ] as [(JSON, String)] {
            try expectProblem(try Self.revert(session, body), 400, code)
        }
        let both = try Self.revert(
            session, ["revision": 1, "reason": "a"], fields: [HTTPField("Traitd-Reason", "a")])
        try expectProblem(both, 400, "malformed-body")
    }

    @Test("A time finds the newest revision at or before it")
    func time() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.put("nodes/b/overrides/theme", ["value": "bold"])
        let commits = try session.get("history").success().json["commits"]
        let newest = try #require(commits?[0]?["time"])
        let answer = try Self.revert(session, ["at": newest]).success().json
        #expect(answer["revertedTo"]?.int == 2 && answer["unchanged"] == true)
    }

    @Test("A detached node that keeps a value of a later definition does not forbid a revert")
    func detached() throws {
        let fixture = try InProcessService()
        for updates in ["immediate", "layout"] {
            for propagation in ["unified", "legacy"] {
                let session = try fixture.session(
                    "\(updates)-\(propagation)",
                    [
                        "updates": .string(updates), "propagation": .string(propagation),
                        "nodes": [
                            .node("e"),
                            .node("old", "view", in: "e"),
                            .node("vc", "viewController"),
                            .node("v", "view", with: ["controller": "vc"]),
                        ],
                    ])
                let before = try Self.export(session)
                try session.send("PUT", "traits/b", ["type": "int", "default": 0]).success()
                try session.send(
                    "PUT", "environmentKeys/k", ["type": "int", "default": 0]
                ).success()
                try session.override("b", at: "e", .int(3))
                try session.send("PUT", "nodes/e/environment/k", ["value": 4]).success()
                try session.send("PUT", "nodes/w", ["kind": "view", "parent": "e"]).success()
                try session.send("PUT", "nodes/x", ["kind": "view", "parent": "w"]).success()
                try session.send("PATCH", "nodes/v", ["parent": "e"]).success()
                try session.send("POST", "layout", [:]).success()
                for node in ["w", "old", "v"] {
                    try session.send("PATCH", "nodes/\(node)", ["parent": .null]).success()
                }
                let now = try Self.export(session)
                let compared = try session.get("compare?revision=1&with=.").success().json
                try session.send(
                    "POST", "transactions",
                    ["operations": try #require(compared["operations"])]
                ).success()
                #expect(try Self.export(session) == before, "\(updates) \(propagation)")
                try Self.revert(session, ["revision": .int(try session.revision() - 1)]).success()
                #expect(try Self.export(session) == now, "\(updates) \(propagation)")
                try Self.revert(session, ["revision": 1]).success()
                #expect(try Self.export(session) == before, "\(updates) \(propagation)")
            }
        }
    }

    @Test("A repeated revert has its first answer, whatever is readable and where the session is")
    func repeated() throws {
        var limits = ServiceLimits()
        limits.retainedCommitsMin = 2
        limits.retainedCommitsMax = 2
        let fixture = try InProcessService(limits: limits)
        let session = try Self.session(fixture)
        try session.override("theme", at: "b", "bold")
        let uid = try #require(try session.get("").json["uid"]?.string)
        let fields = [
            HTTPField("Idempotency-Key", "once"), HTTPField("If-Match", "\"\(uid).2\""),
        ]
        let first = try Self.revert(session, ["revision": 1], fields: fields).success()
        for value in 1...8 {
            try session.send("PATCH", "nodes/b", ["label": .string("\(value)")]).success()
        }
        #expect(try Self.revert(session, ["revision": 1]).status == 410)
        let again = try Self.revert(session, ["revision": 1], fields: fields)
        #expect(again.status == 200 && again.text == first.text, "\(again.text)")
        let other = try Self.revert(session, ["revision": 2], fields: fields)
        #expect(try other.json["code"] == "idempotency-key-reused")
    }

    @Test("A revert of a subtree touches what is in it now or was then, and asks before it moves")
    func elsewhere() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let begun = try session.revision()
        try session.send("PATCH", "nodes/a1", ["parent": "b"]).success()
        try session.send("PUT", "nodes/below", ["kind": "environment", "parent": "a1"]).success()
        try session.send("PUT", "nodes/new", ["kind": "environment", "parent": "a"]).success()
        let body: JSON = ["revision": .int(begun), "nodes": ["a"]]
        let refused = try Self.revert(session, body)
        #expect(refused.status == 409)
        #expect(try refused.json["places"] == [["node": "a1", "parent": "b"]])
        let moving: JSON = ["revision": .int(begun), "nodes": ["a"], "move": true]
        try Self.revert(session, moving).success()
        #expect(try session.get("nodes/a1").json["parent"] == "a")
        // It is in the subtree neither now nor then.
        #expect(try session.get("nodes/below").json["parent"] == "a1")
        #expect(try session.get("nodes/new").status == 404)
        // What came in from elsewhere goes back only when that is asked for.
        try session.send("PATCH", "nodes/b", ["parent": "a"]).success()
        let inside = try Self.revert(session, body)
        #expect(try inside.json["places"] == [["node": "b", "parent": "top"]])
        try Self.revert(session, moving).success()
        #expect(try session.get("nodes/b").json["parent"] == "top")
        // A node of another kind cannot become the former one.
        try session.delete("nodes/a1").success()
        try session.send("PUT", "nodes/a1", ["kind": "windowScene"]).success()
        #expect(try Self.revert(session, moving).status == 409)
    }
}
