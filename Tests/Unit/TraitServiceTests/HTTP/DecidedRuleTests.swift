// Rules that a client sees over HTTP alone, or only in the order and the words of answers.

import TestSupport
import Testing
import TraitService

@Suite("Decided rules")
struct DecidedRuleTests {
    private static func session(
        _ body: JSON = [:], _ operations: [JSON] = SampleHierarchy.operations()
    ) throws -> SessionClient {
        let session = try InProcessService().session("decided", body)
        try session.transaction(operations)
        if body["updates"] == "layout" { try session.send("POST", "layout").success() }
        return session
    }

    // MARK: - Sources

    @Test("A source names the node that was deleted while what it set is shown")
    func deletedSource() throws {
        let session = try Self.session(["updates": "layout"])
        try session.transaction([
            .createNode("outer", "environment", in: "scene"),
            .createNode("inner", "environment", in: "outer"),
            .setOverride("theme", at: "outer", "bold"),
            .register("r", at: "inner", ["theme"]),
        ])
        try session.send("POST", "layout").success()
        let set = try session.get("nodes/inner/traits/theme").json["source"]?["revision"] ?? nil
        try session.transaction([
            ["op": "updateNode", "node": "inner", "parent": "scene"], .deleteNode("outer"),
        ])
        let source: JSON = [
            "kind": "override", "node": "outer", "deleted": true, "revision": set,
        ]
        let trait = try session.get("nodes/inner/traits/theme?explain=true").json
        #expect(trait["state"] == "pending" && trait["value"] == "bold")
        #expect(trait["source"] == source)
        #expect(trait["chain"]?[0]?["node"] == "outer" && trait["chain"]?[0]?["deleted"] == true)
        // Deleted in the commit that shows its value.
        let answer = try session.transaction(
            [
                .createNode("outer", "environment", in: "scene"),
                .setOverride("theme", at: "outer", "pastel"),
                ["op": "updateNode", "node": "inner", "parent": "outer"], ["op": "layout"],
                ["op": "updateNode", "node": "inner", "parent": "scene"], .deleteNode("outer"),
            ], "?changes=true"
        ).json
        let change = answer["changes"]?[0]?["changes"]?[0]
        #expect(change?["current"] == "pastel")
        #expect(change?["source"]?["node"] == "outer" && change?["source"]?["deleted"] == true)
    }

    @Test("A trait with the index of a deleted one stands in the order of definition")
    func reusedIndex() throws {
        let session = try Self.session()
        func define(_ name: String) throws {
            try session.put("traits/\(name)", ["type": "int", "default": 0])
        }
        try define("first")
        try define("second")
        // Indices rise up to 4,095; only then those of deleted traits are used again.
        try define("passing0")
        for number in 1...4_000 {
            try define("passing\(number)")
            try session.delete("traits/passing\(number - 1)")
        }
        try session.delete("traits/first")
        let later = (0..<100).map { "later\($0)" }
        for name in later { try define(name) }
        func expectOrder(_ path: String, _ query: String = "") throws {
            let text = try session.get(path + query).success().text
            var rest = text[...]
            for name in ["second"] + later {
                let place = rest.range(of: "\"\(name)\"")
                rest = rest[try #require(place, "\(name) of \(path)\(query)").upperBound...]
            }
        }
        try expectOrder("traits")
        try expectOrder("nodes/scene/traits")
        try expectOrder("nodes/scene/traits", "?explain=true")
        try session.transaction([.register("all", at: "scene", later + ["second"])])
        try expectOrder("registrations/all")
    }

    // MARK: - Transactions

    @Test("What is registered before a layout in one transaction hears of it")
    func registeredBeforeLayout() throws {
        let session = try Self.session(["updates": "layout"])
        try session.put(
            "colors/c", ["variants": [["value": 1], ["when": ["theme": "bold"], "value": 2]]])
        try session.override("theme", at: "scene", "bold")
        let answer = try session.transaction(
            [
                .register("r", at: "cell0", ["theme"]),
                ["op": "register", "registration": "c", "node": "cell0", "colors": ["c"]],
                ["op": "setScope", "node": "cell0", "scope": "draw", "reads": ["theme"]],
                ["op": "layout"],
                .register("late", at: "cell0", ["theme"]),
            ], "?changes=true"
        ).json
        #expect(answer["notified"] == 2)
        #expect(answer["changes"]?.array?.map { $0["registration"] } == ["r", "c"])
        #expect(answer["changes"]?[0]?["changes"]?[0]?["current"] == "bold")
        #expect(answer["changes"]?[1]?["colors"]?[0]?["current"] == 2)
        #expect(try session.get("nodes/cell0/scopes/draw").json["stale"] == true)
    }

    @Test("Set and reverted around passes in one transaction makes no commit")
    func revertedAroundPasses() throws {
        let session = try Self.session(["updates": "layout"])
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        let revision = try session.revision()
        let answer = try session.transaction([
            .setOverride("theme", at: "scene", "bold"), ["op": "layout"],
            .removeOverride("theme", at: "scene"), ["op": "layout"],
        ]).json
        #expect(answer["unchanged"] == true && answer["notified"] == 0)
        #expect(try session.revision() == revision)
        #expect(try session.get("nodes/cell0/traits/theme").json["state"] == "current")
    }

    // MARK: - Conditions

    @Test("In a condition an unspecified trait is as good as none")
    func unspecifiedConditions() throws {
        let session = try Self.session()
        for (kind, plain) in [("colors", [:] as JSON), ("images", ["displayScale": 1])] {
            try session.put(
                "\(kind)/x",
                [
                    "variants": [
                        [
                            "when": [
                                "userInterfaceStyle": "unspecified", "displayScale": 0,
                                "forceTouchCapability": "unspecified",
                                "preferredContentSizeCategory": "unspecified",
                                "typesettingLanguage": nil,
                            ], "value": 1,
                        ]
                    ]
                ])
            #expect(try session.get("\(kind)/x").json["variants"]?[0]?["when"] == plain)
            let again = try session.put("\(kind)/x", ["variants": [["value": 1]]]).json
            #expect(again["unchanged"] == true)
        }
    }

    @Test("Of image variants for the same conditions the later one replaces the earlier")
    func equalImages() throws {
        let session = try Self.session()
        try session.put(
            "images/x",
            [
                "variants": [
                    ["value": "a"], ["when": ["userInterfaceStyle": "dark"], "value": "d"],
                    ["when": ["userInterfaceStyle": "unspecified"], "value": "b"],
                    ["when": ["displayScale": 1, "userInterfaceStyle": "dark"], "value": "e"],
                ]
            ])
        #expect(
            try session.get("images/x").json["variants"]?.array?.map { $0["value"] } == ["b", "e"])
        let again = try session.put(
            "images/x",
            ["variants": [["value": "b"], ["when": ["userInterfaceStyle": "dark"], "value": "e"]]])
        #expect(try again.json["unchanged"] == true)
    }

    // MARK: - Registrations

    @Test("A registration for a named set is the same whatever was defined meanwhile")
    func namedSets() throws {
        let session = try Self.session()
        let bodies: [(String, JSON)] = [
            ("all", ["node": "cell0", "set": "all"]),
            ("colors", ["node": "cell0", "set": "affectingColorAppearance"]),
            ("mixed", ["node": "cell0", "traits": ["layoutDirection", "all"]]),
        ]
        for (name, body) in bodies { try session.put("registrations/\(name)", body) }
        let before = try bodies.map { try session.get("registrations/\($0.0)").json }
        try session.put(
            "traits/later", ["type": "int", "default": 0, "affectsColorAppearance": true])
        for ((name, body), known) in zip(bodies, before) {
            let again = try session.put("registrations/\(name)", body)
            #expect(try again.json["unchanged"] == true, "\(name)")
            #expect(try session.get("registrations/\(name)").json == known)
        }
        for (name, other) in [
            ("all", "affectingColorAppearance"), ("colors", "all"), ("mixed", "all"),
        ] {
            let answer = try session.send(
                "PUT", "registrations/\(name)", ["node": "cell0", "set": .string(other)])
            #expect(answer.status == 409, "\(name)")
        }
        // It was expanded when it was made.
        let known = try #require(before[0]["traits"])
        let list = try session.put("registrations/all", ["node": "cell0", "traits": known])
        #expect(try list.json["unchanged"] == true)
        #expect(try session.override("later", at: "scene", 1).json["notified"] == 0)
    }

    // MARK: - In use

    @Test("A trait or key is in use as long as a detached node keeps a value of it")
    func keptValues() throws {
        let session = try Self.session()
        try session.put("traits/t", ["type": "int", "default": 0])
        try session.put("environmentKeys/k", ["type": "int", "default": 0])
        try session.override("t", at: "window", 1)
        try session.put("nodes/window/environment/k", ["value": 1])
        try session.send("PATCH", "nodes/list", ["parent": nil]).success()
        try session.removeOverride("t", at: "window")
        try session.delete("nodes/window/environment/k")
        for path in ["traits/t", "environmentKeys/k"] {
            let answer = try session.send("DELETE", path)
            #expect(answer.status == 409)
            #expect(try answer.json["code"] == "in-use", "\(path)")
        }
        try session.delete("nodes/list")
        for path in ["traits/t", "environmentKeys/k"] { try session.delete(path) }
    }

    @Test("A trait or key is in use as long as a pending node shows a value of it")
    func shownValues() throws {
        let session = try Self.session(["updates": "layout"])
        try session.put("traits/t", ["type": "int", "default": 0])
        try session.put("environmentKeys/k", ["type": "int", "default": 0])
        try session.override("t", at: "window", 1)
        try session.put("nodes/window/environment/k", ["value": 1])
        try session.send("POST", "layout").success()
        try session.removeOverride("t", at: "window")
        try session.delete("nodes/window/environment/k")
        let paths = ["traits/t", "environmentKeys/k"]
        for path in paths { #expect(try session.send("DELETE", path).status == 409, "\(path)") }
        try session.send("POST", "nodes/window/updateTraitsIfNeeded").success()
        try session.send("POST", "layout").success()
        for path in paths { try session.delete(path) }
    }

    // MARK: - Order

    @Test("A stale scope lists changed traits in the catalogue's order, a comparison by key")
    func catalogueOrder() throws {
        let session = try Self.session()
        try session.put("traits/another", ["type": "int", "default": 0])
        let traits = [
            "userInterfaceStyle", "displayScale", "accessibilityContrast", "theme", "another",
        ]
        try session.put("nodes/cell0/scopes/draw", ["reads": .array(traits.map(JSON.string))])
        let start = try session.revision()
        try session.send(
            "PATCH", "nodes/cell0/overrides",
            [
                "another": 1, "theme": "bold", "accessibilityContrast": "high",
                "displayScale": 2, "userInterfaceStyle": "dark",
            ]
        ).success()
        let names: JSON = .array(traits.map(JSON.string))
        let page = try session.get("events?from=\(start)&wait=0").json
        let record = page["records"]?.array?.first { $0["type"] == "invalidate" }
        #expect(record?["changed"] == names)
        let compared = try session.get("nodes/cell0/compare?with=scene").json
        #expect(compared["changedTraits"] == .array(traits.sorted().map(JSON.string)))
        let collections = try session.client.send(
            "POST", "/v1/collections/compare",
            json: ["a": ["userInterfaceStyle": "dark", "accessibilityContrast": "high"], "b": [:]]
        ).success().json
        #expect(collections["changedTraits"] == ["accessibilityContrast", "userInterfaceStyle"])
    }

    @Test("Siblings that get a new parent in one operation stand as the operation names them")
    func siblingOrder() throws {
        for (view, controller) in [("a", "b"), ("b", "a")] {
            let session = try Self.session(
                [:],
                [
                    .createNode("w", "window"), .createNode("other", "view", in: "w"),
                    .createNode(controller, "viewController", in: "w"),
                    .createNode(view, "view", in: "other", ["controller": .string(controller)]),
                ])
            try session.send("PATCH", "nodes/\(view)", ["parent": "w", "controller": nil]).success()
            let nodes = try session.get("nodes").json["nodes"]?.array?.map { $0["id"]?.string }
            #expect(nodes == ["w", "other", view, controller])
        }
    }

    // MARK: - Explaining

    @Test("Explaining a pending node explains what it shows, or on request what it will show")
    func explainPending() throws {
        let session = try Self.session(["updates": "layout"])
        try session.override("theme", at: "scene", "bold")
        try session.send("POST", "layout").success()
        let shown = try session.get("nodes/cell0/traits/theme?explain=true").json
        try session.override("theme", at: "window", "pastel")
        let pending = try session.get("nodes/cell0/traits/theme?explain=true").json
        #expect(pending["state"] == "pending")
        for member in ["value", "source", "chain"] { #expect(pending[member] == shown[member]) }
        let future = try session.get("nodes/cell0/traits/theme?explain=true&pending=true").json
        #expect(future["state"] == "pending" && future["value"] == "pastel")
        let all = try session.get("nodes/cell0/traits?explain=true&pending=true&traits=theme").json
        try session.send("POST", "layout").success()
        let after = try session.get("nodes/cell0/traits/theme?explain=true").json
        for member in ["value", "source", "chain"] {
            #expect(future[member] == after[member])
            #expect(all["traits"]?["theme"]?[member] == after[member])
        }
        let current = try session.get("nodes/cell0/traits/theme?explain=true&pending=true").json
        #expect(current == after)
        #expect(try session.get("nodes/cell0/traits/theme?pending=true").status == 400)
    }

    // MARK: - null

    @Test("PATCH removes where null is given, PUT sets null of a nullable trait")
    func nullValues() throws {
        let session = try Self.session()
        try session.put("traits/n", ["type": "int", "default": 0, "nullable": true])
        let path = "nodes/cell0/overrides"
        try session.put(path + "/n", ["value": nil])
        #expect(try session.get(path).json["overrides"] == ["n": nil])
        #expect(try session.value(of: "n", at: "cell0") == JSON.null)
        try session.send("PATCH", path, ["n": nil]).success()
        #expect(try session.get(path).json["overrides"] == [:])
        #expect(try session.value(of: "n", at: "cell0") == 0)
        try session.transaction([.setOverride("n", at: "cell0", nil)])
        #expect(try session.get(path).json["overrides"] == ["n": nil])
    }
}
