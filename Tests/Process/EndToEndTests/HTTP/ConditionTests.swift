// Conditional requests and what every answer about a session says of its state.

import TestSupport
import Testing

@Suite("Conditions")
struct ConditionTests {
    @Test("Different representations have different tags")
    func variants() throws {
        let session = try sampleSession("variants")
        let paths = [
            "nodes/cell0/traits", "nodes/cell0/traits?specified=true",
            "nodes/cell0/traits?explain=true", "nodes/cell0/traits?traits=theme",
        ]
        let tags = try paths.map { try session.get($0).expecting(200)[header: "ETag"] }
        #expect(Set(tags).count == paths.count, "\(tags)")
    }

    @Test("A false If-None-Match keeps every method from writing")
    func ifNoneMatch() throws {
        let session = try sampleSession("none")
        try session.override("theme", at: "scene", "bold")
        let tag = try #require(try session.get("")[header: "ETag"])
        let override = "nodes/scene/overrides/theme"
        let writes: [(String, String, JSON?)] = [
            ("PUT", override, ["value": "pastel"]), ("DELETE", override, nil),
            ("PATCH", "nodes/scene/overrides", ["theme": nil]),
            ("PATCH", "nodes/list", ["label": "x"]), ("DELETE", "nodes/cell0", nil),
            ("PUT", "nodes/cell0", ["kind": "view", "parent": "list", "label": "x"]),
            ("POST", "transactions", ["operations": [.setOverride("theme", at: "scene", 1)]]),
            ("PUT", "", [:]), ("DELETE", "", nil),
        ]
        let revision = try session.revision()
        for value in ["*", tag, "W/\(tag)", "\"x\", \(tag)", "\"x\", *"] {
            for (method, path, body) in writes {
                let answer = try session.send(
                    method, path, body, fields: [HTTPField("If-None-Match", value)])
                let problem = try expectProblem(answer, 412, "revision-mismatch")
                #expect(problem["currentRevision"]?.int == revision, "\(method) \(path) \(value)")
            }
        }
        #expect(try session.revision() == revision)
        let other = [HTTPField("If-None-Match", "\"x\", \"a,*,b\"")]
        try session.send("PUT", override, ["value": "pastel"], fields: other).expecting(200)
        #expect(try session.send("GET", "", fields: other).status == 200)
        // What is not there yet can be made.
        let any = [HTTPField("If-None-Match", "*")]
        try session.send(
            "PUT", "nodes/cell0/overrides/theme", ["value": 1], fields: any
        ).expecting(200)
    }

    @Test("Nothing but an unquoted * lets If-Match through at every revision")
    func quotedStar() throws {
        let session = try sampleSession("star")
        let revision = try session.revision()
        for value in ["\"*\"", "\"*-x\"", "\"q,*,r\"", "\"x\", *", "W/\"*\"", "x", ""] {
            let field = [HTTPField("If-Match", value)]
            for (method, path, body) in [
                ("PUT", "nodes/scene/overrides/theme", ["value": 1]), ("GET", "", nil),
                ("GET", "nodes", nil), ("PUT", "", [:]), ("DELETE", "", nil),
            ] as [(String, String, JSON?)] {
                let answer = try session.send(method, path, body, fields: field)
                #expect(answer.status == 412, "\(method) \(path) \(value)")
            }
        }
        #expect(try session.revision() == revision)
        for value in ["*", try #require(try session.get("")[header: "ETag"])] {
            for method in ["GET", "PUT"] {
                let field = [HTTPField("If-Match", value)]
                let body: JSON? = method == "PUT" ? [:] : nil
                try session.send(method, "", body, fields: field).expecting(200)
            }
        }
    }

    @Test("If-Match does not match a session that is not there")
    func nothingToMatch() throws {
        let session = try sampleSession("absent")
        let absent = "/v1/sessions/\(session.name)-absent"
        for value in ["*", "\"x.1\""] {
            let field = [HTTPField("If-Match", value)]
            try expectProblem(
                try session.client.send("PUT", absent, json: [:], fields: field), 412,
                "revision-mismatch")
            try expectProblem(
                try session.client.send(
                    "PUT", absent + "/import",
                    json: ["format": 1, "name": .string(session.name + "-absent")], fields: field),
                412, "revision-mismatch")
        }
        #expect(try session.client.get(absent).status == 404)
    }

    @Test("Of writers that all expect the same revision one wins")
    func compareAndSet() throws {
        let session = try sampleSession("cas")
        let tag = try session.get("")[header: "ETag"] ?? ""
        let statuses = try concurrently(8) { writer in
            try session.another().send(
                "PUT", "nodes/new\(writer)", ["kind": "view", "parent": "list"],
                fields: [HTTPField("If-Match", tag)]
            ).status
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 412, count: 7))
    }

    @Test("A write without effect says so and makes no revision")
    func unchanged() throws {
        let session = try sampleSession("unchanged")
        try session.override("theme", at: "scene", "bold")
        let revision = try session.revision()
        for answer in [
            try session.override("theme", at: "scene", 2),
            try session.removeOverride("theme", at: "cell0"),
            try session.put("traits/theme", SampleHierarchy.theme),
            try session.put("nodes/cell0", ["kind": "view", "parent": "list"]),
            try session.delete("registrations/none"),
        ] {
            #expect(try answer.json["unchanged"] == true, "\(answer.request)")
            #expect(try answer.json["revision"] == .int(revision))
        }
    }

    @Test(
        "return=minimal commits without a body, in every form of the field",
        arguments: [
            ("return=minimal", true), ("return=\"minimal\"", true), ("Return=Minimal", true),
            ("return=minimal, wait=5", true), ("respond-async, return=minimal", true),
            ("return = minimal; foo=1", true), ("a=\"b, return=minimal\"", false),
            ("return=representation, return=minimal", false), ("return", false),
            ("return=minimally", false), ("", false),
        ])
    func minimal(value: String, isMinimal: Bool) throws {
        let session = try sampleSession("minimal")
        let revision = try session.revision()
        let answer = try session.send(
            "PUT", "nodes/scene/overrides/theme", ["value": "bold"],
            fields: [HTTPField("Prefer", value)])
        #expect(answer.status == (isMinimal ? 204 : 200))
        #expect(answer.body.isEmpty == isMinimal)
        #expect(answer[header: "Preference-Applied"] == (isMinimal ? "return=minimal" : nil))
        #expect(answer.revision == revision + 1)
    }
}
