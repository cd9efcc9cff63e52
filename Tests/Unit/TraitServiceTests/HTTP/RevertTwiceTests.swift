// Taking back each kind of commit: the session is as before, nothing of the way there is left, and a second time there
// is nothing to take back.

import TestSupport
import Testing

@testable import TraitService

@Suite("Commits taken back twice")
struct RevertTwiceTests {
    private static let number: JSON = ["type": "int", "default": 0]
    private static let colour: JSON = ["variants": [["when": ["n": 1], "value": "#000"]]]

    /// A scene with a window and two views, an environment with another below it, and a definition of each kind.
    private static func session(_ fixture: InProcessService, _ updates: JSON) throws
        -> SessionClient
    {
        let session = try SessionClient.make(
            "twice", on: fixture.url,
            [
                "updates": updates,
                "traits": [
                    "n": number,
                    "mood": ["type": "enum", "cases": ["calm": 0, "wild": 1], "default": "calm"],
                ],
                "nodes": [
                    .node("s", "windowScene"),
                    .node("w", "window", in: "s"),
                    .node("x", "view", in: "w"),
                    .node("y", "view", in: "w"),
                    .node(
                        "top",
                        with: [
                            "label": "Top", "overrides": ["n": 1, "mood": "wild"],
                            "supplied": ["n": 3],
                        ]),
                    .node("low", in: "top", overrides: ["n": 2]),
                ],
            ])
        try session.transaction([
            ["op": "defineColor", "color": "ink", "definition": colour],
            ["op": "defineEnvironmentKey", "key": "k", "definition": number],
            ["op": "setEnvironment", "node": "top", "key": "k", "value": 5],
            [
                "op": "setOverride", "node": "low", "trait": "mood", "value": "wild",
                "ttl": 31_536_000,
            ],
            ["op": "layout"],
        ]).success()
        return session
    }

    private static let commits: [[JSON]] = [
        // Definitions, whose values go and come back where the change is not possible backwards.
        [["op": "updateTrait", "trait": "mood", "patch": ["cases": ["odd": 2]]]],
        [["op": "updateTrait", "trait": "n", "patch": ["type": "double"]]],
        [["op": "updateTrait", "trait": "n", "patch": ["nullable": true]]],
        [["op": "updateTrait", "trait": "n", "patch": ["default": 8]]],
        [
            ["op": "removeEnvironment", "node": "top", "key": "k"],
            ["op": "layout"],
            ["op": "deleteEnvironmentKey", "key": "k"],
            [
                "op": "defineEnvironmentKey", "key": "k",
                "definition": ["type": "double", "default": 1],
            ],
            ["op": "setEnvironment", "node": "top", "key": "k", "value": 5],
        ],
        [["op": "defineColor", "color": "ink", "definition": ["variants": [["value": 1]]]]],
        [["op": "deleteColor", "color": "ink"]],
        [.defineTrait("m", number)],
        [.renameTrait("n", to: "m"), .setOverride("m", at: "top", 4)],
        // Nodes.
        [.deleteNode("top")],
        [.deleteNode("x")],
        [["op": "moveNode", "node": "x", "after": "y"]],
        [["op": "updateNode", "node": "low", "parent": nil]],
        [.renameNode("top", to: "other")],
        [
            ["op": "setSupplied", "node": "low", "trait": "n", "value": 6],
            .renameNode("low", to: "other"),
        ],
        [.deleteNode("low"), .createNode("low", "view", in: "top", overrides: ["n": 2])],
        [
            ["op": "updateNode", "node": "low", "parent": nil],
            .deleteNode("top"),
            .createNode("top", "view"),
            ["op": "updateNode", "node": "low", "parent": "top"],
        ],
        // A detached view keeps a value of the trait that has to go.
        [
            .defineTrait("m", number),
            .setOverride("m", at: "w", 5),
            ["op": "layout"],
            ["op": "updateNode", "node": "x", "parent": nil],
        ],
        // Values.
        [.removeOverride("mood", at: "low")],
        [.setOverride("mood", at: "low", "wild")],
    ]

    @Test(
        "All is as before, and the second time nothing is left to do", arguments: 0..<20,
        [false, true])
    func twice(number: Int, isLayout: Bool) throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture, isLayout ? "layout" : "immediate")
        let before = try Self.document(session)
        try session.transaction(Self.commits[number]).success()
        #expect(try Self.document(session) != before)
        for isSecond in [false, true] {
            let answer = try session.send("POST", "revert", ["commit": 3]).success()
            #expect(try answer.json["unchanged"] == (isSecond ? true : nil))
            #expect(try Self.document(session) == before)
        }
    }

    private static func document(_ session: SessionClient) throws -> JSON {
        try session.get("export?specified=true").success().json
    }

    @Test("A later value for a definition is in the way only as long as it is there")
    func goneSince() throws {
        let fixture = try InProcessService()
        let session = try Self.session(fixture, "immediate")
        try session.transaction([.defineTrait("m", Self.number)])
        try session.override("m", at: "top", 1)
        try expectProblem(
            try session.send("POST", "revert", ["commit": 3]), 409, "changed-since")
        try session.transaction([
            .removeOverride("m", at: "top"),
            ["op": "deleteTrait", "trait": "m"],
        ]).success()
        let answer = try session.send("POST", "revert", ["commit": 3]).success()
        #expect(try answer.json["unchanged"] == true)
    }
}
