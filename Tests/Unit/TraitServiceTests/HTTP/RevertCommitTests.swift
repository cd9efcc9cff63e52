// Taking back one commit: what later commits changed stays, and what they changed of the same is a conflict.

import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("Reverts of one commit")
struct RevertCommitTests {
    /// Two environments below a third, with a trait `n`, at revision 1.
    private static func session(_ fixture: InProcessService) throws -> SessionClient {
        try SessionClient.make(
            "undo", on: fixture.url,
            [
                "traits": ["n": ["type": "int", "default": 0]],
                "nodes": [
                    .node("top"),
                    .node("a", in: "top", overrides: ["n": 1]),
                    .node("b", in: "top"),
                ],
            ])
    }

    @discardableResult
    private static func undo(
        _ session: SessionClient, _ commit: Int, _ more: JSON = [:], _ query: String = "",
        fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        try session.send(
            "POST", "revert" + query, more.with("commit", .int(Int64(commit))), fields: fields)
    }

    private static func document(_ session: SessionClient) throws -> JSON {
        try session.get("export?specified=true").success().json
    }

    @Test("What a commit changed goes back, and what came later stays", arguments: [false, true])
    func alone(hasLog: Bool) throws {
        let log = MemoryLog()
        let fixture = hasLog ? try InProcessService(log: log) : try InProcessService()
        let session = try Self.session(fixture)
        try session.transaction([
            .setOverride("n", at: "a", 2),
            .setOverride("n", at: "b", 3),
            .createNode("c", "environment", in: "top"),
            ["op": "updateNode", "node": "b", "label": "B"],
            .defineTrait("m", ["type": "int", "default": 7]),
        ]).success()
        try session.override("n", at: "top", 9)
        let plan = try Self.undo(session, 2, [:], "?dryRun=true").success().json
        #expect(plan["revertedCommit"] == 2 && plan["dryRun"] == true && plan["revision"] == 4)
        #expect(plan["operations"]?.array?.isEmpty == false)
        #expect(try session.revision() == 3)
        let key = [HTTPField("Idempotency-Key", "once")]
        let answer = try Self.undo(session, 2, ["reason": "TICKET-9"], fields: key).success()
        #expect(try answer.json["revertedCommit"] == 2 && answer.json["revision"] == 4)
        let again = try Self.undo(session, 2, ["reason": "TICKET-9"], fields: key).success()
        #expect(again[header: "Idempotency-Replayed"] == "true" && again.text == answer.text)
        #expect(try session.value(of: "n", at: "a") == 1)
        #expect(try session.value(of: "n", at: "b") == 9)
        #expect(try session.get("nodes/c").status == 404)
        #expect(try session.get("nodes/b").json["label"] == nil)
        #expect(try session.get("traits/m").status == 404)
        let found = try session.get("history?kind=revert").json["commits"]
        #expect(found?[0]?["cause"]?["revert"] == ["commit": 2])
        #expect(found?[0]?["cause"]?["reason"] == "TICKET-9")
        // Another time there is nothing to take back.
        #expect(try Self.undo(session, 2).success().json["unchanged"] == true)
        // The revert is a commit that can be taken back as well.
        try Self.undo(session, 4).success()
        #expect(try session.value(of: "n", at: "a") == 2)
        #expect(try session.get("nodes/c").status == 200)
        #expect(try session.value(of: "m", at: "c") == 7)
    }

    @Test("The newest commit taken back is the revision before it", arguments: 0..<9)
    func newest(number: Int) throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.transaction([
            .createNode("c", "environment", in: "b"),
            .setOverride("n", at: "c", 5),
            .createNode("v", "view", in: "top"),
            .createNode("w", "viewController"),
            ["op": "defineColor", "color": "ink", "definition": ["variants": [["value": "#000"]]]],
        ])
        let before = try Self.document(session)
        let changes: [[JSON]] = [
            [.deleteNode("b")],
            [.renameNode("b", to: "bb"), ["op": "moveNode", "node": "a", "after": "bb"]],
            [.renameNode("a", to: "x"), .renameNode("b", to: "a"), .renameNode("x", to: "b")],
            [.renameTrait("n", to: "m"), .setOverride("m", at: "a", 4)],
            [["op": "updateNode", "node": "a", "parent": "c"]],
            [["op": "moveNode", "node": "b", "before": "a"]],
            [["op": "updateTrait", "trait": "n", "patch": ["default": 6]]],
            [.removeOverride("n", at: "c"), ["op": "updateNode", "node": "c", "label": "C"]],
            // The view is detached, to lose the controller, and attached again.
            [["op": "updateNode", "node": "v", "controller": "w"]],
        ]
        try session.transaction(changes[number]).success()
        #expect(try Self.document(session) != before)
        try Self.undo(session, 3).success()
        #expect(try Self.document(session) == before)
    }

    @Test("A later change of the same thing is a conflict, with its place and revision")
    func conflicts() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.transaction([
            .setOverride("n", at: "a", 2),
            .createNode("c", "environment", in: "top"),
            ["op": "updateNode", "node": "b", "label": "B"],
        ])
        try session.override("n", at: "a", 3)
        let before = try Self.document(session)
        func places(_ commit: Int = 2) throws -> [JSON] {
            let refused = try Self.undo(session, commit)
            try expectProblem(refused, 409, "changed-since")
            let plan = try Self.undo(session, commit, [:], "?dryRun=true")
            try expectProblem(plan, 409, "changed-since")
            return try refused.json["places"]?.array ?? []
        }
        let value: JSON = ["node": "a", "trait": "n", "layer": "override", "revision": 3]
        #expect(try places() == [value])
        #expect(try Self.document(session) == before)
        try session.transaction([.createNode("d", "environment", in: "c")])
        #expect(try places() == [value, ["node": "d", "revision": 4]])
        try session.transaction([["op": "updateNode", "node": "b", "label": "BB"]])
        #expect(
            try places() == [
                value, ["node": "d", "revision": 4],
                ["node": "b", "member": "label", "revision": 5],
            ])
        // What is as it was before the commit is no conflict.
        try session.override("n", at: "a", 1)
        try session.transaction([.deleteNode("c")])
        #expect(try places() == [["node": "b", "member": "label", "revision": 5]])
        let limited = try Self.undo(session, 2, ["nodes": ["a"]]).success()
        #expect(try limited.json["unchanged"] == true)
        // A value of a node that was deleted with one above it.
        try session.transaction([
            .createNode("e", "environment", in: "b"),
            .setOverride("n", at: "e", 8),
        ])
        let made = Int(try session.revision())
        try session.transaction([.setOverride("n", at: "e", 7)])
        try session.transaction([.deleteNode("b")])
        let deleted = try session.revision()
        #expect(try places(made + 1) == [["node": "e", "revision": .int(Int64(deleted))]])
        #expect(try Self.undo(session, made).success().json["unchanged"] == true)
    }

    @Test("New names since are followed, and managers come back")
    func namesAndManagers() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        let document: JSON = ["nodes": [.node("b", in: "top", overrides: ["n": 5])]]
        try session.send("PUT", "apply?manager=ci", document).success()
        try session.override("n", at: "b", 6)
        try session.transaction([.renameNode("b", to: "bb"), .renameTrait("n", to: "m")])
        try Self.undo(session, 3).success()
        let explained = try session.get("nodes/bb/traits/m?explain=true").success()
        #expect(try explained.json["value"] == 5)
        #expect(explained.text.contains("\"setBy\":\"ci\""))
        try Self.undo(session, 4).success()
        #expect(try session.value(of: "n", at: "b") == 5)
        #expect(try session.get("nodes/b/traits/n?explain=true").text.contains("\"setBy\":\"ci\""))
    }

    @Test("A revision that has not happened yet is refused with what can stand in its place")
    func ahead() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.override("n", at: "a", 2)
        for answer in [
            try Self.undo(session, 3), try session.send("POST", "revert", ["revision": 3]),
            try session.get("nodes/a/traits/n?revision=3"),
            try session.get("nodes/a/traits/n/history?from=3"),
            try session.get("nodes/a/traits/n/history?to=3"),
        ] {
            let problem = try expectProblem(answer, 409, "revision-ahead")
            let detail = problem["detail"]?.string ?? ""
            let advice = "revision 3 has not happened yet. Name revision 2 or an older one."
            #expect(detail.hasSuffix("is at revision 2, and \(advice)"), "\(detail)")
            #expect(problem["currentRevision"] == 2)
        }
    }

    @Test("What is no commit that can be taken back is refused")
    func refusals() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture)
        try session.override("n", at: "a", 2)
        try expectProblem(try Self.undo(session, 1), 410, "history-gone")
        try expectProblem(try Self.undo(session, 3), 409, "revision-ahead")
        try expectProblem(try Self.undo(session, 0), 400, "malformed-body")
        try expectProblem(try Self.undo(session, 2, ["revision": 1]), 400, "malformed-body")
        try expectProblem(try Self.undo(session, 2, ["nodes": ["none"]]), 422, "unknown-node")
        let stale = try Self.undo(session, 2, fields: [HTTPField("If-Match", "\"x.1\"")])
        try expectProblem(stale, 412, "revision-mismatch")
        // A commit of a registration alone has nothing to take back.
        try session.put("registrations/r", ["node": "a", "traits": ["n"]])
        #expect(try Self.undo(session, 3).success().json["unchanged"] == true)
        #expect(try session.get("registrations/r").status == 200)
    }
}
