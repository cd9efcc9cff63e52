// Answers that are made from snapshots: the same bytes as under the lock.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Long reads")
struct LongReadTests {
    private static let lines = "application/x-ndjson"

    @Test("Resolving at length has the same bytes as under the lock, in both forms")
    func resolve() throws {
        let pair = try LongReadPair(LongReadTree.tree(2_000))
        let ids = try #require(
            pair.short.session.get("nodes?pageSize=1000000").json["nodes"]?.array
        ).compactMap { $0["id"] }
        #expect(ids.count > 1_000)
        let names = (0..<5_000).map { ids[$0 * 7 % ids.count] }
        let bodies: [JSON] = [
            ["under": "n0"], ["under": "n1", "traits": ["displayScale"]],
            ["under": "n0", "traits": ["title", "displayScale"]],
            ["nodes": .array(names)], ["nodes": .array(names), "traits": ["title"]],
            ["nodes": []], ["nodes": ["n0"]], ["under": "scene", "traits": []],
        ]
        for body in bodies {
            for accept in ["application/json", Self.lines] {
                let answer = try pair.agree("POST", "resolve", body, accept: accept)
                #expect(answer.status == 200)
                #expect(answer[header: "Content-Type"] == accept)
                #expect(answer.revision == 1)
            }
        }
        try pair.long.expectReleased()
    }

    @Test("Explained traits have the same bytes in parts as in one piece, and the same entity tag")
    func explained() throws {
        let pair = try LongReadPair(LongReadTree.tree(200))
        for rest in [
            "nodes/n150/traits?explain=true", "nodes/n150/traits?explain=true&absent=true",
            "nodes/n0/traits?explain=true&specified=true",
            "nodes/n150/traits?explain=true&traits=title", "nodes/n150/traits?explain=true&traits=",
            "nodes/n150/traits?explain=true&pending=true", "nodes/lost/traits?explain=true",
        ] {
            let answer = try pair.agree("GET", rest)
            guard answer.status == 200 else { continue }
            _ = try answer.json
        }
        try pair.long.expectReleased()
    }

    @Test("A node's values have the same bytes in parts as in one piece, and the same entity tag")
    func values() throws {
        let pair = try LongReadPair(LongReadTree.tree(5))
        let text = String(repeating: "long ", count: 400)
        var values: [String: JSON] = [:]
        for number in 0..<120 {
            try pair.agree("PUT", "traits/s\(number)", ["type": "string", "default": "short"])
            values["s\(number)"] = .string("\(number) \(text)")
        }
        for (node, layer) in [("n0", "overrides"), ("n0", "supplied"), ("n1", "supplied")] {
            let answer = try pair.agree("PATCH", "nodes/\(node)/\(layer)", .object(values))
            #expect(answer.status == 200)
        }
        for node in ["n0", "n1", "n2", "n4"] {
            for rest in [
                "", "/overrides", "/supplied", "/traits", "/traits?specified=true",
                "/traits?traits=s7", "/traits?traits=s7,s119,s3",
            ] {
                let answer = try pair.agree("GET", "nodes/\(node)\(rest)")
                #expect(answer.status == 200, "\(node)\(rest)")
                _ = try answer.json
            }
        }
        for rest in ["", "/overrides", "/supplied", "/traits", "/traits?specified=true"] {
            #expect(try pair.agree("GET", "nodes/lost\(rest)").status == 404)
            // Longer than one part, so that parts end between values.
            let answer = try pair.agree("GET", "nodes/n0\(rest)")
            #expect(answer.body.count > 200_000)
        }
        #expect(try pair.agree("GET", "nodes/n0/traits?traits=lost").status == 422)
        for accept in ["application/json", Self.lines] {
            for body in [["under": "n0"], ["nodes": ["n4", "n0", "n1", "n2", "n0"]]] as [JSON] {
                for query in ["", "?specified=true"] {
                    let answer = try pair.agree("POST", "resolve\(query)", body, accept: accept)
                    #expect(answer.status == 200 && answer.body.count > 400_000)
                }
            }
        }
        #expect(try pair.agree("GET", "nodes", accept: Self.lines).body.count > 600_000)
        #expect(try pair.agree("GET", "nodes?pageSize=1").json["nextPageToken"] != nil)
        try pair.long.expectReleased()
    }

    @Test("Trait definitions have the same bytes in parts as in one piece, and the same entity tag")
    func definitions() throws {
        let pair = try LongReadPair(LongReadTree.tree(5))
        let cases = JSON.object(
            Dictionary(uniqueKeysWithValues: (0..<60).map { ("case\($0)", .int(Int64($0))) }))
        for number in 0..<80 {
            let body: JSON = ["type": "enum", "default": "case0", "cases": cases]
            try pair.agree("PUT", "traits/e\(number)", body)
        }
        let answer = try pair.agree("GET", "traits")
        #expect(answer.status == 200)
        let keys = try #require(try answer.json["traits"]?.array).compactMap { $0["key"]?.string }
        #expect(keys.filter { $0.hasPrefix("e") }.count >= 80)
        try pair.long.expectReleased()
    }

    @Test("What is refused is refused alike, names and pointers included")
    func refused() throws {
        let pair = try LongReadPair(LongReadTree.tree(200))
        var names = JSON.array((0..<3_000).map { _ in "n1" })
        var many = names.array ?? []
        many[2_500] = "lost"
        let unknown = JSON.array(many)
        many[2_500] = 7
        names = .array(many)
        let bodies: [JSON] = [
            ["nodes": unknown], ["nodes": names], ["under": "lost"], ["under": 3], [:],
            ["nodes": ["n0"], "under": "n0"], ["nodes": "n0"],
            ["under": "n0", "traits": ["titel"]],
            ["under": "n0", "traits": "title"], ["under": "n0", "extra": 1], [],
        ]
        for body in bodies {
            let answer = try pair.agree("POST", "resolve", body)
            #expect([400, 422].contains(answer.status), "\(body)")
            #expect(answer.revision == 1)
        }
        for (rest, status) in [
            ("nodes?under=lost", 404), ("nodes?kind=vieww", 400),
            // A page is not available as NDJSON.
            ("nodes?pageToken=after.n1", 406),
        ] {
            #expect(try pair.agree("GET", rest, accept: Self.lines).status == status)
        }
        try pair.long.expectReleased()
    }

    @Test("A list of names in a long body is read on the worker, with the same answers")
    func longBody() throws {
        var limits = ServiceLimits()
        limits.inlineBodyBytesMax = 0
        let elsewhere = try LongReadServer(limits, LongReadTree.tree(200))
        let here = try LongReadServer(try LongReadPair.generous(), LongReadTree.tree(200))
        let names = JSON.array((0..<20_000).map { _ in "n1" })
        for body: JSON in [
            ["nodes": names, "traits": ["title"]], ["under": "n0"], ["nodes": ["lost"]], [:],
            ["nodes": names, "traits": ["titel"]],
        ] {
            let fields = [HTTPField("Traitd-Request-Id", "same")]
            let one = try elsewhere.session.send("POST", "resolve", body, fields: fields)
            let other = try here.session.send("POST", "resolve", body, fields: fields)
            #expect(one.status == other.status)
            let isEqual = one.body == other.body
            #expect(isEqual)
            #expect(one.revision == other.revision)
        }
        let malformed = try elsewhere.session.client.send(
            HTTPRequest("POST", "/v1/sessions/s/resolve", text: #"{"nodes":["n0""#))
        try expectProblem(malformed, 400, "malformed-json")
        let form = try elsewhere.session.client.send(
            HTTPRequest("POST", "/v1/sessions/s/resolve", body: Array("a=b".utf8)))
        try expectProblem(form, 415, "unsupported-media-type")
        try elsewhere.expectReleased()
    }

    @Test("Pages of nodes and of the history have the same bytes, fields and next page")
    func pages() throws {
        let pair = try LongReadPair(LongReadTree.tree(2_000))
        for number in 0..<30 {
            try pair.agree(
                "PUT", "nodes/n\(number % 3)/overrides/title", ["value": .string("t\(number)")])
        }
        for rest in [
            "nodes", "nodes?pageSize=7", "nodes?kind=view&pageSize=3", "nodes?kind=window",
            "nodes?depth=2&pageSize=5", "nodes?under=n1&depth=1", "nodes?under=n0&pageSize=1000",
            "history", "history?pageSize=4", "history?operations=true&pageSize=10",
        ] {
            var next: String? = rest
            var count = 0
            while let page = next, count < 500 {
                let answer = try pair.agree("GET", page)
                try #require(answer.status == 200)
                next = answer[header: "Link"].flatMap { link in
                    link.firstIndex(of: ">").map { String(link[..<$0].dropFirst(16)) }
                }
                if let next { #expect(next.hasPrefix("nodes") || next.hasPrefix("history")) }
                count += 1
            }
            #expect(count < 500)
        }
        try pair.long.expectReleased()
    }

    @Test("A list as lines has every node of the query once, as its pages have them")
    func nodeLines() throws {
        let pair = try LongReadPair(LongReadTree.tree(3_000))
        let queries = [
            "", "?kind=view", "?under=n1", "?depth=2", "?under=n1&depth=1&kind=environment",
        ]
        for query in queries {
            let answer = try pair.agree("GET", "nodes" + query, accept: Self.lines)
            #expect(answer[header: "Content-Type"] == Self.lines)
            let records = try answer.text.split(separator: "\n").map {
                try JSON(parsing: String($0))
            }
            let page = query.isEmpty ? "?pageSize=1000000" : query + "&pageSize=1000000"
            let listed = try pair.short.session.get("nodes" + page).json["nodes"]?.array
            #expect(records == listed)
            let tag = try #require(answer[header: "ETag"])
            #expect(tag.hasSuffix("-ndjson\""))
            let head = try pair.long.session.send(
                "HEAD", "nodes" + query, nil, fields: [HTTPField("Accept", Self.lines)])
            #expect(head.status == 200)
            #expect(head[header: "ETag"] == tag)
        }
        let page = try pair.agree("GET", "nodes?pageSize=2", accept: Self.lines)
        try expectProblem(page, 406, "not-acceptable")
        try pair.long.expectReleased()
    }

    @Test("Pages of a list with a depth have no node below it", arguments: [0, 1, 2])
    func depth(depth: Int) throws {
        let served = try LongReadServer(ServiceLimits(), LongReadTree.tree(100))
        let whole = try served.session.get("nodes?depth=\(depth)&pageSize=1000").json["nodes"]
        let paged = try served.session.all("nodes?depth=\(depth)&pageSize=1", "nodes")
        #expect(.array(paged) == whole)
    }

    @Test("Lists inside of one object have the same bytes in parts as in one piece")
    func lists() throws {
        let pair = try LongReadPair(LongReadTree.tree(5))
        let text = String(repeating: "long ", count: 400)
        for number in 0..<40 {
            try pair.agree(
                "PUT", "environmentKeys/k\(number)",
                ["type": "string", "default": .string("\(number) \(text)")])
            try pair.agree("PUT", "nodes/n1/scopes/scope\(number)", ["reads": ["title"]])
            try pair.agree(
                "PATCH", "nodes/n\(number % 4)/overrides", ["title": .string("\(number) \(text)")])
        }
        let map = JSON.object(
            Dictionary(
                uniqueKeysWithValues: (0..<30).map { ("\($0)", JSON.string("\($0) \(text)")) }))
        try pair.agree(
            "PUT", "environmentKeys/mapped",
            ["type": "string", "default": "none", "bridgedTrait": "title", "map": map])
        try pair.agree(
            "PUT", "environmentKeys/paired",
            [
                "type": "double", "default": 0, "bridgedTrait": "title",
                "map": .array(
                    (0..<30).map {
                        [
                            "environment": .double(Double($0) + 0.5),
                            "trait": .string("\($0) \(text)"),
                        ]
                    }),
            ])
        let variants = (1..<30).map { number -> JSON in
            ["when": ["displayScale": .int(Int64(number))], "value": .string("\(number) \(text)")]
        }
        for kind in ["colors", "images"] {
            try pair.agree("PUT", "\(kind)/many", ["variants": .array(variants + [["value": 1]])])
            try pair.agree("PUT", "\(kind)/one", ["variants": [["value": .string(text)]]])
        }
        for rest in [
            "nodes/n2/environment", "nodes/n1/scopes", "nodes/n0/scopes", "environmentKeys",
            "environmentKeys/mapped", "environmentKeys/paired", "environmentKeys/k7",
            "environmentKeys?pageSize=3", "environmentKeys?q=k1&pageSize=3", "colors",
            "colors/many",
            "colors/one", "images", "images/many", "nodes/n3/traits/title?explain=true",
            "nodes/n3/traits/title?explain=true&absent=true",
            "nodes/n3/traits/title?explain=true&pending=true",
        ] {
            let answer = try pair.agree("GET", rest)
            #expect(answer.status == 200, "\(rest)")
            _ = try answer.json
            if let next = answer[header: "Link"] {
                #expect(next.contains("pageToken"))
            }
        }
        for rest in [
            "nodes/none/environment", "nodes/none/scopes", "environmentKeys/none", "colors/none",
            "nodes/n1/traits/none?explain=true", "colors?pageToken=x",
        ] {
            #expect(try pair.agree("GET", rest).status >= 400, "\(rest)")
        }
        try pair.long.expectReleased()
    }

    @Test("The answer to a write has the same bytes when it is sent in pieces")
    func writes() throws {
        let pair = try LongReadPair(LongReadTree.tree(5))
        let names = (0..<100).map { "s\($0)" }
        for name in names {
            try pair.agree("PUT", "traits/\(name)", ["type": "string", "default": "short"])
        }
        let reads = JSON.array(names.map { .string($0) })
        for query in ["", "?dryRun=true"] {
            let answer = try pair.agree("PUT", "nodes/n1/scopes/all\(query)", ["reads": reads])
            #expect(try answer.json["traits"]?["s99"] == "short")
            // The body of the long server's answer has no length.
        }
        let minimal = try pair.long.session.send(
            "PUT", "nodes/n1/scopes/all", ["reads": reads],
            fields: [HTTPField("Prefer", "return=minimal")])
        #expect(minimal.status == 204 && minimal.body.isEmpty)
    }
}
