// `POST …/rows` beside the windows themselves: refusals, limits, entity tags, and changes while rows are made.

import HTTPServer
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("Requests for rows")
struct RowRequestTests {
    /// A root with `count` nodes below it.
    static func tree(_ count: Int, label: JSON? = nil) -> JSON {
        let nodes = (0..<count).map { number -> JSON in
            let node: JSON = .node("n\(number)", in: "root")
            return label.map { node.with("label", $0) } ?? node
        }
        return ["nodes": .array([.node("root")] + nodes)]
    }

    private static func rows(_ session: SessionClient, _ body: JSON, _ fields: [HTTPField] = [])
        throws -> HTTPResponse
    {
        try session.send("POST", "rows", body, fields: fields)
    }

    @Test("A request that cannot be understood says which member is wrong")
    func refusals() throws {
        let service = try InProcessService()
        let session = try SessionClient.make("rows", on: service.url, Self.tree(3))
        let cases: [(JSON, Int, String, String)] = [
            (["from": 1, "at": "n1"], 400, "malformed-body", "/at"),
            (["only": true], 400, "malformed-body", "/only"),
            (["count": 0], 400, "malformed-body", "/count"),
            (["count": 501], 400, "malformed-body", "/count"),
            (["from": -1], 400, "malformed-body", "/from"),
            (["depth": 70_000], 400, "malformed-body", "/depth"),
            (["open": "n1"], 400, "malformed-body", "/open"),
            (["closed": ["n1", 2]], 400, "malformed-body", "/closed/1"),
            (["opened": []], 400, "unknown-member", "/opened"),
            (["find": ["text": "a"]], 400, "unknown-member", "/find/text"),
            (["find": ["q": ""]], 400, "malformed-body", "/find/q"),
            (["find": ["kind": "widget"]], 400, "malformed-body", "/find/kind"),
            (["find": ["overriding": "thema"]], 422, "unknown-trait", "/find/overriding"),
        ]
        for (body, status, code, pointer) in cases {
            let problem = try expectProblem(try Self.rows(session, body), status, code)
            #expect(problem["pointer"]?.string == pointer, "\(body.text)")
        }
        try expectProblem(try Self.rows(session, ["at": "none"]), 404, "unknown-node")
        try expectProblem(try Self.rows(session, ["at": "a/b"]), 400, "malformed-identifier")
        let other = try SessionClient("nothing", on: service.url)
        try expectProblem(try Self.rows(other, [:]), 404, "unknown-session")
        try expectProblem(try session.send("POST", "rows"), 400, "malformed-json")
        #expect(
            try Self.rows(session, ["count": 500, "from": 1_000]).expecting(200).json["from"] == 4)
    }

    @Test("10,000 names may be open and closed, and not one more")
    func names() throws {
        let session = try InProcessService().session("rows", Self.tree(3))
        let names = JSON.array((0..<5_000).map { .string("n\($0)") })
        #expect(
            try Self.rows(session, ["depth": 0, "open": names, "closed": names]).expecting(200)
                .json["total"] == 1)
        let more = JSON.array((0..<5_001).map { .string("n\($0)") })
        let problem = try expectProblem(
            try Self.rows(session, ["open": names, "closed": more]), 413, "body-too-large")
        #expect(problem["limit"] == "rowNamesMax=10000")
    }

    @Test("Rows end before 256 KiB")
    func bytes() throws {
        let label = JSON.string(String(repeating: "\"", count: 1_000))
        let session = try InProcessService().session("rows", Self.tree(400, label: label))
        let answer = try Self.rows(session, ["count": 500]).expecting(200)
        let rows = try answer.json["rows"]?.array ?? []
        #expect((260_000...262_144).contains(answer.body.count), "\(answer.body.count)")
        #expect((100..<401).contains(rows.count))
        #expect(try answer.json["total"] == 401)
        let next = try Self.rows(session, ["count": 500, "from": .int(Int64(rows.count))])
        #expect(try next.json["rows"]?[0]?["row"]?.int == Int64(rows.count))
    }

    @Test("A client that has the window gets 304, until the session or the question changes")
    func tags() throws {
        let session = try InProcessService().session("rows", Self.tree(200))
        let body: JSON = ["count": 500]
        let answer = try Self.rows(session, body).expecting(200)
        let tag = try #require(answer[header: "ETag"])
        // From rows that are kept, and from a snapshot.
        #expect(try Self.rows(session, body)[header: "ETag"] == tag)
        let fields = [HTTPField("If-None-Match", tag)]
        let known = try Self.rows(session, body, fields)
        #expect(known.status == 304 && known.text.isEmpty)
        #expect(known[header: "ETag"] == tag)
        #expect(known[header: "Traitd-Revision"] == answer[header: "Traitd-Revision"])
        #expect(try Self.rows(session, ["count": 499], fields).status == 200)
        let gzip = fields + [HTTPField("Accept-Encoding", "gzip")]
        let packed = try Self.rows(session, body, [gzip[1]])
        #expect(packed[header: "ETag"] == "\(tag.dropLast())-gzip\"")
        #expect(try Self.rows(session, body, gzip).status == 304)
        try session.put("nodes/n1/overrides/displayScale", ["value": 2])
        #expect(try Self.rows(session, body, fields).status == 200)
    }

    @Test("A search is made anew when labels or overrides change, and not when other values do")
    func searches() throws {
        let fixture = try InProcessService()
        let session = try SessionClient.make("rows", on: fixture.url, Self.tree(100))
        let text: JSON = ["find": ["q": "deep"], "only": true]
        let trait: JSON = ["find": ["overriding": "displayScale"], "only": true]
        func total(_ body: JSON) throws -> JSON? {
            try Self.rows(session, body).expecting(200).json["hits"]?["total"]
        }
        #expect(try total(text) == 0 && total(trait) == 0)
        let table = try #require(fixture.table(of: session))
        try session.put("nodes/n1/overrides/displayScale", ["value": 2])
        #expect(try total(trait) == 1)
        try session.put("nodes/n1/overrides/displayScale", ["value": 3])
        #expect(try total(trait) == 1)
        try session.delete("nodes/n1/overrides/displayScale")
        #expect(try total(trait) == 0)
        try session.send("PATCH", "nodes/n2", ["label": "In the deep"]).expecting(200)
        #expect(try total(text) == 1)
        #expect(fixture.table(of: session) === table, "overrides and labels leave the rows valid")
        try session.send("PATCH", "nodes/n2", ["label": .null]).expecting(200)
        #expect(try total(text) == 0)
        try session.put("nodes/deep", ["kind": "environment", "parent": "n3"])
        #expect(try total(text) == 1)
        #expect(fixture.table(of: session) !== table)
        // More searches than are kept.
        for number in 0..<10 {
            let found = try total(["find": ["q": .string("\(number)")]])
            #expect(found == (number == 0 ? 10 : 19), "\(number)")
        }
        #expect(try total(text) == 1)
    }

    @Test("A search follows the new name of a node, and the old one after a refusal")
    func newNames() throws {
        let session = try InProcessService().session("rows", Self.tree(3))
        func hits(_ text: String) throws -> JSON? {
            let body: JSON = ["find": ["q": .string(text)]]
            return try Self.rows(session, body).expecting(200).json["hits"]?["total"]
        }
        #expect(try hits("n1") == 1 && hits("pear") == 0)
        try session.send("PATCH", "nodes/n1", ["id": "pear"]).expecting(200)
        #expect(try hits("n1") == 0 && hits("pear") == 1)
        let refused = try session.send(
            "POST", "transactions",
            ["operations": [.renameNode("pear", to: "plum"), .deleteNode("none")]])
        #expect(refused.status == 422)
        #expect(try hits("plum") == 0 && hits("pear") == 1)
    }

    @Test("A dry run and a refused transaction leave the rows as they are")
    func undone() throws {
        let session = try InProcessService().session("rows", Self.tree(5))
        let before = try Self.rows(session, [:]).expecting(200).json
        let make: JSON = .createNode("new", "environment", in: "n1")
        try session.transaction([make], "?dryRun=true").expecting(200)
        #expect(try Self.rows(session, [:]).json == before)
        let refused = try session.send(
            "POST", "transactions",
            ["operations": [make, .deleteNode("none")]])
        #expect(refused.status == 422)
        #expect(try Self.rows(session, [:]).json == before)
    }

    @Test("Rows that are asked for while the order changes are those of one revision")
    func changing() throws {
        let session = try InProcessService().session("rows", Self.tree(300))
        // Each commit adds one node and one override, so that the revision says how many there are.
        let writer = try session.another()
        let started = StartedRequest {
            var last: HTTPResponse?
            for number in 0..<200 {
                last = try writer.transaction([
                    .createNode(
                        "x\(number)", "environment", in: "n1", overrides: ["displayScale": 2])
                ]).expecting(200)
            }
            return try #require(last)
        }
        let first = try session.revision()
        var revision: Int64 = 0
        while revision < first + 150 {
            let body: JSON = ["find": ["overriding": "displayScale"], "at": "n1", "count": 3]
            let json = try Self.rows(session, body).expecting(200).json
            let seen = try #require(json["revision"]?.int)
            #expect(seen >= revision)
            revision = seen
            let total = try #require(json["total"]?.int)
            #expect(total - 301 == json["hits"]?["total"]?.int)
            #expect(total == 301 + seen - 1)
        }
        #expect(try started.response().status == 200)
    }
}

extension InProcessService {
    /// The rows that are kept of a session.
    func table(of session: SessionClient) -> RowTable? {
        guard let found = service.store.find(session.name) else { return nil }
        let order = found.withState { $0.hierarchy.versions.order }
        return found.rows.find(order: order, nil, now: service.environment.uptime())?.table
    }
}
