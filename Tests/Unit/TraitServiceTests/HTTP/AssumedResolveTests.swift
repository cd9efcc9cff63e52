// `POST …/resolve` with `assume`: the answer is that of a session to which the operations were really applied.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Assumed states")
struct AssumedResolveTests {
    @Test(
        "An assumed state is the state after the same operations were written",
        arguments: ["immediate", "layout"], 1...3)
    func oracle(updates: String, seed: Int) throws {
        var world = VariantWorld(seed: UInt64(seed), isLayout: updates == "layout")
        let session = try InProcessService().session("s", world.body())
        try session.transaction(world.setup())
        if updates == "layout" { _ = try session.send("POST", "layout", [:]).success() }
        var compared = 0
        for round in 0..<40 {
            let operations = (0...world.random.below(3)).map { _ in world.operation() }
            let question: JSON = [
                "under": "n0", "traits": ["userInterfaceStyle", "displayScale", "title"],
            ]
            let asked = question.merging(["assume": .array(operations)])
            let before = try session.state()
            let assumed = try session.send("POST", "resolve?explain=true", asked)
            let changed = try session.send(
                "POST", "resolve", asked.merging(["changed": true]))
            #expect(try session.state() == before, "seed \(seed), round \(round)")
            let now = try session.send("POST", "resolve", question).expecting(200).json
            let written = try session.send(
                "POST", "transactions", ["operations": .array(operations)])
            guard written.status == 200 else {
                #expect(assumed.status == written.status, "seed \(seed), round \(round)")
                let code = try written.json["code"]
                #expect(try assumed.json["code"] == code, "seed \(seed), round \(round)")
                continue
            }
            if updates == "layout" { _ = try session.send("POST", "layout", [:]).success() }
            let real = try session.send("POST", "resolve?explain=true", question)
                .expecting(200).json
            let nodes = try assumed.expecting(200).json["nodes"]?.array ?? []
            #expect(
                nodes.map(Self.values) == (real["nodes"]?.array ?? []).map(Self.values),
                "seed \(seed), round \(round): \(operations)")
            #expect(assumed.revision == before.first?["revision"]?.int)
            #expect(try assumed.json["assumed"] == true)
            #expect(assumed[header: "ETag"] == nil)
            try Self.check(changed.expecting(200).json, from: now, to: real)
            compared += 1
        }
        #expect(compared > 10, "seed \(seed)")
    }

    /// `{node: {trait: value}}` of an explained node.
    private static func values(_ node: JSON) -> JSON {
        var values: [String: JSON] = [:]
        for (trait, explained) in node["traits"]?.object ?? [:] {
            values[trait] = explained["value"] ?? explained
        }
        return ["node": node["node"] ?? nil, "traits": .object(values)]
    }

    private static func check(_ changed: JSON, from now: JSON, to real: JSON) throws {
        func byName(_ answer: JSON) -> [String: [String: JSON]] {
            var nodes: [String: [String: JSON]] = [:]
            for node in answer["nodes"]?.array ?? [] {
                nodes[node["node"]?.string ?? ""] = values(node)["traits"]?.object
            }
            return nodes
        }
        let (before, after) = (byName(now), byName(real))
        var expected: Set<String> = []
        for (name, traits) in after where before[name] != traits { expected.insert(name) }
        let answered = changed["nodes"]?.array ?? []
        #expect(Set(answered.compactMap { $0["node"]?.string }) == expected)
        #expect(changed["count"]?.int == Int64(expected.count))
        for node in answered {
            let name = node["node"]?.string ?? ""
            for (trait, value) in node["traits"]?.object ?? [:] {
                #expect(after[name]?[trait] == value)
                guard before[name] != nil else { continue }
                #expect(node["previous"]?[trait] == before[name]?[trait])
                #expect(node["previous"]?[trait] != value)
            }
        }
    }

    private func server() throws -> LongReadPair {
        try LongReadPair(LongReadTree.tree(300))
    }

    @Test("Assuming at length has the same bytes as on an event loop, in both forms")
    func long() throws {
        let pair = try server()
        let assume: JSON = [.setOverride("title", at: "n0", "assumed"), .deleteNode("n1")]
        for body: JSON in [
            ["under": "n0"], ["under": "n0", "traits": ["title"], "changed": true],
            ["nodes": ["n0", "n2", "n0"], "traits": ["title"]],
            ["nodes": ["n0", "n1"]], ["under": "n1"],
        ] {
            for accept in ["application/json", "application/x-ndjson"] {
                for query in ["", "?explain=true"] {
                    try pair.agree(
                        "POST", "resolve" + query, body.merging(["assume": assume]),
                        accept: accept)
                }
            }
            try pair.agree(
                "POST", "resolve?pageSize=7", body.merging(["assume": assume]))
        }
        #expect(try pair.short.session.revision() == 1)
        #expect(try pair.long.session.revision() == 1)
    }

    @Test("A body that is parsed on the workers is answered as a short one, on the past too")
    func longBodies() throws {
        var limits = ServiceLimits()
        limits.inlineBodyBytesMax = 10
        let nodes: [JSON] = [.node("a")]
        let answers = try [ServiceLimits(), limits].map { limits in
            let server = try LongReadServer(limits, nodes)
            for scale in 1...2 {
                try server.session.override("displayScale", at: "a", .int(Int64(scale)))
            }
            let names: JSON = .array(Array(repeating: "a", count: 5_000))
            let set: JSON = [.setOverride("title", at: "a", "assumed")]
            var answers: [[UInt8]] = []
            for query in ["", "?revision=2"] {
                for body: JSON in [
                    ["nodes": ["a"], "traits": ["displayScale", "title"]],
                    ["nodes": ["a"], "traits": ["displayScale", "title"], "assume": set],
                    ["nodes": names, "traits": ["displayScale"], "assume": set],
                    ["nodes": names, "traits": ["title"]],
                    ["nodes": ["a"], "changed": true],
                ] {
                    let answer = try server.session.send(
                        "POST", "resolve" + query, body,
                        fields: [HTTPField("Traitd-Request-Id", "same")])
                    answers.append(Array("\(answer.status) ".utf8) + answer.body)
                }
            }
            return answers
        }
        #expect(answers[0] == answers[1])
    }

    @Test("Pages of changed nodes have all of them once")
    func pages() throws {
        let pair = try server()
        let session = pair.short.session
        let body: JSON = [
            "under": "n0", "traits": ["title"], "changed": true,
            "assume": [.setOverride("title", at: "n0", "assumed")],
        ]
        let all = try session.send("POST", "resolve", body).expecting(200).json
        var (names, token): ([JSON], String?) = ([], "")
        while let next = token {
            let query = next.isEmpty ? "" : "&pageToken=\(next)"
            let page = try session.send("POST", "resolve?pageSize=7\(query)", body)
                .expecting(200).json
            #expect(page["count"] == all["count"])
            names += (page["nodes"]?.array ?? []).compactMap { $0["node"] }
            token = page["nextPageToken"]?.string
        }
        #expect(names == all["nodes"]?.array?.compactMap { $0["node"] })
        #expect(Int64(names.count) == all["count"]?.int)
    }

    @Test("Sources and chains say which values are assumed, and environment keys are answered")
    func sources() throws {
        let session = try InProcessService().session(
            "s",
            ["nodes": [.node("a", overrides: ["displayScale": 2]), .node("b", in: "a")]])
        try session.put("environmentKeys/own", ["type": "int", "default": 4])
        try session.put("environmentKeys/other", ["type": "int", "default": 5])
        let answer = try session.send(
            "POST", "resolve?explain=true",
            [
                "nodes": ["b"], "traits": ["displayScale"], "environment": "all",
                "assume": [
                    .setOverride("displayScale", at: "b", 3),
                    ["op": "setEnvironment", "node": "a", "key": "own", "value": 9],
                ],
            ]
        ).expecting(200).json
        let node = answer["nodes"]?.array?.first
        let trait = node?["traits"]?["displayScale"]
        #expect(trait?["value"] == 3)
        #expect(trait?["source"]?["assumed"] == true)
        #expect(trait?["source"]?["revision"] == nil)
        let chain = trait?["chain"]?.array ?? []
        #expect(chain.first?["assumed"] == true)
        #expect(chain.dropFirst().first?["revision"]?.int == 1)
        #expect(node?["environment"]?["own"]?["value"] == 9)
        #expect(node?["environment"]?["own"]?["source"]?["assumed"] == true)
        #expect(node?["environment"]?["other"]?["value"] == 5)
        let plain = try session.send(
            "POST", "resolve", ["nodes": ["b"], "traits": [], "environment": ["own"]]
        ).expecting(200).json
        #expect(plain["nodes"]?.array?.first?["environment"] == ["own": 4])
    }

    @Test("The past can be assumed on, at the newest revision too")
    func past() throws {
        let session = try InProcessService().session("s", ["nodes": [.node("a")]])
        for scale in 1...3 { try session.override("displayScale", at: "a", .int(Int64(scale))) }
        for revision: Int64 in [2, 4] {
            for _ in 0..<2 {
                let answer = try session.send(
                    "POST", "resolve?revision=\(revision)",
                    [
                        "nodes": ["a"], "traits": ["displayScale", "userInterfaceStyle"],
                        "assume": [.setOverride("userInterfaceStyle", at: "a", "dark")],
                    ]
                ).expecting(200).json
                #expect(answer["revision"]?.int == revision)
                let traits = answer["nodes"]?.array?.first?["traits"]
                #expect(traits?["displayScale"]?.int == revision - 1)
                #expect(traits?["userInterfaceStyle"] == "dark")
            }
            let read = try session.get("nodes/a/traits?revision=\(revision)").expecting(200).json
            #expect(read["traits"]?["userInterfaceStyle"] != "dark")
        }
        #expect(try session.revision() == 4)
    }

    @Test("A layout session shows an assumption after a pass, or before it")
    func passes() throws {
        let session = try InProcessService().session(
            "s",
            ["updates": "layout", "nodes": [.node("w", "window"), .node("v", "view", in: "w")]])
        _ = try session.send("POST", "layout", [:]).success()
        let body: JSON = [
            "nodes": ["v"], "traits": ["userInterfaceStyle"],
            "assume": [.setOverride("userInterfaceStyle", at: "w", "dark")],
        ]
        func style(_ query: String) throws -> JSON? {
            try session.send("POST", "resolve" + query, body).expecting(200)
                .json["nodes"]?.array?.first?["traits"]?["userInterfaceStyle"]
        }
        #expect(try style("") == "dark")
        #expect(try style("?pending=false") != "dark")
    }

    @Test("Bad assumptions are refused with their place, and change nothing")
    func refusals() throws {
        let session = try InProcessService().session("s", ["nodes": [.node("a")]])
        let before = try session.state()
        let set: JSON = .setOverride("displayScale", at: "a", 2)
        for (assume, status, pointer): (JSON, Int, String) in [
            ([set, .setOverride("displayScale", at: "b", 2)], 422, "/assume/1/node"),
            ([.setOverride("displayScale", at: "a", "x")], 422, "/assume/0/value"),
            ([["op": "layout"]], 400, "/assume/0/op"),
            ([set, ["op": "deleteTrait", "trait": "t"]], 400, "/assume/1/op"),
            ([["op": "setOverrid"]], 400, "/assume/0/op"),
            (["op": "layout"], 400, "/assume"),
        ] {
            let answer = try session.send("POST", "resolve", ["nodes": ["a"], "assume": assume])
            #expect(answer.status == status, "\(assume)")
            #expect(try answer.json["pointer"]?.string == pointer, "\(assume)")
        }
        let unknown = try session.send("POST", "resolve", ["nodes": ["c"], "assume": [set]])
        #expect(try unknown.expecting(422).json["pointer"] == "/nodes/0")
        for body: JSON in [
            ["nodes": ["a"], "changed": true],
            ["nodes": ["a"], "changed": true, "assume": [set], "colors": "all"],
        ] {
            #expect(try session.send("POST", "resolve", body).status == 400)
        }
        #expect(try session.state() == before)
    }
}

extension JSON {
    /// This object with the members of another one.
    fileprivate func merging(_ other: JSON) -> JSON {
        .object((object ?? [:]).merging(other.object ?? [:]) { $1 })
    }
}
