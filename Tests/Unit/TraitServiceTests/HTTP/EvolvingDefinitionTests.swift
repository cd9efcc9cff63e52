// Definitions that change while they are in use.

import TestSupport
import Testing
import TraitService

@Suite("Definitions that change")
struct EvolvingDefinitionTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make(
            "evolving", on: service.url,
            [
                "traits": [
                    "theme": [
                        "type": "enum", "cases": ["plain": 0, "pastel": 1, "bold": 2],
                        "default": "plain",
                    ],
                    "seats": ["type": "int", "default": 3],
                    "title": ["type": "string", "default": "a"],
                    "size": ["type": "int", "nullable": true, "default": nil],
                    "box": ["type": "struct", "fields": ["w": "int"], "default": ["w": 1]],
                ],
                "nodes": [
                    .node("root"),
                    .node(
                        "mid", in: "root",
                        overrides: ["theme": "pastel", "seats": 4, "title": "b", "box": ["w": 2]]),
                    .node("leaf", in: "mid"),
                ],
            ])
    }

    private func patch(_ trait: String, _ patch: JSON) throws -> HTTPResponse {
        try session.send("PATCH", "traits/\(trait)?changes=true", patch)
    }

    @Test("Nodes that resolve to the default change, and registrations are notified of it")
    func defaults() throws {
        for node in ["root", "mid", "leaf"] {
            try session.put("registrations/\(node)", ["node": .string(node), "traits": ["theme"]])
                .expecting(201)
        }
        let answer = try patch("theme", ["default": "bold"]).expecting(200).json
        #expect(answer["notified"] == 1)
        let notified = try #require(answer["changes"]?.array?.first, "\(answer)")
        #expect(notified["registration"] == "root")
        #expect(
            notified["changes"] == [
                [
                    "trait": "theme", "previous": "plain", "current": "bold",
                    "source": ["kind": "default"],
                ]
            ], "\(notified)")
        #expect(try session.value(of: "theme", at: "root") == "bold")
        #expect(try session.value(of: "theme", at: "leaf") == "pastel")
    }

    @Test("A case can go when no value has it, and the refusal lists the places that do")
    func cases() throws {
        try session.put(
            "colors/c", ["variants": [["value": 1], ["when": ["theme": "pastel"], "value": 2]]]
        ).expecting(201)
        let refused = try patch("theme", ["cases": ["pastel": nil]])
        #expect(refused.status == 409)
        #expect(try refused.json["code"] == "in-use" && refused.json["count"] == 2)
        #expect(
            try refused.json["places"] == [
                ["color": "c", "variant": 1], ["node": "mid", "layer": "override"],
            ], "\(refused.text)")
        try patch("theme", ["cases": ["bold": nil]]).expecting(200)
        #expect(
            try session.send("PUT", "nodes/root/overrides/theme", ["value": "bold"]).status == 422)
        try patch("theme", ["cases": ["neon": 7], "deprecated": ["pastel"]]).expecting(200)
        let definition = try session.get("traits/theme").json
        #expect(definition["cases"] == ["plain": 0, "pastel": 1, "neon": 7])
        #expect(definition["deprecated"] == ["pastel"])
        try session.transaction([.renameTrait("theme", to: "mood")])
        #expect(try session.get("traits/mood").json["deprecated"] == ["pastel"])
        try session.transaction([.renameTrait("mood", to: "theme")])
        try session.put("nodes/root/overrides/theme", ["value": "neon"]).expecting(200)
        let chain = try session.get("nodes/leaf/traits/theme?explain=true").json["chain"]?.array
        #expect(chain?.first?["deprecated"] == true && chain?[1]["deprecated"] == nil)
        #expect(try patch("theme", ["cases": ["fresh": 0]]).status == 422)
        #expect(try patch("theme", ["cases": ["plain": nil]]).json["pointer"] == "/default")
    }

    @Test("At most 100 places are listed, and all are counted")
    func manyPlaces() throws {
        for position in 0..<103 {
            try session.put(
                "nodes/n\(position)",
                ["kind": "environment", "parent": "root", "overrides": ["theme": "bold"]]
            ).expecting(201)
        }
        let refused = try patch("theme", ["cases": ["bold": nil]]).json
        #expect(refused["count"] == 103 && refused["places"]?.array?.count == 100)
    }

    @Test("A type can widen while values keep what they are, and else is refused")
    func types() throws {
        try session.put(
            "registrations/r", ["node": "leaf", "traits": ["seats", "title", "theme", "box"]]
        ).expecting(201)
        #expect(try patch("seats", ["type": "double"]).expecting(200).json["notified"] == 0)
        try session.put("nodes/mid/overrides/seats", ["value": 4.5]).expecting(200)
        #expect(try session.value(of: "seats", at: "leaf") == 4.5)
        #expect(try patch("seats", ["type": "json"]).expecting(200).json["notified"] == 0)
        #expect(try session.value(of: "seats", at: "leaf") == 4.5)
        #expect(try session.value(of: "seats", at: "root") == 3)
        let refused = try patch("title", ["type": "enum", "cases": ["a": 0, "c": 1]])
        #expect(refused.status == 409, "\(refused.text)")
        #expect(
            try patch("title", ["type": "enum", "cases": ["a": 0, "b": 1]]).expecting(200)
                .json["notified"] == 0)
        #expect(try session.value(of: "title", at: "leaf") == "b")
        #expect(try patch("theme", ["type": "string"]).expecting(200).json["notified"] == 0)
        #expect(try session.value(of: "theme", at: "leaf") == "pastel")
        try patch("box", ["fields": ["h": "int"], "default": ["h": 9]]).expecting(200)
        #expect(try patch("box", ["fields": ["w": nil]]).status == 409)
        #expect(try patch("seats", ["type": "int"]).json["code"] == "trait-immutable")
    }

    @Test("A default of null can go together with null itself")
    func nullable() throws {
        try session.put("registrations/r", ["node": "leaf", "traits": ["size"]]).expecting(201)
        let answer = try patch("size", ["nullable": false, "default": 5]).expecting(200)
        #expect(answer.text.contains(#""previous":null,"current":5"#), "\(answer.text)")
        #expect(try session.value(of: "size", at: "leaf") == 5)
        try patch("size", ["nullable": true]).expecting(200)
        try session.put("nodes/root/overrides/size", ["value": nil]).expecting(200)
        #expect(try patch("size", ["nullable": false]).json["code"] == "in-use")
    }

    @Test("System traits, keys and identifiers do not change")
    func refusals() throws {
        #expect(
            try patch("userInterfaceStyle", ["name": "x"]).json["code"] == "system-trait")
        #expect(try patch("theme", ["identifier": "x"]).json["pointer"] == "/identifier")
        #expect(try patch("theme", ["colour": 1]).status == 400)
        #expect(try patch("none", ["name": "x"]).status == 404)
        #expect(try patch("theme", ["default": "plain"]).json["unchanged"] == true)
    }

    @Test("A document with a changed definition applies, also where its values move to a new case")
    func apply() throws {
        let document: JSON = [
            "format": 1,
            "traits": [
                "theme": [
                    "type": "enum", "cases": ["plain": 0, "neon": 3], "default": "plain",
                    "name": "Theme",
                ]
            ],
            "nodes": [.node("mid", overrides: ["theme": "neon"])],
        ]
        try session.send("PUT", "apply?manager=m", document).expecting(200)
        #expect(try session.value(of: "theme", at: "leaf") == "neon")
        #expect(try session.get("traits/theme").json["cases"] == ["plain": 0, "neon": 3])
        #expect(
            try session.send("PUT", "apply?manager=m", document).expecting(200).json["unchanged"]
                == true)
    }
}
