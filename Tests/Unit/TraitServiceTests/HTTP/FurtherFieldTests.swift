// A struct trait with stored values takes a further field.

import TestSupport
import Testing
import TraitService

@Suite("Further fields of a struct in use")
struct FurtherFieldTests {
    private let service: InProcessService
    private let session: SessionClient
    private static let patch: JSON = ["fields": ["h": "int"], "default": ["h": 0]]

    init() throws {
        service = try InProcessService()
        session = try Self.make("fields", on: service)
    }

    private static func make(_ label: String, on service: InProcessService) throws -> SessionClient
    {
        try .make(
            label, on: service.url,
            [
                "traits": [
                    "box": ["type": "struct", "fields": ["w": "int"], "default": ["w": 1]],
                    "maybe": [
                        "type": "struct", "fields": ["w": "int"], "nullable": true,
                        "default": nil,
                    ],
                ],
                "nodes": [
                    .node("root"),
                    .node("mid", in: "root", overrides: ["box": ["w": 2], "maybe": ["w": 3]]),
                    .node("leaf", in: "mid"),
                    .node("apart", in: "mid", overrides: ["box": ["w": 4]]),
                ],
            ])
    }

    private func patch(_ query: String = "", _ patch: JSON = Self.patch) throws -> HTTPResponse {
        try session.send("PATCH", "traits/box" + query, patch)
    }

    @Test("The answer and streams have the former value and the new one, with the source")
    func notified() throws {
        for node in ["leaf", "apart"] {
            try session.put("registrations/\(node)", ["node": .string(node), "traits": ["box"]])
        }
        try session.put("registrations/none", ["node": "leaf", "traits": ["maybe"]])
        let set = try session.get("nodes/mid/traits/box").json["source"]?["revision"]
        let stream = try session.stream("events?watch=leaf:box&watch=root:box&initial=true")
        defer { stream.close() }
        _ = try stream.collect { $0.type == "sync" }
        let planned = try patch("?changes=true&dryRun=true").expecting(200).json
        #expect(try session.value(of: "box", at: "leaf") == ["w": 2])
        let answer = try patch("?changes=true").expecting(200).json
        #expect(planned["changes"] == answer["changes"])
        let changes = answer["changes"]?.array ?? []
        #expect(changes.map { $0["registration"] } == ["leaf", "apart"], "\(answer)")
        #expect(
            changes.first?["changes"] == [
                [
                    "trait": "box", "previous": ["w": 2], "current": ["w": 2, "h": 0],
                    "source": ["kind": "override", "node": "mid", "revision": set ?? .null],
                ]
            ], "\(answer)")
        #expect(try session.value(of: "box", at: "leaf") == ["w": 2, "h": 0])
        #expect(try session.get("nodes/mid/traits/box").json["source"]?["revision"] == set)
        let records = try stream.collect { $0.text.contains("leaf") }
        #expect(
            records.contains {
                $0.text.contains(#""previous":{"w":2},"current":{"w":2,"h":0}"#)
            }, "\(records)")
        #expect(
            records.contains {
                $0.text.contains(#""previous":{"w":1},"current":{"w":1,"h":0}"#)
            }, "\(records)")
    }

    @Test("The past has the former values, and a revert to it gives them back")
    func past() throws {
        let before = try session.revision()
        try patch().expecting(200)
        try session.override("box", at: "apart", ["w": 4, "h": 5])
        #expect(
            try session.get("nodes/leaf/traits/box?revision=\(before)").json["value"] == ["w": 2])
        let history = try session.get("nodes/leaf/traits/box/history").json["changes"]?.array ?? []
        #expect(
            history.first?["previous"] == ["w": 2] && history.first?["value"] == ["w": 2, "h": 0])
        #expect(history.first?["operations"]?[0]?["op"] == "updateTrait", "\(history)")
        let commits = try session.get("history?operations=true").json["commits"]?.array ?? []
        let update = commits.compactMap { $0["operations"]?[0] }.first { $0["op"] == "updateTrait" }
        #expect(
            update?["previous"] == ["fields": ["h": nil], "default": ["w": 1]],
            "\(commits)")
        try session.put("registrations/r", ["node": "leaf", "traits": ["box"]])
        let refused = try session.send("POST", "revert", ["revision": .int(before)])
        #expect(try refused.status == 409 && refused.json["code"] == "in-use", "\(refused.text)")
        try session.delete("registrations/r")
        let head = try session.revision()
        try session.send("POST", "revert", ["revision": .int(before)]).expecting(200)
        #expect(try session.get("traits/box").json["fields"] == ["w": "int"])
        #expect(try session.value(of: "box", at: "leaf") == ["w": 2])
        #expect(try session.value(of: "box", at: "apart") == ["w": 4])
        try session.send("POST", "revert", ["revision": .int(head)]).expecting(200)
        #expect(try session.value(of: "box", at: "leaf") == ["w": 2, "h": 0])
        #expect(try session.value(of: "box", at: "apart") == ["w": 4, "h": 5])
        let last = try session.get("history?operations=true&pageSize=1").json["commits"]?[0]
        #expect(last?["operations"]?[0]?["op"] == "updateTrait", "\(last ?? .null)")
    }

    @Test("A document with a further field and values of it applies, and comparing has an update")
    func documents() throws {
        let other = try Self.make("other", on: service)
        try patch().expecting(200)
        let exported = try session.get("export?specified=true").expecting(200).json
        let found = try session.get("compare?with=\(other.name)").expecting(200)
        #expect(found.text.contains("updateTrait") && !found.text.contains("deleteTrait"))
        let document: JSON = [
            "format": 1,
            "traits": [
                "box": [
                    "type": "struct", "fields": ["w": "int", "h": "int"],
                    "default": ["w": 1, "h": 6],
                ]
            ],
            "nodes": [.node("mid", overrides: ["box": ["w": 2, "h": 8]])],
        ]
        try other.put("registrations/leaf", ["node": "leaf", "traits": ["box"]])
        let answer = try other.send("PUT", "apply?manager=m&changes=true", document).expecting(200)
        #expect(
            answer.text.contains(#""previous":{"w":2},"current":{"w":2,"h":8}"#), "\(answer.text)")
        #expect(try other.value(of: "box", at: "apart") == ["w": 4, "h": 6])
        #expect(
            try other.send("PUT", "apply?manager=m", document).expecting(200).json["unchanged"]
                == true)
        let third = try Self.make("third", on: service)
        let operations = try #require(
            try session.get("compare?with=\(third.name)").json["operations"]?.array)
        try third.transaction(operations).expecting(200)
        #expect(try third.get("export?specified=true").json["nodes"] == exported["nodes"])
    }

    @Test(
        "A field without a value, one that goes too, and a key with fields of its own stand in the way"
    )
    func refusals() throws {
        let state = try session.state()
        let empty = try session.send("PATCH", "traits/maybe", ["fields": ["h": "int"]])
        #expect(empty.status == 409, "\(empty.text)")
        #expect(try empty.json["places"] == [["node": "mid", "layer": "override"]])
        let both = try patch("", ["fields": ["w": nil, "h": "int"], "default": ["h": 0]])
        #expect(both.status == 409, "\(both.text)")
        #expect(try both.json["count"] == 2)
        let late = try session.send(
            "POST", "transactions",
            [
                "operations": [
                    ["op": "updateTrait", "trait": "box", "patch": Self.patch],
                    .deleteNode("no"),
                ]
            ])
        #expect(late.status == 422, "\(late.text)")
        #expect(try session.state() == state)
        try session.put(
            "environmentKeys/k",
            [
                "type": "struct", "fields": ["width": "int"], "default": ["width": 1],
                "bridgedTrait": "box",
            ])
        #expect(try patch().json["places"] == [["environmentKey": "k"]])
        try session.delete("environmentKeys/k")
        try session.send(
            "PATCH", "traits/maybe", ["fields": ["h": "int"], "default": ["w": 0, "h": 2]]
        ).expecting(200)
        #expect(try session.value(of: "maybe", at: "leaf") == ["w": 3, "h": 2])
        #expect(try session.value(of: "maybe", at: "root") == ["w": 0, "h": 2])
    }

    @Test("The revision, the end and the manager of an override stay")
    func overrides() throws {
        try session.put("nodes/apart/overrides/box", ["value": ["w": 4], "ttl": 600])
            .expecting(200)
        try session.send(
            "PUT", "apply?manager=m",
            ["format": 1, "nodes": [.node("mid", overrides: ["box": ["w": 2]])]]
        ).expecting(200)
        func facts(_ node: String) throws -> [JSON?] {
            let answer = try session.get("nodes/\(node)/traits/box?explain=true").expecting(200)
            let winner = try answer.json["chain"]?.array?.first
            return [winner?["revision"], winner?["expiresAt"], winner?["setBy"]]
        }
        let before = try [facts("apart"), facts("mid")]
        #expect(before[0][0] == 1 && before[0][1] != nil && before[1][2] == "m", "\(before)")
        try patch().expecting(200)
        #expect(try [facts("apart"), facts("mid")] == before)
    }

    @Test("A key that is bridged without a map takes the field, too")
    func keys() throws {
        try session.put(
            "environmentKeys/k",
            ["type": "struct", "fields": ["w": "int"], "default": ["w": 1], "bridgedTrait": "box"])
        try patch().expecting(200)
        let key = try session.get("environmentKeys/k").json
        #expect(key["fields"] == ["w": "int", "h": "int"] && key["default"] == ["w": 1, "h": 0])
        try session.put("nodes/leaf/environment/k", ["value": ["w": 8, "h": 9]]).expecting(200)
        #expect(try session.value(of: "box", at: "leaf") == ["w": 8, "h": 9])
    }

    @Test("A pruning apply takes a field from the values that its manager set, and from no others")
    func lostField() throws {
        let other = try Self.make("lost", on: service)
        func document(_ fields: JSON, _ value: JSON) -> JSON {
            [
                "format": 1,
                "traits": ["crate": ["type": "struct", "fields": fields, "default": value]],
                "nodes": [.node("n", overrides: ["crate": value])],
            ]
        }
        func apply(_ document: JSON, _ query: String = "&prune=true") throws -> HTTPResponse {
            try other.send("PUT", "apply?manager=m&changes=true\(query)", document)
        }
        try apply(document(["w": "int", "h": "int"], ["w": 1, "h": 2])).expecting(200)
        try other.put("registrations/r", ["node": "n", "traits": ["crate"]]).expecting(201)
        let narrow = document(["w": "int", "d": "double"], ["w": 1, "d": 0.5])
        #expect(try apply(narrow, "").status == 409)
        let answer = try apply(narrow).expecting(200)
        #expect(
            answer.text.contains(#""previous":{"h":2,"w":1},"current":{"w":1,"d":0.5}"#),
            "\(answer.text)")
        #expect(try other.get("registrations").json["registrations"]?.array?.count == 1)
        #expect(try apply(narrow).expecting(200).json["unchanged"] == true)
        try other.put("nodes/foreign", ["kind": "environment", "parent": nil]).expecting(201)
        try other.put("nodes/foreign/overrides/crate", ["value": ["w": 4, "d": 1]]).expecting(200)
        let refused = try apply(document(["w": "int"], ["w": 1]))
        try expectProblem(refused, 409, "in-use")
        #expect(try refused.json["places"] == [["node": "foreign", "layer": "override"]])
        #expect(try other.value(of: "crate", at: "n") == ["w": 1, "d": 0.5])
    }
}
