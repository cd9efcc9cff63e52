// What a deletion says that it ends: the same in a dry run, for one node, a transaction and an apply.

import TestSupport
import Testing
import TraitSessions

@Suite("What deletions end", .timeLimit(.minutes(2)))
struct EndedPartsTests {
    private static let document: JSON = [
        "nodes": [
            ["id": "root", "kind": "environment"],
            [
                "id": "a", "kind": "environment", "parent": "root",
                "overrides": ["displayScale": 2, "userInterfaceStyle": "dark"],
            ],
            ["id": "b", "kind": "environment", "parent": "a", "overrides": ["displayScale": 3]],
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

    private static func session(_ limits: ServiceLimits = ServiceLimits()) throws -> (
        InProcessService, SessionClient
    ) {
        let service = try InProcessService(limits: limits)
        let session = try SessionClient.make("ended", on: service.url)
        try session.send("PUT", "apply?manager=ci", document).success()
        return (service, session)
    }

    @Test("A dry run of deleting a node says what goes with it, and so does the deletion")
    func node() throws {
        let (service, session) = try Self.session()
        defer { withExtendedLifetime(service) {} }
        let dry = try session.send("DELETE", "nodes/a?dryRun=true").expecting(200).json
        #expect(dry["ended"] == Self.ended && dry["dryRun"] == true)
        #expect(try session.get("nodes/b").status == 200)
        #expect(try session.send("DELETE", "nodes/a").expecting(200).json["ended"] == Self.ended)
    }

    @Test("A transaction and the plan of an apply say the same; what deletes nothing says nothing")
    func others() throws {
        let (service, session) = try Self.session()
        defer { withExtendedLifetime(service) {} }
        let deletion: JSON = ["operations": [["op": "deleteNode", "node": "a"]]]
        let dry = try session.send("POST", "transactions?dryRun=true", deletion).expecting(200).json
        #expect(dry["ended"] == Self.ended)
        let root: JSON = [
            "nodes": [["id": "root", "kind": "environment"]],
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
        let (service, session) = try Self.session(limits)
        defer { withExtendedLifetime(service) {} }
        let ended = try session.send("DELETE", "nodes/a").expecting(200).json["ended"]
        #expect(ended?["registrations"]?.array?.count == 1 && ended?["truncated"] == true)
    }
}
