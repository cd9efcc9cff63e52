// Traits as feature flags, by the OpenFeature Remote Evaluation Protocol.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Feature flags")
struct FlagTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make("flags", on: service.url, Self.world)
    }

    static let world: JSON = [
        "traits": [
            "theme": [
                "type": "enum", "cases": ["standard": 0, "bold": 2], "default": "standard",
                "identifier": "com.example.theme",
            ],
            "beta": ["type": "bool", "default": false],
            "seats": ["type": "int", "default": 3],
            "ratio": ["type": "double", "default": 0],
            "title": ["type": "string", "default": "", "nullable": true],
            "box": [
                "type": "struct", "fields": ["w": "double", "n": "int"],
                "default": ["w": 2, "n": 1],
            ],
        ],
        "nodes": [
            .node("root"),
            .node("leaf", in: "root", overrides: ["theme": "bold", "ratio": 30]),
        ],
    ]

    private func evaluate(
        _ key: String?, _ context: JSON, fields: [HTTPField] = [], query: String = ""
    ) throws -> HTTPResponse {
        try session.send(
            "POST", "ofrep/v1/evaluate/flags" + (key.map { "/\($0)" } ?? "") + query,
            ["context": context], fields: fields)
    }

    private func flags(_ context: JSON) throws -> [JSON] {
        try #require(try evaluate(nil, context).expecting(200).json["flags"]?.array)
    }

    @Test("Each type has the value that typed clients take")
    func values() throws {
        try session.put("nodes/root/overrides/displayScale", ["value": 2.5])
        try session.put("nodes/root/overrides/userInterfaceIdiom", ["value": 42])
        try session.put("nodes/root/overrides/title", ["value": nil])
        let cases: [(String, String, String, String)] = [
            ("theme", "\"value\":\"bold\"", "TARGETING_MATCH", "bold"),
            ("com.example.theme", "\"value\":\"bold\"", "TARGETING_MATCH", "bold"),
            ("beta", "\"value\":false", "STATIC", "false"),
            ("seats", "\"value\":3,", "STATIC", "default"),
            ("ratio", "\"value\":30.0,", "TARGETING_MATCH", "override"),
            ("displayScale", "\"value\":2.5,", "TARGETING_MATCH", "override"),
            ("userInterfaceIdiom", "\"value\":\"42\"", "TARGETING_MATCH", "42"),
            ("box", "\"value\":{\"n\":1,\"w\":2.0}", "STATIC", "default"),
        ]
        for (key, value, reason, variant) in cases {
            let answer = try evaluate(key, ["targetingKey": "leaf"]).expecting(200)
            let written = answer.text.replacing("\"w\":2.0,\"n\":1", with: "\"n\":1,\"w\":2.0")
            #expect(written.contains(value), "\(key): \(answer.text)")
            #expect(try answer.json["key"] == .string(key))
            #expect(try answer.json["reason"] == .string(reason), "\(key)")
            #expect(try answer.json["variant"] == .string(variant), "\(key)")
        }
        for (key, reason) in [
            ("title", "TARGETING_MATCH"), ("userInterfaceStyle", "STATIC"),
            ("forceTouchCapability", "STATIC"), ("splitViewControllerLayoutEnvironment", "STATIC"),
        ] {
            let flag = try evaluate(key, ["targetingKey": "leaf"]).expecting(200).json
            #expect(flag["value"] == nil, "\(key)")
            #expect(flag["variant"] == "unspecified", "\(key)")
            #expect(flag["reason"] == .string(reason), "\(key)")
        }
    }

    @Test("Every flag of the list equals its own answer, in the order of the definitions")
    func list() throws {
        let traits = try session.get("traits").json["traits"]?.array ?? []
        let keys = traits.compactMap { $0["private"] == true ? nil : $0["key"]?.string }
        let all = try flags(["targetingKey": "leaf"])
        #expect(all.map { $0["key"]?.string } == keys)
        for flag in all {
            let key = try #require(flag["key"]?.string)
            #expect(try evaluate(key, ["targetingKey": "leaf"]).json == flag, "\(key)")
        }
        let answer = try evaluate(nil, ["targetingKey": "leaf"]).json
        #expect(
            answer["metadata"] == ["session": .string(session.name), "node": "leaf"])
        let uri = "/v1/sessions/\(session.name)/ofrep/v1/events?node=leaf"
        #expect(answer["eventStreams"]?[0]?["endpoint"]?["requestUri"] == .string(uri))
        let theme = try #require(all.first { $0["key"] == "theme" })
        #expect(
            theme["metadata"] == [
                "type": "enum", "source": "override", "node": "leaf", "revision": 1,
            ])
    }

    @Test("Supplied values stand below the target's overrides and above what it inherits")
    func supplied() throws {
        try session.put("nodes/root/overrides/seats", ["value": 5])
        let supplied: JSON = ["seats": 9, "theme": "standard", "ratio": 1]
        let own = try flags(["targetingKey": "leaf", "traitd": ["supplied": supplied]])
        let guest = try flags([
            "targetingKey": "someone", "traitd": ["under": "leaf", "supplied": supplied],
        ])
        func flag(_ key: String, _ flags: [JSON]) -> JSON? {
            flags.first { $0["key"] == .string(key) }
        }
        #expect(flag("seats", own)?["value"] == 9)
        #expect(flag("theme", own)?["value"] == "bold")
        #expect(flag("theme", guest)?["value"] == "standard")
        #expect(
            flag("seats", guest)?["metadata"] == ["type": "int", "source": "supplied"])
        #expect(flag("seats", guest)?["variant"] == "supplied")
        #expect(flag("title", guest) == flag("title", own))
        // The session has no trace of it.
        #expect(try session.value(of: "seats", at: "leaf") == 5)
    }

    @Test("Attributes with a point in their names say the same as an object")
    func dotted() throws {
        func ask(_ context: JSON) throws -> JSON {
            try session.send("POST", "ofrep/v1/evaluate/flags", ["context": context])
                .expecting(200).json.without("eventStreams")
        }
        let object: JSON = [
            "targetingKey": "guest",
            "traitd": ["under": "leaf", "supplied": ["userInterfaceStyle": "dark"]],
        ]
        let dotted: JSON = [
            "targetingKey": "guest", "traitd.under": "leaf",
            "traitd.supplied": ["userInterfaceStyle": "dark"], "traitdunder": 1, "traitd": nil,
        ]
        #expect(try ask(object) == (try ask(dotted.without("traitd"))))
        let wrong = try session.send(
            "POST", "ofrep/v1/evaluate/flags",
            ["context": ["targetingKey": "guest", "traitd.under": "none"]])
        #expect(try wrong.json["pointer"] == "/context/traitd.under")
    }

    @Test("A refused context has the protocol's members and a problem's")
    func refusals() throws {
        let contexts = [
            "3", #"{"targetingKey":3}"#, #"{"targetingKey":"none"}"#,
            #"{"targetingKey":"x","traitd":{"under":"none"}}"#,
            #"{"targetingKey":"leaf","traitd":3}"#,
            #"{"targetingKey":"leaf","traitd":{"undr":"a"}}"#,
            #"{"targetingKey":"leaf","traitd":{"under":3}}"#,
            #"{"targetingKey":"leaf","traitd":{"supplied":[]}}"#,
            #"{"targetingKey":"leaf","traitd":{"supplied":{"seats":"a"}}}"#,
            #"{"targetingKey":"leaf","traitd":{"supplied":{"none":1}}}"#,
            #"{"targetingKey":"leaf","traitd.undr":"a"}"#,
            #"{"targetingKey":"leaf","traitd.":"a"}"#,
            #"{"targetingKey":"leaf","traitd.under":3}"#,
            #"{"targetingKey":"x","traitd.under":"none"}"#,
            #"{"targetingKey":"leaf","traitd.under":"a","traitd":{}}"#,
        ]
        let cases =
            ["", "{", "[]", "3"].map { ($0, "PARSE_ERROR") }
            + ["{}", #"{"context":{}}"#].map { ($0, "TARGETING_KEY_MISSING") }
            + contexts.map { (#"{"context":\#($0)}"#, "INVALID_CONTEXT") }
        let target = session.target("ofrep/v1/evaluate/flags")
        for (body, code) in cases {
            for key in [nil, "theme"] {
                let answer = try session.client.send(
                    HTTPRequest("POST", target + (key.map { "/\($0)" } ?? ""), text: body))
                try expect(answer, 400, code, key: key, body)
            }
        }
        let context = #"{"context":{"targetingKey":"leaf"}}"#
        let missing = [
            (target + "/none", "FLAG_NOT_FOUND", "none"),
            (target + "/vibrancy", "FLAG_NOT_FOUND", "vibrancy"),
            ("/v1/sessions/none/ofrep/v1/evaluate/flags/theme", "GENERAL", "theme"),
            ("/v1/sessions/none/ofrep/v1/evaluate/flags", "GENERAL", nil),
        ]
        for (target, code, key) in missing {
            let answer = try session.client.send(HTTPRequest("POST", target, text: context))
            try expect(answer, 404, code, key: key, target)
        }
    }

    private func expect(
        _ answer: HTTPResponse, _ status: Int, _ code: String, key: String?, _ what: String
    ) throws {
        #expect(answer.status == status, "\(what): \(answer.text)")
        #expect(answer[header: "Content-Type"] == "application/json", "\(what)")
        let json = try answer.json
        #expect(json["errorCode"] == .string(code), "\(what)")
        #expect(json["errorDetails"]?.string?.isEmpty == false, "\(what)")
        #expect(json["errorDetails"] == json["detail"])
        #expect(json["status"] == .int(Int64(status)))
        #expect(json["code"]?.string != nil)
        #expect(json["key"] == key.map { .string($0) }, "\(what)")
    }

    @Test("Unknown members and parameters are ignored, a long body and another method are refused")
    func leniency() throws {
        let context: JSON = ["targetingKey": "leaf", "plan": "pro", "traits": ["a": 1]]
        #expect(try evaluate("theme", context, query: "?x=1&dryRun=2").status == 200)
        #expect(try evaluate(nil, context, query: "?x=1&x=2").status == 200)
        let long = context.with("text", .string(String(repeating: "a", count: 65_536)))
        #expect(try evaluate(nil, long).status == 413)
        for method in ["GET", "PUT", "DELETE"] {
            #expect(try session.send(method, "ofrep/v1/evaluate/flags/theme").status == 405)
        }
        #expect(try session.revision() == 1)
    }

    @Test("The tag of the list covers the context and the values, and nothing else")
    func tags() throws {
        func tag(_ context: JSON) throws -> String {
            try #require(try evaluate(nil, context).expecting(200)[header: "ETag"])
        }
        let leaf = try tag(["targetingKey": "leaf"])
        #expect(leaf.wholeMatch(of: /"ofrep\.[0-9a-f]{16,}"/) != nil)
        let others = try [
            tag(["targetingKey": "root"]),
            tag(["targetingKey": "leaf", "traitd": ["supplied": ["seats": 4]]]),
            tag([
                "targetingKey": "x",
                "traitd": ["under": "leaf", "supplied": ["theme": "standard"]],
            ]),
        ]
        #expect(Set(others + [leaf]).count == 4)
        #expect(try tag(["targetingKey": "leaf", "plan": "pro"]) == leaf)
        // A commit beside the node.
        try session.put("nodes/other", ["kind": "environment"])
        #expect(try tag(["targetingKey": "leaf"]) == leaf)
        for field in [leaf, "W/\(leaf)", "\"a\", \(leaf)", "*"] {
            let answer = try evaluate(
                nil, ["targetingKey": "leaf"], fields: [HTTPField("If-None-Match", field)])
            #expect(answer.status == 304, "\(field)")
            #expect(answer[header: "ETag"] == leaf)
            #expect(answer.body.isEmpty)
        }
        let caused = try evaluate(
            nil, ["targetingKey": "leaf"], fields: [HTTPField("If-None-Match", leaf)],
            query: "?flagConfigEtag=abc")
        #expect(caused.status == 200)
        try session.override("seats", at: "root", 8)
        #expect(try tag(["targetingKey": "leaf"]) != leaf)
        let twin = try SessionClient.make("flags", on: service.url, Self.world)
        let same = try twin.send(
            "POST", "ofrep/v1/evaluate/flags", ["context": ["targetingKey": "root"]])
        #expect(same[header: "ETag"] != others[0])
    }

    @Test("A request waits for the revision of its notice, and is answered at once when it comes")
    func revisionToCome() throws {
        let uid = try #require(try session.get("").json["uid"]?.string)
        let answers = try concurrently(2) { index -> HTTPResponse in
            if index == 0 {
                return try session.another().send(
                    "POST", "ofrep/v1/evaluate/flags?flagConfigEtag=%22\(uid).2%22",
                    ["context": ["targetingKey": "leaf"]])
            }
            return try session.another().override("seats", at: "root", 8)
        }
        let seats = try answers[0].expecting(200).json["flags"]?.array?
            .first { $0["key"] == "seats" }
        #expect(seats?["value"] == 8)
        let never = try evaluate(
            nil, ["targetingKey": "leaf"], query: "?flagConfigEtag=\(uid).99")
        #expect(never.status == 503)
        #expect(never[header: "Retry-After"] == "1")
        let other = try evaluate(
            nil, ["targetingKey": "leaf"], query: "?flagConfigEtag=aaaaaaaaaaaa.99")
        #expect(other.status == 200)
    }

    @Test("A list that is too long for a turn has the same flags and a tag")
    func longList() throws {
        var limits = ServiceLimits()
        limits.inlineAnswerBytesMax = 500
        let small = try InProcessService(limits: limits)
        let client = try SessionClient.make("flags", on: small.url, Self.world)
        let body: JSON = ["context": ["targetingKey": "leaf"]]
        let answer = try client.send("POST", "ofrep/v1/evaluate/flags", body).expecting(200)
        #expect(answer[header: "Transfer-Encoding"] == "chunked")
        #expect(try answer.json["flags"] == .array(try flags(["targetingKey": "leaf"])))
        let tag = try #require(answer[header: "ETag"])
        let again = try client.send(
            "POST", "ofrep/v1/evaluate/flags", body, fields: [HTTPField("If-None-Match", tag)])
        #expect(again.status == 304)
        try client.override("seats", at: "root", 8)
        let changed = try client.send("POST", "ofrep/v1/evaluate/flags", body)
        #expect(changed[header: "ETag"] != tag)
    }
}
