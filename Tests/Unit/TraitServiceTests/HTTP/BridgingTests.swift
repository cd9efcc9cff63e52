// Environment keys, dynamic colours and images over HTTP: the rules that the golden files do not
// show.

import TestSupport
import Testing
import TraitService

@Suite("Environment keys, colours and images")
struct BridgingTests {
    private static func session(_ body: JSON = [:]) throws -> SessionClient {
        let session = try InProcessService().session("bridged", body)
        try session.transaction(SampleHierarchy.operations())
        return session
    }

    private static func environment(
        _ key: String, at node: String, _ session: SessionClient
    ) throws -> JSON? {
        try session.get("nodes/\(node)/environment/\(key)").expecting(200).json["value"]
    }

    @Test("Both worlds share one value, whichever writes it, without any registration")
    func oneStorage() throws {
        let session = try Self.session()
        try session.put(
            "environmentKeys/theme",
            [
                "type": "enum", "cases": ["zero": 0, "one": 1, "two": 2, "three": 3],
                "default": "zero", "bridgedTrait": "com.myapp.theme",
            ])
        try session.override("theme", at: "scene", "bold")
        #expect(try Self.environment("theme", at: "cell0", session) == "two")
        try session.override("theme", at: "scene", "monochrome")
        #expect(try Self.environment("theme", at: "cell0", session) == "three")
        try session.put("nodes/list/environment/theme", ["value": "one"])
        #expect(try session.value(of: "theme", at: "cell0") == "pastel")
        try session.removeOverride("theme", at: "list")
        #expect(try Self.environment("theme", at: "cell0", session) == "three")
    }

    @Test("When the defaults differ the trait's shows, as reading goes through the collection")
    func defaults() throws {
        let session = try Self.session()
        try session.put(
            "environmentKeys/contained",
            ["type": "bool", "default": true, "bridgedTrait": "containedInSettings"])
        #expect(try Self.environment("contained", at: "cell0", session) == false)
    }

    @Test("A key of its own inherits, hides in no list, and takes every type")
    func ownStorage() throws {
        let session = try Self.session()
        let kinds: [(String, JSON, JSON)] = [
            ("flag", ["type": "bool", "default": false], true),
            ("count", ["type": "int", "default": 1], -7),
            ("ratio", ["type": "double", "default": 0.5], 0.25),
            ("text", ["type": "string", "default": nil, "nullable": true], "hello"),
            ("kind", ["type": "enum", "cases": ["a": 1, "b": 2], "default": "a"], "b"),
            (
                "pair",
                [
                    "type": "struct", "fields": ["x": "int", "y": "string"],
                    "default": ["x": 0, "y": ""],
                ], ["x": 4, "y": "z"]
            ),
        ]
        let traits = try session.get("traits").json["traits"]
        for (key, definition, value) in kinds {
            try session.put("environmentKeys/\(key)", definition)
            #expect(try Self.environment(key, at: "cell0", session) == definition["default"])
            try session.put("nodes/window/environment/\(key)", ["value": value])
            #expect(try Self.environment(key, at: "cell0", session) == value)
            try session.put(
                "nodes/list/environment/\(key)", ["value": definition["default"] ?? nil])
            #expect(try Self.environment(key, at: "cell0", session) == definition["default"])
            try session.delete("nodes/list/environment/\(key)")
            #expect(try Self.environment(key, at: "cell0", session) == value)
        }
        #expect(try session.get("nodes/window/overrides").json["overrides"] == [:])
        #expect(try session.get("traits").json["traits"] == traits)
        let all = try session.get("nodes/cell0/environment").json["environment"]
        #expect(all?.object?.count == kinds.count)
        let collection = try session.get("nodes/cell0/traits").json["traits"]?.object
        for (key, _, _) in kinds { #expect(collection?[key] == nil) }
        #expect(
            try session.get("nodes/cell0/compare?with=scene").json["changedTraits"] == [])
        // A key that was deleted leaves its name to others.
        try session.transaction([
            ["op": "removeEnvironment", "node": "window", "key": "flag"],
            ["op": "deleteEnvironmentKey", "key": "flag"],
            [
                "op": "defineEnvironmentKey", "key": "flag",
                "definition": ["type": "int", "default": 3],
            ],
        ])
        #expect(try Self.environment("flag", at: "cell0", session) == 3)
    }

    private static func color(_ session: SessionClient, _ node: String) throws -> JSON? {
        try session.get("nodes/\(node)/colors/c").expecting(200).json["value"]
    }

    @Test("The variant with most conditions that hold wins, then the earliest, else the first")
    func colors() throws {
        let session = try Self.session()
        let variants: [JSON] = [
            ["when": ["userInterfaceStyle": "light"], "value": "first"],
            ["when": ["userInterfaceStyle": "dark"], "value": "dark"],
            ["when": ["accessibilityContrast": "high"], "value": "high"],
            ["when": ["userInterfaceStyle": "dark", "theme": "bold"], "value": "bold dark"],
        ]
        try session.put("colors/c", ["variants": .array(variants)])
        #expect(try Self.color(session, "cell0") == "first")
        try session.override("userInterfaceStyle", at: "scene", "dark")
        #expect(try Self.color(session, "cell0") == "dark")
        try session.override("accessibilityContrast", at: "scene", "high")
        try session.override("userInterfaceLevel", at: "scene", "elevated")
        #expect(try Self.color(session, "cell0") == "dark")
        try session.override("theme", at: "cell0", "bold")
        #expect(try Self.color(session, "cell0") == "bold dark")
        #expect(try Self.color(session, "list") == "dark")
        try session.override("userInterfaceStyle", at: "scene", "unspecified")
        #expect(try Self.color(session, "cell0") == "high")
        let plain = try session.put("colors/c", ["variants": [["value": "plain"]]])
        #expect(plain.status == 200)
        #expect(try Self.color(session, "cell0") == "plain")
    }

    @Test("An image takes the exact scale, else the smallest larger one, else the largest")
    func images() throws {
        let session = try Self.session()
        let variants: [JSON] = [
            ["value": "one"], ["when": ["displayScale": 3], "value": "three"],
            ["when": ["displayScale": 1], "value": "one again"],
            ["when": ["userInterfaceIdiom": "pad", "displayScale": 2], "value": "pad"],
        ]
        try session.put("images/i", ["variants": .array(variants)])
        let kept = try session.get("images/i").json["variants"]?.array
        #expect(kept?.count == 3)
        #expect(kept?.first == ["when": ["displayScale": 1], "value": "one again"])
        for (scale, value) in [(1, "one again"), (2, "three"), (3, "three"), (4, "three")] {
            try session.override("displayScale", at: "scene", .int(Int64(scale)))
            let image = try session.get("nodes/cell0/images/i").json
            #expect(image["value"] == .string(value), "scale \(scale)")
            #expect(image["dependsOn"] == ["displayScale", "userInterfaceIdiom"])
        }
        try session.override("userInterfaceIdiom", at: "scene", "pad")
        #expect(try session.get("nodes/cell0/images/i").json["value"] == "pad")
    }

    @Test("A value is any JSON, and the same however it is spaced")
    func values() throws {
        let session = try Self.session()
        let odd = #"{ "a" : [ 1.50 , null , "\u00e9\n" ] , "" : {"b" : true} }"#
        let target = session.target("colors/c")
        let made = try session.client.send(
            HTTPRequest("PUT", target, text: "{\"variants\":[{\"value\":\(odd)}]}"))
        #expect(made.status == 201)
        let compact = #"{"variants":[{"value":{"a":[1.50,null,"é\n"],"":{"b":true}}}]}"#
        let again = try session.client.send(HTTPRequest("PUT", target, text: compact))
        #expect(try again.json["unchanged"] == true)
        #expect(try session.get("nodes/cell0/colors/c").text.contains("[1.50,null,"))
    }

    @Test("A registration hears of its colours in passes where updates wait for them")
    func layout() throws {
        let session = try Self.session(["updates": "layout"])
        try session.send("POST", "layout").success()
        try session.put(
            "colors/c",
            ["variants": [["value": 1], ["when": ["theme": "bold"], "value": 2]]])
        try session.put("registrations/r", ["node": "cell0", "colors": ["c"], "set": "all"])
        let start = try session.revision()
        try session.override("theme", at: "scene", "bold")
        #expect(try Self.color(session, "cell0") == 1)
        try session.send("POST", "layout").success()
        #expect(try Self.color(session, "cell0") == 2)
        let page = try session.get("registrations/r/events?wait=0&from=\(start)").json
        #expect(page["records"]?.array?.count == 1)
        let record = page["records"]?[0]
        #expect(record?["colors"] == [["color": "c", "previous": 1, "current": 2]])
        #expect(record?["changes"]?[0]?["trait"] == "theme")
    }
}
