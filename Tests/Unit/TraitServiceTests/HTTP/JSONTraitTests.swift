// Traits of the type json.

import TestSupport
import Testing
import TraitService

@Suite("Values of the type json")
struct JSONTraitTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make(
            "json", on: service.url,
            [
                "traits": [
                    "limits": ["type": "json", "default": ["b": [1, 2.5], "a": nil]],
                    "box": [
                        "type": "struct", "fields": ["n": "int", "more": "json"],
                        "default": ["n": 1, "more": nil],
                    ],
                ],
                "nodes": [.node("root"), .node("leaf", in: "root")],
            ])
    }

    private func put(_ text: String, _ trait: String = "limits") throws -> HTTPResponse {
        try session.put("nodes/root/overrides/\(trait)", text: #"{"value":\#(text)}"#)
    }

    @Test("A value is answered in its canonical text, and is inherited")
    func canonical() throws {
        #expect(
            try session.get("traits/limits").text.contains(#""default":{"a":null,"b":[1,2.5]}"#))
        #expect(try session.get("traits/limits").json["nullable"] == true)
        try put(#"{"z": [1e2, -0.0, "\u00e9"], "a": {"y":true,"x":12345678901234567890}}"#)
            .expecting(200)
        let text = #"{"a":{"x":12345678901234567890,"y":true},"z":[100,0,"é"]}"#
        for path in ["overrides/limits", "traits/limits", "traits?traits=limits"] {
            let node = path.hasPrefix("overrides") ? "root" : "leaf"
            #expect(try session.get("nodes/\(node)/\(path)").text.contains(text), "\(path)")
        }
        #expect(try session.get("export").text.contains(text))
    }

    @Test("Values are equal by meaning, and other values are not")
    func equality() throws {
        try put(#"{"a":[1,2],"b":2}"#).expecting(200)
        for same in [#"{"b":2.0,"a":[1e0,2]}"#, #"{"a":[1,20e-1],"\u0062":2}"#] {
            #expect(try put(same).expecting(200).json["unchanged"] == true, "\(same)")
        }
        for other in [
            #"{"a":[2,1],"b":2}"#, #"{"a":[1,2],"b":"2"}"#, #"{"a":[1,2]}"#, "[]", "null",
        ] {
            #expect(try put(other).expecting(200).json["unchanged"] != true, "\(other)")
        }
        #expect(try session.get("nodes/leaf/traits/limits").json["value"] == .null)
    }

    @Test("What has no canonical text, is too deep or too long is refused")
    func refusals() throws {
        let deep = { (levels: Int) in
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let cases: [(String, Int, String)] = [
            (deep(16), 200, ""), (deep(17), 422, "type-mismatch"),
            ("1e309", 422, "type-mismatch"), ("[1e-400]", 422, "type-mismatch"),
            (#"{"a":1,"\u0061":2}"#, 400, "malformed-json"), (#""\ud800""#, 400, "malformed-json"),
            ("\"" + String(repeating: "x", count: 16_382) + "\"", 200, ""),
            ("\"" + String(repeating: "x", count: 16_383) + "\"", 422, "value-too-large"),
            // The length is that of the canonical text.
            ("[" + String(repeating: " ", count: 20_000) + "]", 200, ""),
        ]
        for (text, status, code) in cases {
            let answer = try put(text)
            #expect(answer.status == status, "\(text.prefix(40)) \(answer.text.prefix(300))")
            if !code.isEmpty { #expect(try answer.json["code"] == .string(code)) }
        }
        let definition = try session.send(
            "PUT", "traits/other", ["type": "json", "default": nil, "nullable": false])
        #expect(definition.status == 422)
        #expect(try definition.json["pointer"] == "/nullable")
    }

    @Test("A patch of overrides replaces a value as a whole, and null removes it")
    func patch() throws {
        try put(#"{"a":1,"b":2}"#).expecting(200)
        try session.send("PATCH", "nodes/root/overrides", ["limits": ["c": 3]]).expecting(200)
        #expect(try session.value(of: "limits", at: "leaf") == ["c": 3])
        try session.send("PATCH", "nodes/root/overrides", ["limits": nil]).expecting(200)
        #expect(try session.get("nodes/root/overrides/limits").status == 404)
    }

    @Test("Fields, keys of environments and colours take any JSON")
    func places() throws {
        try put(#"{"n":2,"more":{"b":1,"a":[]}}"#, "box").expecting(200)
        #expect(
            try session.value(of: "box", at: "leaf") == ["n": 2, "more": ["a": [], "b": 1]])
        try session.put(
            "environmentKeys/level",
            [
                "type": "json", "default": "none", "bridgedTrait": "limits",
                "map": [
                    ["environment": ["a": 1, "b": 2], "trait": [1, 2]],
                    ["environment": "none", "trait": nil],
                ],
            ]
        ).expecting(201)
        try session.put("nodes/leaf/environment/level", text: #"{"value":{"b":2.0,"a":1}}"#)
            .expecting(200)
        #expect(try session.value(of: "limits", at: "leaf") == [1, 2])
        try session.put(
            "colors/tint",
            ["variants": [["value": "white"], ["when": ["limits": [1, 2]], "value": "black"]]]
        ).expecting(201)
        #expect(try session.get("nodes/leaf/colors/tint").json["value"] == "black")
        #expect(try session.get("nodes/root/colors/tint").json["value"] == "white")
    }

    @Test("A flag is the value itself, a style sheet has its text, and tokens have it beside them")
    func formats() throws {
        try put(#"{"a":"x\"y","n":2}"#).expecting(200)
        let flag = try session.send(
            "POST", "ofrep/v1/evaluate/flags/limits", ["context": ["targetingKey": "leaf"]]
        ).expecting(200)
        #expect(flag.text.contains(#""value":{"a":"x\"y","n":2}"#))
        let sheet = try session.send(
            "GET", "nodes/leaf/traits?traits=limits,box", fields: [HTTPField("Accept", "text/css")]
        ).expecting(200).text
        #expect(sheet.contains(#"--trait-limits: "{\"a\":\"x\\\"y\",\"n\":2}";"#), "\(sheet)")
        #expect(sheet.contains(#"--trait-box\:more: initial;"#), "\(sheet)")
        let tokens = try session.get("nodes/leaf/tokens").json
        #expect(
            tokens["$extensions"]?["dev.traitd"]?["traits"]?["limits"] == ["a": "x\"y", "n": 2])
    }
}
