// A session as a document and back: the same state, the same answers, the same behaviour after it.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import TestSupport
import Testing

@testable import TraitJSON
@testable import TraitService
@testable import TraitSessions

@Suite("A document of a session's state")
struct DocumentTests {
    /// A session with something of every kind, in a service over `log`.
    private static func fixture(
        _ log: (any SessionLog)?, updates: String
    ) throws -> (InProcessService, HTTPClient) {
        let fixture = try InProcessService(log: log)
        let client = try fixture.client()
        let created = try client.send(
            "PUT", "/v1/sessions/s",
            json: ["updates": .string(updates), "limits": ["nodesMax": 99]])
        try #require(created.status == 201)
        for operations in transactions {
            let answer = try client.send(
                "POST", "/v1/sessions/s/transactions", json: ["operations": .array(operations)])
            try #require(answer.status == 200, "\(answer.text)")
        }
        return (fixture, client)
    }

    private static let transactions: [[JSON]] = [
        [
            .defineTrait("gone", ["type": "bool", "default": false]),
            .defineTrait(
                "theme",
                [
                    "type": "enum", "cases": ["a": 0, "b": 1], "default": "a",
                    "affectsColorAppearance": true, "identifier": "com.example.theme",
                ]),
            .defineTrait(
                "box",
                [
                    "type": "struct", "fields": ["w": "double", "n": "string"],
                    "default": ["w": 1.5, "n": "x"], "nullable": true,
                ]),
        ],
        [
            .createNode("scene", "windowScene"),
            .createNode("w", "window", in: "scene"),
            .createNode("A", "viewController", in: "w"),
            .createNode("a", "view", in: "w", ["controller": "A"]),
            .createNode("B", "viewController", in: "A"),
            .createNode("m", "view", in: "a", ["label": "middle"]),
            .createNode("b", "view", in: "m", ["controller": "B"]),
            .createNode("leaf", "view", in: "b"),
            .createNode("loose", "view", in: "a"),
            .createNode("extra", "environment"),
            .createNode("former", "view", in: "a"),
            .createNode("orphan", "view", in: "former"),
        ],
        [
            ["op": "setSupplied", "node": "scene", "trait": "displayScale", "value": 2],
            .setOverride("theme", at: "a", "b"),
            .setOverride("box", at: "m", ["w": 2, "n": "é"]),
            .setOverride("theme", at: "former", "b"),
            [
                "op": "defineEnvironmentKey", "key": "own",
                "definition": ["type": "string", "default": "none"],
            ],
            [
                "op": "defineEnvironmentKey", "key": "bridged",
                "definition": [
                    "type": "bool", "default": false, "bridgedTrait": "theme",
                    "map": ["false": "a", "true": "b"],
                ],
            ],
            ["op": "setEnvironment", "node": "w", "key": "own", "value": "here"],
            [
                "op": "defineColor", "color": "accent",
                "definition": [
                    "variants": [
                        ["value": "#000"], ["when": ["theme": "b"], "value": ["r": 1, "g": 2.0]],
                    ]
                ],
            ],
            [
                "op": "defineImage", "image": "logo",
                "definition": ["variants": [["when": ["displayScale": 2], "value": "logo@2x"]]],
            ],
        ],
        [
            [
                "op": "register", "registration": "r1", "node": "leaf",
                "set": "affectingColorAppearance", "label": "colours",
            ],
            [
                "op": "register", "registration": "r2", "node": "leaf", "traits": ["theme", "box"],
                "colors": ["accent"], "images": ["logo"],
            ],
            [
                "op": "setScope", "node": "leaf", "scope": "layoutSubviews",
                "reads": ["theme", "displayScale"],
            ],
            ["op": "setScope", "node": "B", "scope": "updateProperties", "reads": ["box"]],
        ],
        [["op": "layout"]],
        [
            ["op": "updateNode", "node": "loose", "parent": nil],
            ["op": "deleteTrait", "trait": "gone"],
            .setOverride("userInterfaceStyle", at: "scene", "dark"),
            .setOverride("theme", at: "w", "b"),
            .removeOverride("theme", at: "a"),
            ["op": "updateNode", "node": "orphan", "parent": nil],
            .deleteNode("former"),
        ],
    ]

    private static let reads = [
        "", "/nodes", "/traits", "/registrations", "/colors", "/images", "/environmentKeys",
        "/nodes/leaf/traits?explain=true&absent=true", "/nodes/loose/traits?explain=true",
        "/nodes/B/traits?explain=true&pending=true", "/nodes/leaf/scopes", "/nodes/B/scopes",
        "/nodes/leaf/environment", "/nodes/leaf/colors/accent", "/nodes/leaf/images/logo",
        "/nodes/m", "/nodes/b", "/nodes/orphan/traits?explain=true",
    ]

    /// Without how far the history reaches back: a session that was restored retains the commits after its snapshot.
    private static func answers(_ client: HTTPClient, _ session: String) throws -> [String] {
        try reads.map {
            try client.get("/v1/sessions/\(session)" + $0).text
                .replacing(#/"oldestRevision":\d+,"oldestTime":"[^"]+",/#, with: "")
        }
    }

    @Test(
        "A snapshot in the log restores the session: equal digest, equal answers, equal commits",
        arguments: ["immediate", "layout"])
    func snapshot(updates: String) throws {
        let log = MemoryLog()
        let (fixture, client) = try Self.fixture(log, updates: updates)
        let session = try #require(fixture.service.store.find("s"))
        let known = try #require(log.session(named: "s"))
        try session.writeSnapshot()
        let head = session.withState { $0.head }
        try log.truncate(known, through: head)

        let other = try InProcessService(log: log)
        let restored = try #require(try other.service.store.findOrOpen("s"))
        #expect(restored.digest == session.digest)
        #expect(restored.head == head)
        let second = try other.client()
        for (read, (left, right)) in zip(
            Self.reads, zip(try Self.answers(client, "s"), try Self.answers(second, "s")))
        {
            #expect(left == right, "\(read)")
        }
        // Both go on alike; the second finds the first one's commits in the log.
        for operations: [JSON] in [
            [["op": "layout"], .setOverride("theme", at: "A", "a")],
            [["op": "updateNode", "node": "loose", "parent": "m"], ["op": "layout"]],
        ] {
            let body: JSON = ["operations": .array(operations)]
            let target = "/v1/sessions/s/transactions?changes=true"
            let dry = try second.send(
                "POST", "/v1/sessions/s/transactions?dryRun=true", json: body)
            let answer = try client.send("POST", target, json: body)
            #expect(answer.status == 200)
            #expect(try dry.json["changes"] == answer.json["changes"])
            try restored.catchUp()
            #expect(restored.digest == session.digest)
        }
    }

    @Test(
        "A document that is loaded makes a session of the same content",
        arguments: ["immediate", "layout"])
    func loaded(updates: String) throws {
        let (fixture, client) = try Self.fixture(nil, updates: updates)
        let session = try #require(fixture.service.store.find("s"))
        let snapshot = try session.withState { state throws(SessionError) in try state.snapshot() }
        var document = JSONWriter()
        DocumentWriter(try snapshot.session(), .exchange).writeAll(into: &document)
        let bytes = document.array()
        let naming = String(decoding: bytes, as: UTF8.self).contains(#""deletedNode":"former""#)
        #expect(naming == (updates == "layout"), "values of a deleted node are still shown")

        let log = MemoryLog()
        let other = try InProcessService(log: log)
        let loaded = try bytes.withUnsafeBytes { try other.service.load($0) }
        #expect(loaded.name == "s" && loaded.nodes == 11)
        let copy = try #require(other.service.store.find("s"))
        #expect(copy.digest.content == session.digest.content)
        #expect(copy.uid != session.uid && copy.head == 1)
        #expect(
            try client.get("/v1/sessions/s/nodes/leaf/traits").json["traits"]
                == other.client().get("/v1/sessions/s/nodes/leaf/traits").json["traits"])

        // Its log alone builds it again.
        let again = try InProcessService(log: log)
        let rebuilt = try #require(try again.service.store.findOrOpen("s"))
        #expect(rebuilt.digest == copy.digest)
        var second = JSONWriter()
        DocumentWriter(
            try rebuilt.withState { state throws(SessionError) in try state.snapshot() }.session()
        ).writeAll(into: &second)
        var first = JSONWriter()
        DocumentWriter(
            try copy.withState { state throws(SessionError) in try state.snapshot() }.session()
        ).writeAll(into: &first)
        #expect(first.array() == second.array())
    }
}
