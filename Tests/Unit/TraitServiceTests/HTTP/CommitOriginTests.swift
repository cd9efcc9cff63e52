// What a commit came from, in its cause, and what the server says of sessions that have ended.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Origins of commits")
struct CommitOriginTests {
    private static func history(_ session: SessionClient, _ query: String) throws -> [JSON] {
        try session.get("history?\(query)").success().json["commits"]?.array ?? []
    }

    @Test("Reverts, applies and copies are named in history, streams and filters")
    func causes() throws {
        let service = try InProcessService()
        let session = try service.session(
            "origins",
            ["traits": ["b": ["type": "int", "default": 0]], "nodes": [.node("e")]])
        try session.override("b", at: "e", .int(1))
        try session.send("POST", "revert", ["revision": 1, "reason": "back"]).success()
        let document: JSON = ["nodes": [.node("e", with: ["label": "E"])]]
        try session.send("PUT", "apply?manager=ci", document).success()
        let copies: [JSON] = ["f", "g"].map { ["op": "copyNode", "node": "e", "to": .string($0)] }
        try session.transaction(copies).success()
        let origins: [(String, Int64, JSON)] = [
            ("revert", 3, ["revision": 1]), ("apply", 4, ["manager": "ci"]),
            ("copy", 5, ["node": "e", "to": "f", "count": 2]),
        ]
        let page = try session.get("events?from=start&wait=0").success().json
        for (kind, revision, cause) in origins {
            let found = try Self.history(session, "kind=\(kind)")
            #expect(found.compactMap { $0["revision"]?.int } == [revision])
            #expect(found.first?["cause"]?[kind] == cause)
            let record = page["records"]?.array?.first { $0["revision"]?.int == revision }
            #expect(record?["cause"]?[kind] == cause)
        }
        #expect(try Self.history(session, "kind=revert").first?["cause"]?["reason"] == "back")
        #expect(try Self.history(session, "kind=import").isEmpty)
        #expect(try session.get("history?kind=reverts").status == 400)
    }

    @Test("The server says which sessions were made, imported and ended, when they are gone")
    func sessions() throws {
        let service = try InProcessService()
        let session = try service.session("made", ["nodes": [.node("e")]])
        let document = try session.get("export").success().json
        let copy = session.name + "-copy"
        let client = try service.client()
        try client.send("PUT", "/v1/sessions/\(session.name)/import?as=\(copy)", json: document)
            .success()
        try client.send("DELETE", "/v1/sessions/\(copy)").success()
        let events = try client.get("/v1/server/sessions").success().json["events"]?.array ?? []
        #expect(events.map { $0["event"] } == ["ended", "made", "made"])
        #expect(events.map { $0["session"]?.string } == [copy, copy, session.name])
        #expect(events[1]["cause"]?["import"] == ["session": .string(session.name)])
        #expect(events[0]["uid"] == events[1]["uid"])
        #expect(events[0]["cause"]?["requestId"]?.string != nil)
    }
}
