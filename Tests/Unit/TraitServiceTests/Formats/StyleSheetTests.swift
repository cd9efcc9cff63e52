// The values of nodes as style sheets.

import HTTPServer
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Style sheets")
struct StyleSheetTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make("sheets", on: service.url, Self.world)
    }

    static let world: JSON = [
        "traits": [
            "a.b": ["type": "int", "default": 0], "a_b": ["type": "int", "default": 1],
            "a~b": ["type": "int", "default": 2], "a-b": ["type": "int", "default": 3],
            "flag": ["type": "bool", "default": false],
            "ratio": ["type": "double", "default": 0],
            "text": ["type": "string", "default": "", "nullable": true],
            "mode": [
                "type": "enum",
                "cases": ["plain": 0, "Inherit": 1, "two words": 2, "</style>": 3, "9": 4],
                "default": "plain",
            ],
            "box": [
                "type": "struct", "nullable": true,
                "fields": ["w": "double", "a b": "string"], "default": ["w": 2, "a b": "x"],
            ],
        ],
        "nodes": [
            .node("root", overrides: ["userInterfaceStyle": "dark"]),
            .node("list", in: "root"),
            .node(
                "cell", in: "list", overrides: ["flag": true, "userInterfaceStyle": "unspecified"]),
        ],
    ]

    private static let traits = "a.b,a_b,a~b,a-b,flag,ratio,text,mode,box"

    private func sheet(
        _ node: String, _ query: String = "", fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        try session.send(
            "GET", "nodes/\(node)/traits" + (query.isEmpty ? "" : "?\(query)"),
            fields: [HTTPField("Accept", "text/css,*/*;q=0.1")] + fields)
    }

    private func lines(_ node: String, _ query: String) throws -> [String] {
        try sheet(node, query).expecting(200).text.split(separator: "\n").map(String.init)
    }

    @Test("A sheet names its node, and has a line for each trait in the order of the definitions")
    func form() throws {
        let lines = try lines("cell", "traits=\(Self.traits)")
        #expect(
            lines
                == [
                    "/* traitd \(session.name) revision 1 node cell */", ":root {",
                    "  --trait-a\\.b: 0;", "  --trait-a_b: 1;", "  --trait-a\\~b: 2;",
                    "  --trait-a-b: 3;", "  --trait-flag: true;", "  --trait-ratio: 0;",
                    "  --trait-text: \"\";", "  --trait-mode: plain;", "  --trait-box\\:w: 2;",
                    "  --trait-box\\:a\\20 b: \"x\";", "}",
                ].sorted(like: lines))
        // A system trait that is unset stands in a sheet where it is asked for.
        let set = try sheet("cell").expecting(200).text
        #expect(!set.contains("initial") && set.contains("--trait-flag: true;"))
        #expect(try sheet("cell", "colorScheme=true").text.contains("--trait-flag: true;"))
        #expect(
            try sheet("cell", "traits=displayScale").text.contains("--trait-displayScale: initial;")
        )
        let all = try sheet("cell", "specified=false").expecting(200)
        #expect(all[header: "Content-Type"] == "text/css; charset=utf-8")
        #expect(all.text.contains("  --trait-userInterfaceStyle: initial;\n"))
        #expect(all.text.contains("  --trait-displayScale: initial;\n"))
        #expect(all.text.contains("  --trait-splitViewControllerLayoutEnvironment: initial;\n"))
        #expect(!all.text.contains("vibrancy"))
    }

    @Test(
        "Each value is written by the rules of its type",
        arguments: [
            ("mode", "Inherit", "\"Inherit\""), ("mode", "two words", "\"two words\""),
            ("mode", "9", "\"9\""), ("mode", "</style>", "\"\\3c /style>\""),
            ("userInterfaceIdiom", 42, "42"), ("userInterfaceIdiom", "pad", "pad"),
            ("displayScale", 2.5, "2.5"), ("ratio", 1e21, "1e+21"), ("a.b", -7, "-7"),
            ("text", nil, "initial"),
            ("text", "a\"b\\c</style>\n\u{1}é\u{0}", "\"a\\\"b\\\\c\\3c /style>\\a \\1 é\\fffd \""),
            ("preferredContentSizeCategory", "large", "large"),
        ] as [(String, JSON, String)])
    func values(trait: String, value: JSON, written: String) throws {
        try session.override(trait, at: "list", value)
        let text = try sheet("list", "traits=\(trait)").expecting(200).text
        let name = trait.replacing(".", with: "\\.")
        #expect(text.contains("  --trait-\(name): \(written);\n"), "\(text)")
        #expect(!text.contains("</"))
    }

    @Test("Numbers have their unit, and text of CSS has no quotes")
    func notes() throws {
        try session.put("traits/wide", ["type": "int", "default": 32, "unit": "px"])
        try session.put("traits/share", ["type": "double", "default": 12.5, "unit": "%"])
        try session.put(
            "traits/gap",
            ["type": "double", "default": nil, "nullable": true, "unit": "rem"])
        try session.put(
            "traits/shade", ["type": "string", "default": "0 1px rgb(0 0 0 / 50%)", "css": true])
        let names = "traits=wide,share,gap,shade"
        #expect(
            try lines("list", names).dropFirst(2).dropLast() == [
                "  --trait-wide: 32px;", "  --trait-share: 12.5%;", "  --trait-gap: initial;",
                "  --trait-shade: 0 1px rgb(0 0 0 / 50%);",
            ])
        try session.override("wide", at: "cell", -1)
        try session.override("shade", at: "cell", "url(a.png) \"x;\"")
        let below = try sheet("list", "subtree=true&prefix=p-&\(names)").expecting(200).text
        #expect(below.contains("  --p-trait-wide: -1px;\n"))
        #expect(below.contains("  --p-trait-shade: url(a.png) \"x;\";\n"))
        try session.client.send(
            "PATCH", session.target("traits/wide"), json: ["unit": "em", "type": "double"]
        ).expecting(200)
        #expect(try sheet("cell", names).text.contains("--trait-wide: -1em;"))
        for (patch, status) in [
            (["unit": "PX"], 422), (["unit": ""], 422), (["unit": "px;"], 422),
            (["css": true], 422),
            (["unit": nil], 200), (["type": "json"], 200), (["unit": "px"], 422),
        ] as [(JSON, Int)] {
            let answer = try session.client.send(
                "PATCH", session.target("traits/wide"), json: patch)
            #expect(answer.status == status, "\(patch)")
        }
    }

    @Test("A null struct is initial in each of its fields")
    func nullStruct() throws {
        try session.override("box", at: "list", nil)
        let text = try sheet("list", "traits=box").expecting(200).text
        #expect(text.contains("--trait-box\\:w: initial;"))
        #expect(text.contains("--trait-box\\:a\\20 b: initial;"))
    }

    @Test(
        "A subtree has a rule for each node that differs from its trait parent, with the differences"
    )
    func subtree() throws {
        let lines = try lines(
            "root", "subtree=true&traits=flag,userInterfaceStyle&colorScheme=true")
        #expect(
            lines == [
                "/* traitd \(session.name) revision 1 node root */", "[data-node=\"root\"] {",
                "  --trait-userInterfaceStyle: dark;", "  --trait-flag: false;",
                "  color-scheme: dark;", "}", "[data-node=\"cell\"] {",
                "  --trait-userInterfaceStyle: initial;", "  --trait-flag: true;",
                "  color-scheme: normal;", "}",
            ])
        let other = try sheet(
            "root",
            "subtree=true&traits=flag&attribute=data-x-1&prefix=app-&layer=a.b&selector=.top%20%3E%20b"
        ).expecting(200).text
        #expect(
            other == """
                /* traitd \(session.name) revision 1 node root */
                @layer a.b {
                .top > b {
                  --app-trait-flag: false;
                }
                [data-x-1="cell"] {
                  --app-trait-flag: true;
                }
                }

                """)
    }

    @Test("specified leaves defaults out of the node's own rule, but no difference below")
    func specified() throws {
        let text = try sheet("root", "specified=true&subtree=true").expecting(200).text
        #expect(!text.contains("--trait-ratio"))
        #expect(text.contains("--trait-userInterfaceStyle: dark;"))
        #expect(text.contains("--trait-userInterfaceStyle: initial;"))
    }

    @Test("Colours are written as CSS where they have its form, and as strings elsewhere")
    func colors() throws {
        let cases: [(JSON, String)] = [
            ("#Abc", "#Abc"), ("#aabbccdd", "#aabbccdd"), ("#abcde", "\"\\\"#abcde\\\"\""),
            ("rebeccapurple", "rebeccapurple"), ("inherit", "\"\\\"inherit\\\"\""),
            ("rgb(1 2 3 / 50%)", "rgb(1 2 3 / 50%)"), ("rgb(1;2)", "\"\\\"rgb(1;2)\\\"\""),
            ("url(x)", "\"\\\"url(x)\\\"\""), ("oklch(0.5 0.1 20)", "oklch(0.5 0.1 20)"),
            ("RGB(1,2,3)", "RGB(1,2,3)"), ("Hsl(120DEG 50% 25%)", "Hsl(120DEG 50% 25%)"),
            ("color-mix(in srgb, red 20%, #fff)", "color-mix(in srgb, red 20%, #fff)"),
            ("light-dark(#fff, rgb(0 0 0))", "light-dark(#fff, rgb(0 0 0))"),
            ("contrast-color(var(--x))", "contrast-color(var(--x))"),
            ("rgb(1 2 3) rgb(4 5 6)", "\"\\\"rgb(1 2 3) rgb(4 5 6)\\\"\""),
            ("rgb(1 2 3", "\"\\\"rgb(1 2 3\\\"\""),
            ("rgb(\"</style>\")", #""\"rgb(\\\"\3c /style>\\\")\"""#),
            (["colorSpace": "srgb", "components": [1, 0.5, 0]], "color(srgb 1 0.5 0)"),
            (["colorSpace": "srgb", "components": [1.25, -0.5, 0]], "color(srgb 1.25 -0.5 0)"),
            (["value": 12, "unit": "px"], "12px"), (["value": 0.5, "unit": "s"], "0.5s"),
            ([0.25, 0, 0.5, 1], "cubic-bezier(0.25, 0, 0.5, 1)"),
            (["A \"B\"", "sans-serif", "</"], #""A \"B\"", sans-serif, "\3c /""#),
            (
                [
                    "color": "#0003", "offsetX": ["value": 0, "unit": "px"],
                    "offsetY": ["value": 2, "unit": "px"], "blur": ["value": 1.5, "unit": "rem"],
                    "inset": true,
                ], "inset 0px 2px 1.5rem #0003"
            ),
            (
                ["colorSpace": "display-p3", "components": [1, "none", 0], "alpha": 0.5],
                "color(display-p3 1 none 0 / 0.5)"
            ),
            (["colorSpace": "hsl", "components": [120, 50, 25]], "hsl(120 50% 25%)"),
            (["colorSpace": "oklab", "components": [0.5, -0.1, 2]], "oklab(0.5 -0.1 2)"),
            (5, "5"), (true, "true"), (nil, "\"null\""), ([1, "</"], "\"[1,\\\"\\3c /\\\"]\""),
        ]
        for (number, (value, _)) in cases.enumerated() {
            try session.put("colors/c\(number).x", ["variants": [["value": value]]])
        }
        let text = try sheet("root", "colors=all&traits=flag").expecting(200).text
        for (number, (_, written)) in cases.enumerated() {
            #expect(text.contains("  --color-c\(number)\\.x: \(written);\n"), "\(written)")
        }
        #expect(!text.contains("</"))
        let unknown = try sheet("root", "colors=c0.x,none")
        #expect(unknown.status == 422)
        #expect(try unknown.json["code"] == "unknown-color")
        try session.put(
            "colors/ink",
            [
                "variants": [
                    ["when": ["userInterfaceStyle": "dark"], "value": "#fff"], ["value": "#000"],
                    ["when": ["flag": true], "value": "#000"],
                ]
            ])
        let below = try sheet("root", "colors=ink&subtree=true&traits=ratio").expecting(200).text
        #expect(below.contains("[data-node=\"cell\"] {\n  --color-ink: #000;\n}"))
        #expect(!below.contains("[data-node=\"list\"]"))
        // Many colours are resolved beside the shard.
        for number in 0..<120 {
            try session.put("colors/m\(number)", ["variants": [["value": "#123456"]]])
        }
        let many = try sheet("root", "colors=all&traits=flag").expecting(200)
        #expect(many[header: "Transfer-Encoding"] == "chunked")
        #expect(many.text.contains("  --color-m119: #123456;\n"))
        #expect(try sheet("root", "colors=none").status == 422)
    }

    @Test("Malformed parameters are refused, and those of JSON and of sheets exclude each other")
    func parameters() throws {
        for query in [
            "explain=true", "absent=true", "pending=true", "subtree=yes", "selector=",
            "selector=a%7Bb", "selector=a%7D", "selector=%40a", "selector=a%3Bb", "selector=a%3Cb",
            "selector=a%5Cb", "selector=a%2F*b", "selector=%22a", "selector='a%22",
            "selector=a%0Ab",
            "selector=%5Ba", "selector=a)", "selector=\(String(repeating: "a", count: 257))",
            "attribute=class", "attribute=data-", "attribute=data-A",
            "attribute=data-\(String(repeating: "a", count: 33))", "prefix=a.b",
            "prefix=\(String(repeating: "a", count: 33))", "layer=", "layer=a.b.c", "layer=9",
            "layer=initial", "layer=a.", "colorScheme=1",
        ] {
            #expect(try sheet("root", query).status == 400, "\(query)")
        }
        for query in [
            "selector=\(String(repeating: "a", count: 256))", "selector=%5Ba=%22%5D%22%5D",
            "selector=:is(.a,%20.b)", "prefix=",
            "attribute=data-\(String(repeating: "a", count: 32))",
            "layer=-a", "subtree=false", "explain=false&absent=false",
        ] {
            #expect(try sheet("root", query).status == 200, "\(query)")
        }
        for query in ["subtree=true", "selector=a", "layer=a", "colors=all", "colorScheme=true"] {
            #expect(try session.get("nodes/root/traits?\(query)").status == 400, "\(query)")
        }
        #expect(try session.get("nodes/root/traits?subtree=false&colorScheme=false").status == 200)
        #expect(try sheet("none").status == 404)
        #expect(try sheet("root", "traits=none").status == 422)
        let image = try session.send(
            "GET", "nodes/root/traits", fields: [HTTPField("Accept", "image/png")])
        #expect(image.status == 406)
    }

    @Test("A sheet has its own tags and fields, and 304 for each set of parameters")
    func fields() throws {
        var tags = Set<String>()
        for query in ["", "traits=flag", "subtree=true", "selector=a"] {
            let answer = try sheet("root", query).expecting(200)
            let tag = try #require(answer[header: "ETag"])
            #expect(tag.contains(/^"[a-z0-9]{12}\.1-css/))
            tags.insert(tag)
            #expect(answer[header: "Cache-Control"] == "no-cache")
            #expect(answer[header: "X-Content-Type-Options"] == "nosniff")
            #expect(answer[header: "Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(answer.head.values("Vary").joined(separator: ", ") == "Accept, Accept-Encoding")
            let again = try sheet("root", query, fields: [HTTPField("If-None-Match", tag)])
            #expect(again.status == 304, "\(query)")
            #expect(again[header: "ETag"] == tag)
            #expect(again.head.values("Vary").joined(separator: ", ") == "Accept, Accept-Encoding")
        }
        #expect(tags.count == 4)
        let json = try session.get("nodes/root/traits")
        #expect(json[header: "Content-Type"] == "application/json")
        #expect(json.head.values("Vary").joined(separator: ", ") == "Accept, Accept-Encoding")
        #expect(!tags.contains(try #require(json[header: "ETag"])))
        #expect(json[header: "Cross-Origin-Resource-Policy"] == nil)
    }

    @Test(
        "A page of another origin gets no sheet, unless its origin is allowed and it says its name")
    func origins() throws {
        let page = "https://app.example"
        let client = try InProcessService(access: AccessPolicy(origins: [page])).client()
        try client.send("PUT", "/v1/sessions/a", json: Self.world).expecting(201)
        let cases: [(String?, String?, Int)] = [
            ("cross-site", nil, 403), ("same-site", nil, 403), ("cross-site", page, 200),
            ("cross-site", "https://evil.example", 403), ("cross-site", "null", 403),
            ("same-origin", nil, 200), ("none", nil, 200), (nil, nil, 200), (nil, page, 200),
        ]
        for query in ["", "?subtree=true"] {
            for (site, origin, status) in cases {
                let fields =
                    [HTTPField("Accept", "text/css")]
                    + (site.map { [HTTPField("Sec-Fetch-Site", $0)] } ?? [])
                    + (origin.map { [HTTPField("Origin", $0)] } ?? [])
                let answer = try client.get(
                    "/v1/sessions/a/nodes/root/traits\(query)", fields: fields)
                #expect(answer.status == status, "\(site ?? "") \(origin ?? "")")
                if status == 403 { #expect(try answer.json["code"] == "cross-origin") }
                let isShared = origin == page
                if status == 200 {
                    #expect(
                        answer[header: "Cross-Origin-Resource-Policy"]
                            == (isShared ? nil : "same-origin"))
                    #expect(
                        answer[header: "Access-Control-Allow-Origin"] == (isShared ? page : nil))
                }
            }
        }
        let json = try client.get(
            "/v1/sessions/a/nodes/root/traits", fields: [HTTPField("Sec-Fetch-Site", "cross-site")])
        #expect(json.status == 200)
    }

    @Test("A long sheet is written in parts with the same text, and a subtree is compressed")
    func parts() throws {
        var limits = ServiceLimits()
        limits.inlineAnswerBytesMax = 100
        let small = try InProcessService(limits: limits)
        let client = try SessionClient.make("sheets", on: small.url, Self.world)
        let fields = [HTTPField("Accept", "text/css")]
        for query in ["", "?colorScheme=true&prefix=x-"] {
            let whole = try sheet("cell", String(query.dropFirst())).text
            let parts = try client.send("GET", "nodes/cell/traits\(query)", fields: fields)
            #expect(parts[header: "Transfer-Encoding"] == "chunked")
            #expect(
                parts.text.split(separator: "\n").dropFirst()
                    == whole.split(separator: "\n").dropFirst())
        }
        var request = HTTPRequest(
            "GET", session.target("nodes/root/traits?subtree=true"), fields: fields)
        request.acceptsGzip = true
        let packed = try session.client.send(request).expecting(200)
        #expect(packed[header: "ETag"]?.hasSuffix("-gzip\"") == true)
        #expect(packed.text == (try sheet("root", "subtree=true").text))
    }
}

extension [String] {
    /// The lines of a sheet whose fields of structs come in any order, since JSON has none.
    fileprivate func sorted(like other: [String]) -> [String] {
        Set(self) == Set(other) ? other : self
    }
}
