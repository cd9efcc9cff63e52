// Applying a document to a session: at once, as a plan, and by several managers of values.

import TestSupport
import Testing

@Suite("Applying documents")
struct ApplyTests {
    private static func document(_ nodes: [JSON]) -> JSON {
        ["format": 1, "nodes": .array(nodes)]
    }

    private static func apply(
        _ session: SessionClient, _ document: JSON, _ query: String = "?manager=ci"
    ) throws -> HTTPResponse {
        try session.send("PUT", "apply" + query, document)
    }

    @Test("The same document again makes no commit, and its plan has no operations")
    func unchanged() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        let document = Self.document([
            .node("a", overrides: ["userInterfaceStyle": "dark"]), .node("b", in: "a"),
            .node("c", in: "a", overrides: ["displayScale": 2]),
        ])
        let first = try Self.apply(session, document).expecting(200)
        #expect(try first.json["revision"] == 2)
        let again = try Self.apply(session, document).expecting(200)
        #expect(try again.json["unchanged"] == true)
        #expect(try session.revision() == 2)
        let plan = try Self.apply(session, document, "?manager=ci&dryRun=true").expecting(200).json
        #expect(plan["operations"] == [] && plan["counts"] == [:])
        #expect(try session.value(of: "displayScale", at: "c") == 2)
    }

    @Test("It moves and orders nodes, and keeps nodes that the document does not have")
    func structure() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        try Self.apply(
            session,
            Self.document([
                .node("r"), .node("a", in: "r"), .node("b", in: "r"),
                .node("c", in: "b"),
            ])
        ).success()
        try session.put("nodes/mine", ["kind": "environment", "parent": "r"])
        // Parent and child change places, and so do siblings.
        try Self.apply(
            session,
            Self.document([
                .node("r"), .node("c", in: "r"), .node("b", in: "c"),
                .node("a", in: "r"),
            ])
        ).success()
        let nodes = try session.get("nodes").json["nodes"]?.array ?? []
        #expect(
            nodes.map { $0["id"]?.string } == ["r", "mine", "c", "b", "a"]
                || nodes.map { $0["id"]?.string } == ["r", "c", "b", "a", "mine"]
                || nodes.map { $0["id"]?.string } == ["r", "c", "b", "mine", "a"])
        #expect(nodes.count == 5)
    }

    @Test("A plan is carried out unchanged, or refused when the session has changed since")
    func plans() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        let document = Self.document([.node("a", overrides: ["displayScale": 3])])
        let plan = try Self.apply(session, document, "?manager=ci&dryRun=true").expecting(200).json
        #expect(plan["counts"] == ["createNode": 1, "setOverride": 1])
        #expect(plan["revision"] == 2 && plan["dryRun"] == true)
        #expect(try session.revision() == 1)
        let token = try #require(plan["planToken"]?.string)
        let other = Self.document([.node("a")])
        try expectProblem(
            try Self.apply(session, other, "?manager=ci&plan=\(token)"), 400, "token-mismatch")
        try expectProblem(
            try Self.apply(session, document, "?plan=\(token)"), 400, "token-mismatch")
        try expectProblem(
            try Self.apply(session, document, "?manager=ci&plan=x"), 400, "malformed-token")
        try session.put("nodes/x", ["kind": "environment"])
        try expectProblem(
            try Self.apply(session, document, "?manager=ci&plan=\(token)"), 412,
            "revision-mismatch")
        let fresh = try Self.apply(session, document, "?manager=ci&dryRun=true").expecting(200).json
        let good = try #require(fresh["planToken"]?.string)
        // The plan does not replace the condition of the header.
        let conditional = try session.send(
            "PUT", "apply?manager=ci&plan=\(good)", document,
            fields: [HTTPField("If-Match", #""other.1""#)])
        try expectProblem(conditional, 412, "revision-mismatch")
        try Self.apply(session, document, "?manager=ci&plan=\(good)").success()
        let history = try session.get("history?operations=true&pageSize=1").json["commits"]?.array
        let made = history?.first?["operations"]?.array?.map { $0.without("previous") }
        #expect(made == fresh["operations"]?.array)
    }

    @Test("A manager cannot change values of another; the conflict names it, force takes over")
    func managers() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        let document = Self.document([
            .node("a", overrides: ["displayScale": 2, "userInterfaceStyle": "dark"])
        ])
        try Self.apply(session, document).success()
        let theirs = Self.document([.node("a", overrides: ["displayScale": 3])])
        let refused = try Self.apply(session, theirs, "?manager=ops")
        let problem = try expectProblem(refused, 409, "managed")
        #expect(
            problem["fields"] == [
                ["pointer": "/nodes/0/overrides/displayScale", "manager": "ci"]
            ])
        let chain = try session.get("nodes/a/traits/displayScale?explain=true").json["chain"]
        #expect(chain?[0]?["setBy"] == "ci")
        // An equal value is no conflict, and keeps its manager.
        let equal = Self.document([.node("a", overrides: ["displayScale": 2])])
        #expect(try Self.apply(session, equal, "?manager=ops").json["unchanged"] == true)
        try Self.apply(session, theirs, "?manager=ops&force=true").success()
        let taken = try session.get("nodes/a/traits/displayScale?explain=true").json["chain"]
        #expect(taken?[0]?["setBy"] == "ops")
        // Any other write removes the manager; a write of the same value changes nothing.
        try session.override("userInterfaceStyle", at: "a", "dark")
        try session.override("displayScale", at: "a", 1)
        let freed = try session.get("nodes/a/traits/displayScale?explain=true").json["chain"]
        #expect(freed?[0]?["setBy"] == nil)
        let style = try session.get("nodes/a/traits/userInterfaceStyle?explain=true")
            .json["chain"]
        #expect(style?[0]?["setBy"] == "ci")
    }

    @Test("Pruning removes only values and nodes of the manager")
    func pruning() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        try session.put("nodes/root", ["kind": "environment"])
        try Self.apply(
            session,
            Self.document([
                .node("root", overrides: ["displayScale": 2]), .node("a", in: "root"),
                .node("b", in: "a", overrides: ["userInterfaceStyle": "dark"]),
            ])
        ).success()
        try session.override("userInterfaceStyle", at: "root", "light")
        let smaller = Self.document([.node("root"), .node("a", in: "root")])
        try expectProblem(
            try Self.apply(session, smaller, "?prune=true"), 400, "malformed-parameter")
        try Self.apply(session, smaller).success()
        #expect(try session.get("nodes/b").status == 200)
        try Self.apply(session, smaller, "?manager=ops&prune=true").success()
        #expect(try session.get("nodes/b").status == 200)
        try Self.apply(session, smaller, "?manager=ci&prune=true").success()
        #expect(try session.get("nodes/b").status == 404)
        #expect(
            try session.get("nodes/root/overrides").json["overrides"] == [
                "userInterfaceStyle": "light"
            ])
        try session.put("nodes/mine", ["kind": "environment", "parent": "a"])
        let empty = Self.document([.node("root")])
        try expectProblem(
            try Self.apply(session, empty, "?manager=ci&prune=true"), 409, "managed")
        try session.delete("nodes/mine")
        try Self.apply(session, empty, "?manager=ci&prune=true").success()
        #expect(try session.get("nodes").json["nodes"]?.array?.count == 1)
    }

    @Test(
        "Whatever a manager has made, applying another document with prune leads to that one",
        arguments: [
            // A controller moves when its view goes, and has its place among the roots then.
            (
                #"[{"id":"w","kind":"window"},{"id":"c","kind":"viewController","parent":"w"},"#
                    + #"{"id":"v","kind":"view","parent":"w","controller":"c"}]"#,
                #"[{"id":"c","kind":"viewController"},{"id":"k","kind":"viewController","parent":"c"}]"#
            ),
            // Another view of the same controller.
            (
                #"[{"id":"w","kind":"window"},{"id":"c","kind":"viewController","parent":"w"},"#
                    + #"{"id":"v1","kind":"view","parent":"w","controller":"c"}]"#,
                #"[{"id":"w","kind":"window"},{"id":"c","kind":"viewController","parent":"w"},"#
                    + #"{"id":"v2","kind":"view","parent":"w","controller":"c"}]"#
            ),
            // Two controllers change their views.
            (
                #"[{"id":"w","kind":"window"},{"id":"c","kind":"viewController","parent":"w"},"#
                    + #"{"id":"d","kind":"viewController","parent":"w"},"#
                    + #"{"id":"v","kind":"view","parent":"w","controller":"c"},"#
                    + #"{"id":"u","kind":"view","parent":"w","controller":"d"}]"#,
                #"[{"id":"w","kind":"window"},{"id":"c","kind":"viewController","parent":"w"},"#
                    + #"{"id":"d","kind":"viewController","parent":"w"},"#
                    + #"{"id":"v","kind":"view","parent":"w","controller":"d"},"#
                    + #"{"id":"u","kind":"view","parent":"w","controller":"c"}]"#
            ),
            // A node leaves one that goes, and its new parent has another kind than before.
            (
                #"[{"id":"a","kind":"environment"},{"id":"b","kind":"environment","parent":"a"},"#
                    + #"{"id":"c","kind":"environment","parent":"b"}]"#,
                #"[{"id":"a","kind":"windowScene"},{"id":"c","kind":"environment","parent":"a"}]"#
            ),
        ])
    func anyToAny(a: String, b: String) throws {
        for settings in ["immediate", "layout"].flatMap({ updates in
            ["unified", "legacy"].map {
                ["updates": JSON.string(updates), "propagation": .string($0)]
            }
        }) {
            let url = try sharedServer().url
            let session = try SessionClient.make("any", on: url, .object(settings))
            func document(_ nodes: String) throws -> JSON { ["nodes": try JSON(parsing: nodes)] }
            try Self.apply(session, try document(a), "?manager=ci&prune=true").success()
            try Self.apply(session, try document(b), "?manager=ci&prune=true").success()
            let made = try SessionClient.make("made", on: url, .object(settings))
            try Self.apply(made, try document(b), "?manager=ci").success()
            let nodes = { (session: SessionClient) in
                try session.get("export?specified=true").json["nodes"]
            }
            #expect(try nodes(session) == nodes(made))
            let again = try Self.apply(session, try document(b), "?manager=ci&prune=true")
            #expect(try again.json["unchanged"] == true, "\(settings)")
        }
    }

    @Test("With prune a definition that differs is replaced, with what the manager set of it")
    func replacedDefinition() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        func document(_ type: String, _ value: JSON) -> JSON {
            [
                "traits": ["t": ["type": .string(type), "default": value]],
                "environmentKeys": [
                    "k": ["type": .string(type), "default": value, "bridgedTrait": "t"]
                ],
                "nodes": [.node("a", overrides: ["t": value])],
                "registrations": [["id": "r", "node": "a", "traits": ["t"]]],
                "scopes": [["node": "a", "scope": "s", "reads": ["t"]]],
            ]
        }
        try Self.apply(session, document("int", 1)).success()
        let other = document("string", "x")
        try expectProblem(try Self.apply(session, other), 409, "trait-immutable")
        try Self.apply(session, other, "?manager=ci&prune=true").success()
        #expect(try session.value(of: "t", at: "a") == "x")
        let again = try Self.apply(session, other, "?manager=ci&prune=true")
        #expect(try again.json["unchanged"] == true)
        try session.override("t", at: "a", "of another writer")
        try expectProblem(
            try Self.apply(session, document("int", 1), "?manager=ci&prune=true"), 409, "in-use")
    }

    @Test(
        "A trait goes that a colour has named until now, whatever registrations hear of all traits",
        arguments: [false, true])
    func trait(isHeardBefore: Bool) throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        func document(_ traits: JSON, _ when: JSON, hears: Bool) -> JSON {
            [
                "traits": traits,
                "colors": ["c": ["variants": [["when": when, "value": "white"]]]],
                "nodes": [.node("n")],
                "registrations": hears
                    ? [["id": "r", "node": "n", "asked": ["sets": ["all"]]]] : [],
            ]
        }
        let first = document(
            ["level": ["type": "int", "default": 0]], ["level": 1], hears: isHeardBefore)
        let second = document([:], [:], hears: true)
        for document in [first, second] {
            try Self.apply(session, document, "?manager=ci&prune=true").success()
        }
        try session.get("traits/level").expecting(404)
        let heard = try session.get("registrations/r").json["traits"]?.array ?? []
        #expect(!heard.contains("level") && heard.contains("displayScale"))
        let again = try Self.apply(session, second, "?manager=ci&prune=true")
        #expect(try again.json["unchanged"] == true)
    }

    /// Something of every kind that a document can have beside nodes and values of traits.
    private static let everything: JSON = [
        "format": 1,
        "traits": ["theme": ["type": "int", "default": 0]],
        "environmentKeys": [
            "spacing": ["type": "int", "default": 0],
            "tone": ["type": "int", "default": 0, "bridgedTrait": "theme"],
        ],
        "colors": ["accent": ["variants": [["when": ["theme": 1], "value": "red"]]]],
        "images": ["icon": ["variants": [["when": ["theme": 1], "value": "sun"]]]],
        "nodes": [.node("root", with: ["environment": ["spacing": 4, "tone": 1]])],
        "registrations": [["id": "r", "node": "root", "traits": ["theme"]]],
        "scopes": [["node": "root", "scope": "content", "reads": ["theme"]]],
    ]

    @Test("Pruning deletes definitions, environment values, registrations and scopes, too")
    func pruningEverything() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        try session.put("nodes/root", ["kind": "environment"])
        let before = try session.get("export?specified=true").text
        try Self.apply(session, Self.everything, "?manager=ci&prune=true").success()
        #expect(
            try Self.apply(session, Self.everything, "?manager=ci&prune=true").json["unchanged"]
                == true)
        let empty = Self.document([.node("root")])
        // Neither without `prune` nor for another manager does anything go.
        #expect(try Self.apply(session, empty, "?manager=ci").json["unchanged"] == true)
        #expect(try Self.apply(session, empty, "?manager=ops&prune=true").json["unchanged"] == true)
        let plan = try Self.apply(session, empty, "?manager=ci&prune=true&dryRun=true")
            .expecting(200).json
        #expect(
            plan["counts"] == [
                "unregister": 1, "removeScope": 1, "removeEnvironment": 1, "removeOverride": 1,
                "deleteColor": 1, "deleteImage": 1, "deleteEnvironmentKey": 2, "deleteTrait": 1,
            ])
        try Self.apply(session, empty, "?manager=ci&prune=true").success()
        #expect(try session.get("export?specified=true").text == before)
    }

    @Test("What others have made or changed is never pruned; changing it is a conflict")
    func othersThings() throws {
        let session = try SessionClient.make("apply", on: sharedServer().url)
        try Self.apply(session, Self.everything).success()
        // Another writer makes them its own.
        try session.put("colors/accent", ["variants": [["when": [:], "value": "blue"]]])
        try session.put("nodes/root/environment/spacing", ["value": 5])
        try session.delete("registrations/r")
        try session.put("registrations/r", ["node": "root", "traits": ["theme"]])
        // The trait is referred to by a registration that the manager did not make, and so is a key by a value.
        let kept = Self.document([.node("root")])
        for place in ["registrations/r", "nodes/root/environment/spacing"] {
            try expectProblem(
                try Self.apply(session, kept, "?manager=ci&prune=true"), 409, "in-use")
            try session.delete(place)
        }
        // The colour of the other writer no longer refers to the trait, and stays.
        try Self.apply(session, kept, "?manager=ci&prune=true").success()
        #expect(try session.get("colors/accent").status == 200)
        #expect(try session.get("traits/theme").status == 404)
        try session.delete("colors/accent")

        // Two managers and the same colour, key value, registration and scope.
        try Self.apply(session, Self.everything, "?manager=ci").success()
        let theirs: JSON = [
            "format": 1,
            "colors": ["accent": ["variants": [["when": [:], "value": "green"]]]],
            "nodes": [.node("root", with: ["environment": ["spacing": 7]])],
            "registrations": [["id": "r", "node": "root", "traits": ["displayScale"]]],
            "scopes": [["node": "root", "scope": "content", "reads": ["displayScale"]]],
        ]
        let problem = try expectProblem(
            try Self.apply(session, theirs, "?manager=ops"), 409, "managed")
        #expect(
            problem["fields"] == [
                ["pointer": "/colors/accent", "manager": "ci"],
                ["pointer": "/nodes/0/environment/spacing", "manager": "ci"],
                ["pointer": "/registrations/0", "manager": "ci"],
                ["pointer": "/scopes/0", "manager": "ci"],
            ])
        try Self.apply(session, theirs, "?manager=ops&force=true").success()
        #expect(try session.get("nodes/root/environment/spacing").json["value"] == 7)
    }
}
