// What a deletion says that it ends: the same in a dry run, for one node, a transaction and an apply.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("What deletions end")
struct EndedPartsTests {
    private static let document: JSON = [
        "nodes": [
            .node("root"),
            .node("a", in: "root", overrides: ["displayScale": 2, "userInterfaceStyle": "dark"]),
            .node("b", in: "a", overrides: ["displayScale": 3]),
        ],
        "registrations": [
            ["id": "r1", "node": "b", "traits": ["displayScale"]],
            ["id": "r2", "node": "a", "traits": ["displayScale"]],
            ["id": "r3", "node": "root", "traits": ["displayScale"]],
        ],
        "scopes": [["node": "b", "scope": "content", "reads": ["displayScale"]]],
    ]

    private static let ended: JSON = [
        "nodes": 2, "overrides": 3, "scopes": 1, "registrations": ["r1", "r2"],
    ]

    private static func session(_ limits: ServiceLimits = ServiceLimits()) throws -> SessionClient {
        let session = try InProcessService(limits: limits).session("ended")
        try session.send("PUT", "apply?manager=ci", document).success()
        return session
    }

    @Test("A dry run of deleting a node says what goes with it, and so does the deletion")
    func node() throws {
        let session = try Self.session()
        let dry = try session.send("DELETE", "nodes/a?dryRun=true").expecting(200).json
        #expect(dry["ended"] == Self.ended && dry["dryRun"] == true)
        #expect(try session.get("nodes/b").status == 200)
        #expect(try session.send("DELETE", "nodes/a").expecting(200).json["ended"] == Self.ended)
    }

    @Test("A transaction and the plan of an apply say the same; what deletes nothing says nothing")
    func others() throws {
        let session = try Self.session()
        let deletion: JSON = ["operations": [.deleteNode("a")]]
        let dry = try session.send("POST", "transactions?dryRun=true", deletion).expecting(200).json
        #expect(dry["ended"] == Self.ended)
        let root: JSON = [
            "nodes": [.node("root")],
            "registrations": [["id": "r3", "node": "root", "traits": ["displayScale"]]],
        ]
        let plan = try session.send("PUT", "apply?manager=ci&prune=true&dryRun=true", root)
            .expecting(200).json
        #expect(plan["ended"] == Self.ended)
        let override = try session.send(
            "PUT", "nodes/a/overrides/displayScale?dryRun=true", ["value": 1])
        #expect(try override.expecting(200).json["ended"] == nil)
        let registration = try session.send("DELETE", "registrations/r3").expecting(200).json
        #expect(
            registration["ended"] == [
                "nodes": 0, "overrides": 0, "scopes": 0, "registrations": ["r3"],
            ])
    }

    @Test("More registrations than an answer lists are said to be more")
    func truncated() throws {
        var limits = ServiceLimits()
        limits.answeredChangesMax = 1
        let session = try Self.session(limits)
        let ended = try session.send("DELETE", "nodes/a").expecting(200).json["ended"]
        #expect(ended?["registrations"]?.array?.count == 1 && ended?["truncated"] == true)
    }

    private static let everything: JSON = [
        "nodes": 3, "overrides": 3, "scopes": 1, "registrations": ["r1", "r2", "r3"],
    ]

    @Test("Deleting a session says what ends with it, and so does the dry run, which ends nothing")
    func session() throws {
        let session = try Self.session()
        let head = try session.revision()
        let dry = try session.send("DELETE", "?dryRun=true").expecting(200).json
        #expect(dry["ended"] == Self.everything && dry["dryRun"] == true)
        #expect(dry["revision"] == .int(head + 1))
        #expect(try session.revision() == head)
        let answer = try session.send("DELETE", "").expecting(200)
        #expect(try answer.json["ended"] == Self.everything)
        #expect(try answer.json["dryRun"] == nil && answer.json["revision"] == .int(head + 1))
        #expect(try session.get("").status == 404)
    }

    @Test("The end of an empty session says that nothing ends; a minimal answer says nothing")
    func small() throws {
        for isMinimal in [false, true] {
            let session = try InProcessService().session("small")
            let fields = isMinimal ? [HTTPField("Prefer", "return=minimal")] : []
            let answer = try session.send("DELETE", "", nil, fields: fields)
            #expect(answer.status == (isMinimal ? 204 : 200))
            if isMinimal { continue }
            let none: JSON = ["nodes": 0, "overrides": 0, "scopes": 0, "registrations": []]
            #expect(try answer.json["ended"] == none)
        }
    }

    @Test(
        "A session that takes long to count, with more registrations than an answer lists, says so too",
        arguments: [1_000, 1_001])
    func large(count: Int) throws {
        var limits = ServiceLimits()
        limits.answeredChangesMax = 2
        let session = try InProcessService(limits: limits).session("large")
        let nodes = (0..<count).map { number -> JSON in
            .node("n\(number)", overrides: ["displayScale": 2])
        }
        let registrations = (0..<3).map { number -> JSON in
            ["id": .string("r\(number)"), "node": "n0", "traits": ["displayScale"]]
        }
        try session.send(
            "PUT", "apply", ["nodes": .array(nodes), "registrations": .array(registrations)]
        ).success()
        for query in ["?dryRun=true", ""] {
            let ended = try session.send("DELETE", query).expecting(200).json["ended"]
            #expect(ended?["nodes"] == .int(Int64(count)))
            #expect(ended?["overrides"] == .int(Int64(count)))
            #expect(ended?["registrations"] == ["r0", "r1"] && ended?["truncated"] == true)
        }
        #expect(try session.get("").status == 404)
    }
}
