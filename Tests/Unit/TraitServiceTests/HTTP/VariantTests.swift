// `POST …/variants`: its rows, forms, refusals and limits.

import HTTPServer
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Variants")
struct VariantTests {
    private static let style: JSON = [
        "name": "style", "trait": "userInterfaceStyle", "at": "scene",
    ]
    private static let scale: JSON = [
        "name": "scale", "trait": "displayScale", "at": "scene", "cases": [1, 2, 3],
    ]
    private static let device: JSON = [
        "name": "device", "devices": ["iPhone SE", "iPad Pro 11"], "at": "scene",
    ]
    private static let plan: JSON = [
        "name": "plan",
        "values": ["free": [], "paid": [.setOverride("title", at: "cell", "paid")]],
    ]
    private static let nodes: [JSON] = [.node("scene"), .node("cell", in: "scene")]

    private func session(_ limits: ServiceLimits = ServiceLimits()) throws -> SessionClient {
        try LongReadServer(limits, Self.nodes).session
    }

    private func body(_ axes: [JSON], _ more: [String: JSON] = [:]) -> JSON {
        .object(["nodes": ["cell"], "axes": .array(axes)].merging(more) { $1 })
    }

    @Test("Rows differ in one value from one to the next, and both forms say the same")
    func product() throws {
        let session = try session()
        let reads: JSON = ["userInterfaceStyle", "displayScale", "userInterfaceIdiom", "title"]
        let body = body([Self.style, Self.scale, Self.device, Self.plan], ["reads": reads])
        let before = try session.state()
        let answer = try session.send("POST", "variants", body).expecting(200)
        #expect(answer[header: "Content-Type"] == "application/x-ndjson")
        #expect(answer[header: "ETag"] == nil)
        #expect(answer.revision == 1)
        let lines = try answer.lines()
        #expect(lines.first?["combinations"] == 24)
        #expect(lines.first?["rows"] == 24)
        #expect(lines.first?["axes"]?.array?.first?["values"] == ["light", "dark"])
        #expect(lines.last == ["end": true, "rows": 24, "combinations": 24])
        var last: [String: JSON]?
        for (number, row) in lines.dropFirst().dropLast().enumerated() {
            #expect(row["row"]?.int == Int64(number))
            let labels = try #require(row["labels"]?.object)
            if let last {
                #expect(labels.count { last[$0.key] != $0.value } == 1)
            }
            last = labels
            let traits = row["nodes"]?.array?.first?["traits"]
            #expect(traits?["userInterfaceStyle"] == labels["style"])
            #expect(traits?["displayScale"] == labels["scale"])
            let isPhone = labels["device"] == "iPhone SE"
            #expect(traits?["userInterfaceIdiom"] == (isPhone ? "phone" : "pad"))
            #expect(traits?["title"] == (labels["plan"] == "paid" ? "paid" : "none"))
        }
        #expect(try session.state() == before)
        let object = try session.send(
            "POST", "variants", body, fields: [HTTPField("Accept", "application/json")]
        ).expecting(200)
        #expect(object[header: "Content-Type"] == "application/json")
        #expect(try object.json["variants"]?.array == Array(lines.dropFirst().dropLast()))
        #expect(try object.json["end"] == ["rows": 24, "combinations": 24])
    }

    @Test("Joined rows are those that the recorded reads cannot tell apart")
    func distinct() throws {
        let session = try session()
        try session.put("nodes/cell/scopes/draw", ["reads": ["userInterfaceStyle"]])
        try session.put(
            "registrations/r", ["node": "cell", "traits": ["horizontalSizeClass"]])
        let axes = [Self.style, Self.scale, Self.device, Self.plan]
        let answer = try session.send(
            "POST", "variants", body(axes, ["reads": "recorded", "distinct": true])
        ).expecting(200)
        let lines = try answer.lines()
        #expect(lines.last == ["end": true, "rows": 4, "combinations": 24])
        for row in lines.dropFirst().dropLast() {
            #expect(row["combinations"] == 6)
            let traits = row["nodes"]?.array?.first?["traits"]?.object ?? [:]
            #expect(Set(traits.keys) == ["userInterfaceStyle", "horizontalSizeClass"])
        }
        // A colour makes what it depends on a part of what is read.
        try session.put(
            "colors/ink",
            [
                "variants": [
                    ["when": ["displayScale": 1], "value": "#000"], ["value": "#fff"],
                ]
            ])
        let colored = try session.send(
            "POST", "variants",
            body(axes, ["reads": "recorded", "colors": ["ink"], "distinct": true])
        ).expecting(200).lines()
        #expect(colored.last?["rows"] == 12)
        #expect(colored[1]["nodes"]?.array?.first?["colors"]?["ink"]?["value"] == "#000")
        let none = try session.send(
            "POST", "variants",
            ["nodes": ["cell", "scene"], "axes": [Self.style], "reads": "recorded"])
        #expect(try none.expecting(422).json["code"] == "nothing-recorded")
        #expect(try none.json["pointer"] == "/nodes/1")
    }

    @Test("A strength of 2 has every pair that an exception does not rule out")
    func pairs() throws {
        let session = try session()
        let answer = try session.send(
            "POST", "variants",
            body(
                [Self.style, Self.scale, Self.device, Self.plan],
                [
                    "strength": 2,
                    "except": [
                        ["device": "iPhone SE", "style": "dark"], ["scale": 3.0, "plan": "free"],
                    ],
                ])
        ).expecting(200)
        let lines = try answer.lines()
        let rows = lines.dropFirst().dropLast()
        var pairs: Set<String> = []
        for row in rows {
            let labels = (row["labels"]?.object ?? [:]).map { "\($0.key)=\($0.value.text)" }
                .sorted()
            for first in labels {
                for second in labels where second > first { pairs.insert(first + second) }
            }
            #expect(!labels.contains("device=\"iPhone SE\"") || !labels.contains("style=\"dark\""))
        }
        let counts = lines.last?["pairs"]
        #expect(counts?["all"] == 30)
        #expect(counts?["impossible"] == 2)
        #expect(counts?["covered"] == 28)
        #expect(pairs.count == 28)
        #expect(rows.count < 12)
        #expect(lines.first?["combinations"] == 15)
    }

    @Test("Long answers have the bytes of short ones, in both forms and of the past")
    func splitPoints() throws {
        let pair = try LongReadPair(Self.nodes)
        for server in [pair.short, pair.long] {
            try server.session.override("displayScale", at: "scene", 3)
            try server.session.put("nodes/cell/scopes/draw", ["reads": ["displayScale"]])
        }
        let axes = [Self.style, Self.scale, Self.device, Self.plan]
        for more: [String: JSON] in [
            [:], ["distinct": true], ["strength": 2], ["reads": "recorded", "distinct": true],
            ["nodes": ["cell", "scene", "cell"], "strength": 3], ["nodes": ["other"]],
            ["except": [["style": "dark"]]],
        ] {
            for accept in ["application/json", "application/x-ndjson"] {
                for query in ["", "?revision=1"] where query.isEmpty || more["reads"] == nil {
                    try pair.agree(
                        "POST", "variants" + query, body(axes, more), accept: accept)
                }
            }
        }
        #expect(try pair.long.session.revision() == 3)
    }

    @Test("Nodes of a layout session show the values after a pass, or before it")
    func passes() throws {
        let session = try InProcessService().session(
            "s",
            [
                "updates": "layout",
                "nodes": [
                    .node("scene", "windowScene"),
                    .node("w", "window", in: "scene"),
                    .node("cell", "view", in: "w"),
                ],
            ])
        _ = try session.send("POST", "layout", [:]).success()
        let body = body([Self.style], ["reads": ["userInterfaceStyle"]])
        func styles(_ query: String) throws -> [JSON?] {
            try session.send("POST", "variants" + query, body).expecting(200).lines()
                .dropFirst().dropLast()
                .map { $0["nodes"]?.array?.first?["traits"]?["userInterfaceStyle"] }
        }
        #expect(try styles("") == ["light", "dark"])
        #expect(try Set(styles("?pending=false")).count == 1)
    }

    @Test("Bad requests are refused with their place and what there is")
    func refusals() throws {
        let session = try session()
        let before = try session.state()
        func axis(_ members: JSON) -> JSON { body([members.with("name", "x")]) }
        func scales(_ cases: JSON) -> JSON {
            axis(["trait": "displayScale", "at": "scene", "cases": cases])
        }
        func excepting(_ exception: JSON) -> JSON { body([Self.style], ["except": [exception]]) }
        let misspelt: JSON = ["name": "x", "trait": "userInterfaceStil", "at": "scene"]
        let layout: JSON = ["name": "x", "values": ["a/b": [["op": "layout"]]]]
        let se: JSON = ["devices": ["iPhone SE"], "at": "scene", "split": "1/2"]
        let bad: [(JSON, Int, String, String)] = [
            (["axes": [Self.style]], 400, "missing-member", ""),
            (body([Self.style.without("name")]), 400, "missing-member", "/axes/0"),
            (body([Self.style, misspelt]), 422, "unknown-trait", "/axes/1/trait"),
            (axis(Self.style.with("at", "scen")), 422, "unknown-node", "/axes/0/at"),
            (
                axis(["devices": ["iPhone S"], "at": "scene"]), 422, "unknown-device",
                "/axes/0/devices/0"
            ),
            (axis(se), 422, "unknown-device", "/axes/0/split"),
            (axis(["devices": [], "at": "scene"]), 422, "invalid-variants", "/axes/0/devices"),
            (axis(["values": [:]]), 422, "invalid-variants", "/axes/0/values"),
            (axis(["trait": "title", "at": "scene"]), 422, "invalid-variants", "/axes/0/trait"),
            (scales([1, "a"]), 422, "type-mismatch", "/axes/0/cases/1"),
            (scales([1, 1.0]), 422, "invalid-variants", "/axes/0/cases/1"),
            (body([Self.style, Self.style]), 422, "invalid-variants", "/axes/1/name"),
            (body([Self.plan, layout]), 400, "malformed-body", "/axes/1/values/a~1b/0/op"),
            (
                axis(["values": ["a": [.deleteNode("none")]]]), 422, "unknown-node",
                "/axes/0/values/a/0/node"
            ),
            (excepting(["styl": "dark"]), 422, "invalid-variants", "/except/0/styl"),
            (excepting(["style": "drak"]), 422, "invalid-variants", "/except/0/style"),
            (body([Self.style], ["strength": 4]), 422, "unsupported-mode", "/strength"),
            (body([Self.style], ["reads": "recordet"]), 400, "malformed-body", "/reads"),
            (body([Self.style], ["nodes": ["cel"]]), 422, "unknown-node", "/nodes/0"),
            (body([Self.style], ["nodes": []]), 400, "malformed-body", "/nodes"),
            (body([Self.style], ["colors": ["x"]]), 422, "unknown-color", "/colors/0"),
            (body([Self.style], ["extra": 1]), 400, "unknown-member", "/extra"),
        ]
        for (body, status, code, pointer) in bad {
            let answer = try session.send("POST", "variants", body)
            let problem = try answer.json
            #expect(answer.status == status, "\(body)")
            #expect(problem["code"]?.string == code, "\(body)")
            #expect(problem["pointer"]?.string == pointer, "\(body)")
        }
        let near = try session.send("POST", "variants", excepting(["style": "drak"])).json
        #expect(near["didYouMean"] == "dark")
        #expect(near["detail"]?.string?.contains("\"light\", \"dark\"") == true)
        #expect(try session.state() == before)
    }

    @Test("Too many rows or values are refused with both numbers")
    func limits() throws {
        var limits = ServiceLimits()
        limits.variantRowsMax = 23
        let session = try session(limits)
        let axes = [Self.style, Self.scale, Self.device, Self.plan]
        let refused = try session.send("POST", "variants", body(axes)).expecting(413).json
        #expect(refused["code"] == "too-many-variants")
        #expect(refused["combinations"] == 24)
        #expect(refused["limit"] == "variantRowsMax=23")
        #expect(refused["detail"]?.string?.contains("strength") == true)
        _ = try session.send("POST", "variants", body(axes, ["strength": 2])).expecting(200)
        _ = try session.send("POST", "variants", body(Array(axes.dropFirst()))).expecting(200)
        let nodes: JSON = .array(Array(repeating: "cell", count: 25_000))
        let many = try session.send(
            "POST", "variants",
            body([Self.style, Self.scale], ["nodes": nodes, "reads": ["all"]]))
        let problem = try many.expecting(413).json
        #expect(problem["code"] == "too-many-variants")
        #expect(problem["limit"] == "variantValuesMax=1000000")
        #expect((problem["values"]?.int ?? 0) > 1_000_000)
    }
}
