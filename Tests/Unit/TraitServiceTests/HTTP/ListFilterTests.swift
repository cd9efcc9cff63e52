// Filters of lists and of reads of many nodes, and the members that they show of each node.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Filters and positions")
struct ListFilterTests {
    private static func tree(_ count: Int, updates: JSON = "immediate") -> JSON {
        var nodes: [JSON] = []
        for number in 0..<count {
            var node: [String: JSON] = ["id": .string("n\(number)"), "kind": "environment"]
            if number % 40 == 39 {
                node["kind"] = "view"
            } else if number > 0 {
                let parent = (number - 1) / 3
                // A view has no children here.
                node["parent"] = .string("n\(parent % 40 == 39 ? 0 : parent)")
            }
            if number % 10 == 1 { node["label"] = "Every Tenth" }
            if number % 7 == 3 { node["overrides"] = ["displayScale": .int(Int64(number))] }
            nodes.append(.object(node))
        }
        return ["nodes": .array(nodes), "updates": updates]
    }

    /// All names of a list, page by page.
    private static func all(_ session: SessionClient, _ rest: String) throws -> [JSON] {
        try session.all(rest + "&pageSize=7", "nodes")
    }

    @Test(
        "A list has the same members of each node as GET of the node",
        arguments: ["immediate", "layout"])
    func positions(updates: String) throws {
        let session = try InProcessService().session(
            "positions", Self.tree(200, updates: .string(updates)))
        try session.put("nodes/n5/overrides/displayScale", ["value": 3])
        var states: Set<String> = []
        for rest in ["nodes?under=n1", "nodes?depth=2", "nodes?kind=view", "nodes?q=n"] {
            for node in try Self.all(session, rest) {
                let id = node["id"]?.string ?? ""
                #expect(try session.get("nodes/\(id)").expecting(200).json == node, "\(rest)")
                states.insert(node["state"]?.string ?? "")
                if let parent = node["traitParent"]?.string {
                    let above = try session.get("nodes/\(parent)").json["depth"]?.int
                    #expect(node["depth"]?.int == above.map { $0 + 1 })
                } else {
                    #expect(node["depth"]?.int == 0)
                }
            }
        }
        #expect(states.contains("detached"))
        #expect(states.contains(updates == "layout" ? "pending" : "current"))
    }

    @Test("Nodes are found by what they override, and by a text in name or label")
    func nodes() throws {
        var limits = ServiceLimits()
        limits.inlineVisitsMax = 50  // So that the workers make some pages.
        let session = try InProcessService(limits: limits).session("filters", Self.tree(200))
        let everything = try Self.all(session, "nodes?depth=100")
        #expect(everything.count == 200)
        let overriding = try Self.all(session, "nodes?overriding=displayScale")
        #expect(overriding == everything.filter { $0["overrides"]?["displayScale"] != nil })
        #expect(overriding.count == 29)
        let tenth = try Self.all(session, "nodes?q=every%20TENTH")
        #expect(tenth == everything.filter { $0["label"] != nil } && tenth.count == 20)
        #expect(try Self.all(session, "nodes?q=every+tenth") == tenth)
        #expect(try Self.all(session, "nodes?q=every%2Btenth").isEmpty)
        let named = try Self.all(session, "nodes?q=N19")
        #expect(
            Set(named.compactMap { $0["id"]?.string })
                == Set(["n19"] + (190..<200).map { "n\($0)" }))
        let both = try Self.all(session, "nodes?q=tenth&overriding=displayScale&under=n0")
        #expect(
            both
                == everything.filter {
                    $0["label"] != nil && $0["overrides"]?["displayScale"] != nil
                })
        try expectProblem(try session.get("nodes?overriding=themes"), 422, "unknown-trait")
        try expectProblem(try session.get("nodes?q="), 400, "malformed-parameter")
        let long = String(repeating: "x", count: 129)
        try expectProblem(try session.get("nodes?q=\(long)"), 400, "malformed-parameter")
    }

    @Test("Lists by name are filtered too")
    func named() throws {
        let session = try InProcessService().session("named")
        try session.put("nodes/a", ["kind": "environment"])
        for name in ["red", "Green", "darkred"] {
            try session.put("colors/\(name)", ["variants": [["value": "x"]]])
            try session.put("images/\(name)", ["variants": [["value": "x"]]])
            try session.put("environmentKeys/\(name)", ["type": "bool", "default": false])
            try session.put(
                "registrations/\(name)", ["node": "a", "set": "all", "label": "is RED or not"])
        }
        for (list, member) in [
            ("colors", "color"), ("images", "image"), ("environmentKeys", "key"),
        ] {
            let json = try session.get("\(list)?q=RED").json
            #expect(json[list]?.array?.map { $0[member] } == ["red", "darkred"])
        }
        #expect(
            try session.get("registrations?q=is%20red").json["registrations"]?.array?.count == 3)
        #expect(try session.get("registrations?q=gr").json["registrations"]?.array?.count == 1)
        let sessions = try session.client.send("GET", "/v1/sessions?q=NAMED").json
        #expect(sessions["sessions"]?.array?.count == 1)
        #expect(try session.client.send("GET", "/v1/sessions?q=none").json["sessions"] == [])
    }

    @Test("The history has the commits with an operation on a node, on a trait, on both")
    func history() throws {
        let session = try InProcessService().session("history")
        try session.put("nodes/a", ["kind": "environment"])  // 2
        try session.put("nodes/ab", ["kind": "environment", "overrides": ["displayScale": 1]])  // 3
        try session.put("traits/t", ["type": "bool", "default": false, "identifier": "com.t"])  // 4
        try session.put(
            "environmentKeys/k", ["type": "bool", "default": false, "bridgedTrait": "t"])  // 5
        try session.override("t", at: "a", true)  // 6
        try session.put("nodes/ab/environment/k", ["value": true])  // 7
        try session.transaction([  // 8
            .setOverride("displayScale", at: "a", 2),
            .setOverride("t", at: "ab", false),
        ])
        try session.put("nodes/ab", ["kind": "environment", "label": "a displayScale t"])  // 9
        try session.delete("nodes/a")  // 10
        func revisions(_ query: String) throws -> [Int64] {
            try session.all("history?\(query)&pageSize=2", "commits").compactMap {
                $0["revision"]?.int
            }
        }
        #expect(try revisions("node=a") == [10, 8, 6, 2])
        #expect(try revisions("node=ab") == [9, 8, 7, 3])
        #expect(try revisions("trait=displayScale") == [8, 3])
        #expect(try revisions("trait=com.t") == [8, 7, 6, 4])
        #expect(try revisions("trait=t&node=ab") == [8, 7])
        #expect(try revisions("trait=displayScale&node=ab") == [3])
        #expect(try revisions("node=none") == [])
        #expect(try revisions("operations=true") == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
        try expectProblem(try session.get("history?node=a%20b"), 400, "malformed-parameter")
    }

    @Test("Resolving takes the options of one node's traits, for each node")
    func resolve() throws {
        let session = try InProcessService().session("resolve", Self.tree(100))
        for (query, body) in [
            ("specified=true", [:]), ("explain=true", [:]), ("explain=true&specified=true", [:]),
            ("explain=true&absent=true", ["traits": ["displayScale"]]),
            ("", ["set": "affectingColorAppearance"]),
            ("explain=true&pending=true", ["set": "all"]),
        ] as [(String, [String: JSON])] {
            var body = body
            body["under"] = "n2"
            let whole = try session.send("POST", "resolve?\(query)", .object(body)).expecting(200)
                .json
            let nodes = try #require(whole["nodes"]?.array)
            let traits = (body["traits"]?.array?.first ?? body["set"])?.string
            let names = traits.map { "&traits=\($0)" } ?? ""
            for node in nodes {
                let id = node["node"]?.string ?? ""
                let alone = try session.get("nodes/\(id)/traits?\(query)\(names)").expecting(200)
                    .json
                #expect(node["traits"] == alone["traits"], "\(query)")
                #expect(node["state"] == alone["state"])
            }
            // The same, in pages.
            let paged = try session.all(
                "resolve?\(query)&pageSize=3", "nodes", of: .object(body))
            #expect(paged == nodes, "\(query)")
        }
        let names = (0..<10).map { JSON.string("n\($0 * 3)") }
        let first = try session.send(
            "POST", "resolve?pageSize=4", ["nodes": .array(names)]
        ).expecting(200).json
        #expect(first["nodes"]?.array?.map { $0["node"] } == Array(names[..<4]))
        let token = first["nextPageToken"]?.string ?? ""
        let second = try session.send(
            "POST", "resolve?pageSize=6&pageToken=\(token)", ["nodes": .array(names)]
        ).json
        #expect(second["nodes"]?.array?.map { $0["node"] } == Array(names[4...]))
        #expect(second["nextPageToken"] == nil)
        let both = try session.send(
            "POST", "resolve", ["under": "n0", "set": "all", "traits": ["displayScale"]])
        try expectProblem(both, 400, "malformed-body")
        let lines = try session.send(
            "POST", "resolve?pageSize=4", ["under": "n0"],
            fields: [HTTPField("Accept", "application/x-ndjson")])
        try expectProblem(lines, 406, "not-acceptable")
    }
}
