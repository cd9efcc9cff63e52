// The values of nodes as design tokens.

import TestSupport
import Testing

@Suite("Design tokens")
struct TokenFileTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make(
            "tokens", on: service.url,
            [
                "traits": [
                    "space": ["type": "int", "default": 4, "name": "Spacing"],
                    "space.small": ["type": "double", "default": 2.5],
                    "space..wide": ["type": "int", "default": 9],
                    "theme": [
                        "type": "enum", "cases": ["plain": 0, "bold": 1], "default": "plain",
                    ],
                    "beta": ["type": "bool", "default": false],
                    "title": ["type": "string", "default": "Hello"],
                    "gone": ["type": "int", "default": 1, "nullable": true],
                    "box": ["type": "struct", "fields": ["w": "int"], "default": ["w": 1]],
                ],
                "nodes": [
                    .node(
                        "n", overrides: ["displayScale": 3, "gone": nil, "userInterfaceIdiom": 42])
                ],
            ])
        for (name, value) in [
            ("ink", "#f80"), ("ink.faint", "#FF880080"), ("odd", "oops"), ("a.", "#000"),
            ("deep", ["colorSpace": "oklch", "components": [0.5, 0.1, 20]]),
            ("wrong", ["colorSpace": "srgb", "components": [2, 0, 0]]),
        ] as [(String, JSON)] {
            try session.put("colors/\(name)", ["variants": [["value": value]]])
        }
    }

    @Test("Numbers and colours are tokens, in groups by the periods of their names")
    func file() throws {
        let answer = try session.get("nodes/n/tokens").expecting(200)
        #expect(answer[header: "Content-Type"] == "application/design-tokens+json")
        let file = try answer.json
        func token(_ trait: String, _ value: JSON, _ more: [String: JSON] = [:]) -> JSON {
            var own: [String: JSON] = ["trait": .string(trait), "source": "default"]
            own.merge(more) { $1 }
            return [
                "$type": "number", "$value": value,
                "$extensions": .object(["dev.traitd": .object(own)]),
            ]
        }
        let source: [String: JSON] = ["source": "override", "node": "n", "revision": 1]
        let scale = token("displayScale", 3, source).with("$description", "DisplayScale")
        #expect(file["traits"]?["displayScale"] == scale)
        let spacing = token("space", 4).with("$description", "Spacing")
        #expect(file["traits"]?["space"] == ["$root": spacing, "small": token("space.small", 2.5)])
        #expect(file["traits"]?["gone"] == nil)
        func color(_ name: String, _ value: JSON) -> JSON {
            [
                "$type": "color", "$value": value,
                "$extensions": [
                    "dev.traitd": ["color": .string(name), "source": "variant", "variant": 0]
                ],
            ]
        }
        let orange: JSON = [
            "colorSpace": "srgb", "components": [1, .double(136.0 / 255), 0], "hex": "#ff8800",
        ]
        let faint = orange.with("alpha", .double(128.0 / 255))
        #expect(
            file["colors"] == [
                "ink": ["$root": color("ink", orange), "faint": color("ink.faint", faint)],
                "deep": color("deep", ["colorSpace": "oklch", "components": [0.5, 0.1, 20]]),
            ])
        let root = try #require(file["$extensions"]?["dev.traitd"])
        #expect(root["session"] == .string(session.name))
        #expect(root["revision"] == 7)
        #expect(root["node"] == "n")
        #expect(root["input"] == ["theme": "plain", "beta": "false", "userInterfaceIdiom": "42"])
        #expect(root["traits"] == ["title": "Hello", "box": ["w": 1]])
        #expect(
            root["skipped"] == ["traits/space..wide", "colors/odd", "colors/a.", "colors/wrong"])
    }

    @Test("Dimensions, durations and colours of CSS are tokens; what tokens lack stays text")
    func notes() throws {
        let traits: [(String, JSON, JSON?)] = [
            ("a1", ["type": "int", "default": 32, "unit": "px"], ["value": 32, "unit": "px"]),
            (
                "a2", ["type": "double", "default": 0.5, "unit": "rem"],
                ["value": 0.5, "unit": "rem"]
            ),
            ("a3", ["type": "int", "default": 250, "unit": "ms"], ["value": 250, "unit": "ms"]),
            ("a4", ["type": "double", "default": 45, "unit": "deg"], nil),
            (
                "a5", ["type": "string", "default": "Teal", "css": true],
                [
                    "colorSpace": "srgb",
                    "components": [0, .double(128.0 / 255), .double(128.0 / 255)],
                    "hex": "#008080",
                ]
            ),
            ("a6", ["type": "string", "default": "0 1px red", "css": true], nil),
            ("a7", ["type": "string", "default": "#fff"], nil),
        ]
        for (key, definition, _) in traits { try session.put("traits/\(key)", definition) }
        let colors: [(String, JSON?)] = [
            ("rgb(255, 0, 51)", ["colorSpace": "srgb", "components": [1, 0, 0.2]]),
            (
                "RGBA(300 -5 50% / 25%)",
                ["colorSpace": "srgb", "components": [1, 0, 0.5], "alpha": 0.25]
            ),
            ("hsl(-0.5turn 50% 25%)", ["colorSpace": "hsl", "components": [180, 50, 25]]),
            (
                "hwb(480 none 110% / none)",
                ["colorSpace": "hwb", "components": [120, "none", 100]]
            ),
            ("lab(50% -50% 20)", ["colorSpace": "lab", "components": [50, -62.5, 20]]),
            ("oklch(50% 0.1 20deg)", ["colorSpace": "oklch", "components": [0.5, 0.1, 20]]),
            (
                "color( xyz 0.5 10% 1 / 2)",
                ["colorSpace": "xyz-d65", "components": [0.5, 0.1, 1], "alpha": 1]
            ),
            (
                "transparent",
                ["colorSpace": "srgb", "components": [0, 0, 0], "alpha": 0, "hex": "#000000"]
            ),
            ("color(display-p3 1.5 0 0)", nil), ("color(hsl 1 2 3)", nil), ("rgb(1 2)", nil),
            ("rgb(1,2 3)", nil), ("rgb(1 2 3 / 1 / 1)", nil), ("rgb(from red r g b)", nil),
            ("rgb(1e 2 3)", nil), ("rgb(1px 2 3)", nil), ("hsl(20% 1 1)", nil),
            ("rgb(inf 0 0)", nil),
            ("rgb(1e999 0 0)", nil), ("color-mix(in srgb, red, blue)", nil), ("currentcolor", nil),
        ]
        for (number, (text, _)) in colors.enumerated() {
            try session.put("colors/x\(number)", ["variants": [["value": .string(text)]]])
        }
        let file = try session.get("nodes/n/tokens").expecting(200).json
        let own = try #require(file["$extensions"]?["dev.traitd"])
        for (key, _, value) in traits {
            #expect(file["traits"]?[key]?["$value"] == value, "\(key)")
        }
        let types = traits.map { file["traits"]?[$0.0]?["$type"]?.string ?? "-" }
        #expect(types == ["dimension", "dimension", "duration", "-", "color", "-", "-"])
        #expect(own["traits"]?["a4"] == "45deg")
        #expect(own["traits"]?["a6"] == "0 1px red")
        for (number, (text, value)) in colors.enumerated() {
            #expect(file["colors"]?["x\(number)"]?["$value"] == value, "\(text)")
        }
    }

    @Test("A colour whose value has the form of another type is a token of that type")
    func forms() throws {
        let px: JSON = ["value": 4, "unit": "px"]
        let ms: JSON = ["value": 200, "unit": "ms"]
        let red: JSON = ["colorSpace": "srgb", "components": [1, 0, 0]]
        let shadow: JSON = ["color": red, "offsetX": px, "offsetY": px, "blur": px, "spread": px]
        let cases: [(String?, JSON)] = [
            ("number", 4), ("dimension", px), ("dimension", ["value": -1.5, "unit": "rem"]),
            ("duration", ms), ("cubicBezier", [0, 0.5, 1, 1]), ("fontFamily", ["Inter", "serif"]),
            ("shadow", shadow), ("shadow", [shadow, shadow]),
            ("border", ["color": red, "width": px, "style": "solid"]),
            ("transition", ["duration": ms, "delay": ms, "timingFunction": [0, 0, 1, 1]]),
            ("strokeStyle", ["dashArray": [px], "lineCap": "round"]),
            ("gradient", [["color": red, "position": 0], ["color": red, "position": 1]]),
            (
                "typography",
                [
                    "fontFamily": "Inter", "fontSize": px, "fontWeight": 700, "letterSpacing": px,
                    "lineHeight": 1.2,
                ]
            ),
            (nil, "Inter"), (nil, true), (nil, nil), (nil, []), (nil, [1, 2, 3]),
            (nil, ["value": 4, "unit": "pt"]), (nil, ["value": "4", "unit": "px"]),
            (nil, [["color": red]]), (nil, ["color": red]),
        ]
        for (number, (_, value)) in cases.enumerated() {
            try session.put("colors/f\(number)", ["variants": [["value": value]]])
        }
        let file = try session.get("nodes/n/tokens").expecting(200).json
        let skipped = file["$extensions"]?["dev.traitd"]?["skipped"]?.array ?? []
        for (number, (type, value)) in cases.enumerated() {
            let token = file["colors"]?["f\(number)"]
            #expect(token?["$type"]?.string == type, "\(value)")
            #expect(skipped.contains(.string("colors/f\(number)")) == (type == nil), "\(value)")
            if type != nil { #expect(token?["$value"] == value) }
        }
    }

    @Test("The input is an object of strings, and both have tags of their own")
    func input() throws {
        let input = try session.get("nodes/n/tokens/input").expecting(200)
        #expect(
            try input.json == ["theme": "plain", "beta": "false", "userInterfaceIdiom": "42"])
        #expect(input[header: "Content-Type"] == "application/json")
        let file = try session.get("nodes/n/tokens")
        let plain = try session.send(
            "GET", "nodes/n/tokens", fields: [HTTPField("Accept", "application/json")])
        #expect(plain[header: "Content-Type"] == "application/json")
        #expect(try plain.json == file.json)
        let tags = [input, file, plain].compactMap { $0[header: "ETag"] }
        #expect(Set(tags).count == 3)
        let again = try session.send(
            "GET", "nodes/n/tokens", fields: [HTTPField("If-None-Match", tags[1])])
        #expect(again.status == 304)
        #expect(try session.get("nodes/none/tokens").status == 404)
        #expect(try session.get("nodes/n/tokens?x=1").status == 400)
        #expect(try session.get("nodes/n/tokens?pretty=true").text.contains("\n  \"traits\": {"))
        let css = try session.send(
            "GET", "nodes/n/tokens", fields: [HTTPField("Accept", "text/css")])
        #expect(css.status == 406)
    }

    @Test("A long file is written in parts, and one with many colours beside the shard")
    func long() throws {
        let whole = try session.get("nodes/n/tokens").json
        for number in 0..<120 {
            try session.put("colors/m.\(number)", ["variants": [["value": "#123456"]]])
        }
        let many = try session.get("nodes/n/tokens").expecting(200)
        #expect(many[header: "Transfer-Encoding"] == "chunked")
        #expect(try many.json["colors"]?["m"]?.object?.count == 120)
        #expect(try many.json["traits"] == whole["traits"])
    }
}
