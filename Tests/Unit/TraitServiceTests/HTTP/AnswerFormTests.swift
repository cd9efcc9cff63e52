// The form of an answer: its media type by `Accept`, and its indentation by `pretty`.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Forms of answers")
struct AnswerFormTests {
    private static func accept(_ value: String) -> [HTTPField] { [HTTPField("Accept", value)] }

    @Test("A media type that Accept excludes gives 406, and the operation does not run")
    func notAcceptable() throws {
        let session = try InProcessService().session("accept")
        for (method, rest, body) in [
            ("GET", "", nil), ("GET", "nodes", nil), ("GET", "nodes/a", nil),
            ("PUT", "nodes/a", ["kind": "environment"]), ("POST", "resolve", ["nodes": []]),
            ("POST", "transactions", ["operations": []]), ("GET", "history", nil),
            ("GET", "events?wait=0", nil),
        ] as [(String, String, JSON?)] {
            for value in ["text/html", "application/json;q=0", "image/*, */*;q=0"] {
                let answer = try session.send(method, rest, body, fields: Self.accept(value))
                try expectProblem(answer, 406, "not-acceptable")
                #expect(answer[header: "Content-Type"] == "application/problem+json")
            }
        }
        #expect(try session.revision() == 1)
        for value in ["*/*", "application/*", "application/json", "text/html, */*;q=0.1"] {
            let answer = try session.send("GET", "", fields: Self.accept(value))
            #expect(answer.status == 200)
        }
        // A problem is sent whatever `Accept` has.
        let unknown = try session.send("GET", "nodes/none", fields: Self.accept("application/json"))
        try expectProblem(unknown, 404, "unknown-node")
    }

    @Test("An indented answer has the same JSON and its own length, the same for GET and HEAD")
    func pretty() throws {
        let session = try InProcessService().session("pretty")
        try session.put("nodes/a", ["kind": "environment", "label": "x, {y}: \"z\""])
        for rest in ["", "nodes/a", "nodes", "traits", "nodes/a/traits?explain=true", "nodes/none"]
        {
            let query = rest.contains("?") ? "&" : "?"
            let plain = try session.get(rest)
            let pretty = try session.get(rest + query + "pretty=true")
            #expect(pretty.status == plain.status)
            if plain.status == 200 { #expect(try pretty.json == plain.json) }
            #expect(pretty.text.hasPrefix("{\n  \""))
            #expect(pretty.text.hasSuffix("\n}\n"))
            #expect(!plain.text.dropLast().contains("\n"))
            let head = try session.send("HEAD", rest + query + "pretty=true")
            #expect(head[header: "Content-Length"] == pretty[header: "Content-Length"])
            #expect(head[header: "ETag"] == pretty[header: "ETag"])
            if let tag = pretty[header: "ETag"] {
                #expect(tag != plain[header: "ETag"])
                let again = try session.send(
                    "GET", rest + query + "pretty=true", fields: [HTTPField("If-None-Match", tag)])
                #expect(again.status == 304)
            }
        }
        try expectProblem(
            try session.get("?pretty=yes"), 400, "malformed-parameter")
    }

    @Test("A long answer is indented part by part", arguments: [10, 400, 1_200])
    func long(count: Int) throws {
        let nodes = (0..<count).map { number -> JSON in
            .node("n\(number)", in: number == 0 ? nil : "n\((number - 1) / 3)")
        }
        let session = try InProcessService().session("long", ["nodes": .array(nodes)])
        for (method, rest, body) in [
            ("POST", "resolve?pretty=true", ["under": "n0"]),
            (
                "POST", "resolve?pretty=true&explain=true",
                ["under": "n0", "traits": ["displayScale"]]
            ),
            ("GET", "nodes?pageSize=1000&pretty=true", nil),
        ] as [(String, String, JSON?)] {
            let pretty = try session.send(method, rest, body).expecting(200)
            let plain = try session.send(
                method, rest.replacing("pretty=true", with: "pretty=false"), body
            ).expecting(200)
            let isSame = try pretty.json == plain.json
            #expect(isSame, "\(rest)")
            #expect(pretty.text.split(separator: "\n").count > count)
            #expect(pretty.text.split(separator: "\n").allSatisfy { $0.utf8.count < 400 })
        }
        // NDJSON is not indented.
        let lines = try session.send(
            "GET", "nodes?pretty=true", fields: Self.accept("application/x-ndjson"))
        #expect(lines.text.split(separator: "\n").count == count)
    }

    @Test("A compressed indented answer has a tag with the suffix of gzip")
    func compressed() throws {
        let session = try InProcessService().session("gzip")
        for number in 0..<20 { try session.put("nodes/n\(number)", ["kind": "environment"]) }
        var codings: Set<Bool> = []
        for rest in ["traits?pretty=true", "?pretty=true", "nodes?pretty=true"] {
            let plain = try session.get(rest)
            let coded = try session.send(
                "GET", rest, fields: [HTTPField("Accept-Encoding", "gzip")])
            let isCoded = coded[header: "Content-Encoding"] == "gzip"
            #expect(coded[header: "ETag"]?.hasSuffix("-gzip\"") == isCoded)
            #expect((coded[header: "ETag"] == plain[header: "ETag"]) == !isCoded)
            codings.insert(isCoded)
        }
        #expect(codings.contains(true), "no answer was compressed")
    }

    @Test("An indented export is not compressed, and its tag says so")
    func indentedExport() throws {
        let session = try InProcessService().session("export")
        for number in 0..<20 { try session.put("nodes/n\(number)", ["kind": "environment"]) }
        let gzip = [HTTPField("Accept-Encoding", "gzip")]
        for rest in ["export?pretty=true", "export?specified=true&pretty=true"] {
            let plain = try session.get(rest).expecting(200)
            let coded = try session.send("GET", rest, fields: gzip).expecting(200)
            #expect(coded[header: "Content-Encoding"] == nil)
            #expect(coded.text == plain.text)
            #expect(coded[header: "ETag"] == plain[header: "ETag"])
            let compact = try session.get(rest.replacing("pretty=true", with: "pretty=false"))
            let isSame = try plain.json == compact.json
            #expect(isSame && plain.text != compact.text)
        }
    }

    @Test("Every write and list has uid, revision and the tag for the next If-Match")
    func chained() throws {
        let session = try InProcessService().session("chain")
        var tag = try #require(try session.get("")[header: "ETag"])
        for (method, rest, body) in [
            ("PUT", "nodes/a", ["kind": "environment"]),
            ("POST", "nodes", .node("b", in: "a")),
            ("PATCH", "nodes/b", ["label": "b"]),
            ("PUT", "nodes/a/overrides/displayScale", ["value": 2]),
            ("POST", "registrations", ["id": "r", "node": "b", "set": "all"]),
            ("POST", "transactions", ["operations": []]),
            ("DELETE", "registrations/r", nil), ("DELETE", "nodes/a", nil),
        ] as [(String, String, JSON?)] {
            let answer = try session.send(
                method, rest, body, fields: [HTTPField("If-Match", tag)]
            ).success()
            let json = try answer.json
            let uid = try #require(json["uid"]?.string)
            let revision = try #require(json["revision"]?.int)
            tag = try #require(answer[header: "ETag"])
            #expect(tag == "\"\(uid).\(revision)\"", "\(method) \(rest)")
            // The old tag matches no more.
            let stale = try session.send(
                method, rest, body, fields: [HTTPField("If-Match", "\"\(uid).\(revision - 1)\"")])
            try expectProblem(stale, 412, "revision-mismatch")
            #expect(try stale.json["currentRevision"] == .int(revision))
        }
        for rest in ["nodes", "registrations", "colors", "images", "environmentKeys", "history"] {
            let answer = try session.get(rest).expecting(200)
            let uid = try #require(try answer.json["uid"]?.string)
            let revision = try #require(try answer.json["revision"]?.int)
            #expect(answer[header: "ETag"]?.hasPrefix("\"\(uid).\(revision)") == true, "\(rest)")
        }
    }

    @Test(
        "If-None-Match compares weakly, If-Match strongly; the refusal of a weak tag names the reason"
    )
    func weak() throws {
        let session = try InProcessService().session("weak")
        let tag = try #require(try session.get("")[header: "ETag"])
        let known = try session.send("GET", "", fields: [HTTPField("If-None-Match", "W/\(tag)")])
        #expect(known.status == 304)
        let write = try session.send(
            "PUT", "nodes/a", ["kind": "environment"], fields: [HTTPField("If-Match", "W/\(tag)")])
        try expectProblem(write, 412, "revision-mismatch")
        #expect(try write.json["detail"]?.string?.contains("weak") == true)
        #expect(try write.json["currentRevision"] == 1)
        let both = try session.send(
            "PUT", "nodes/a", ["kind": "environment"],
            fields: [HTTPField("If-Match", "W/\(tag), \(tag)")])
        #expect(both.status == 201)
    }

    @Test(
        "An If-Match without a tag in quotes is refused with the tag to send",
        arguments: [false, true])
    func unquoted(isEmpty: Bool) throws {
        let session = try InProcessService().session("unquoted")
        let tag = try #require(try session.get("")[header: "ETag"])
        let field = HTTPField("If-Match", isEmpty ? "" : String(tag.dropFirst().dropLast()))
        let write = try session.send("PUT", "nodes/a", ["kind": "environment"], fields: [field])
        try expectProblem(write, 412, "revision-mismatch")
        #expect(try write.json["detail"]?.string?.contains(tag) == true)
    }

    @Test("Every 412 has the current revision")
    func preconditions() throws {
        let session = try InProcessService().session("conditions")
        try session.put("nodes/a", ["kind": "environment"])
        try session.put("registrations/r", ["node": "a", "set": "all"])
        try session.put("traits/t", ["type": "bool", "default": false])
        let fresh = [HTTPField("If-None-Match", "*")]
        let revision = try session.revision()
        for (method, rest, body, fields) in [
            ("PUT", "", [:], fresh), ("PUT", "nodes/a", ["kind": "environment"], fresh),
            ("PUT", "registrations/r", ["node": "a", "set": "all"], fresh),
            ("PUT", "traits/t", ["type": "bool", "default": false], fresh),
            ("POST", "transactions", ["operations": [], "ifRevision": 1], []),
            ("DELETE", "", nil, [HTTPField("If-Match", "\"aaaaaaaaaaaa.1\"")]),
            ("DELETE", "nodes/a", nil, [HTTPField("If-Match", "\"\"")]),
        ] as [(String, String, JSON?, [HTTPField])] {
            let answer = try session.send(method, rest, body, fields: fields)
            try expectProblem(answer, 412, "revision-mismatch")
            #expect(try answer.json["currentRevision"] == .int(revision), "\(method) \(rest)")
        }
    }
}
