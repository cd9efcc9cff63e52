// Sessions without UIKit's traits.

import HTTPServer
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Sessions without system traits")
struct SystemTraitsTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make("plain", on: service.url, Self.world)
    }

    private static let world: JSON = [
        "systemTraits": false,
        "traits": [
            "plan": ["type": "int", "default": 1, "affectsColorAppearance": true],
            "beta": ["type": "bool", "default": false],
        ],
        "nodes": [.node("root", overrides: ["plan": 2]), .node("leaf", in: "root")],
    ]

    @Test("No list, flag, sheet or token has a system trait")
    func lists() throws {
        #expect(try session.get("").json["systemTraits"] == false)
        let catalogue = try session.get("traits").expecting(200).json
        #expect(
            catalogue["traits"]?.array?.compactMap { $0["key"]?.string }.sorted() == [
                "beta", "plan",
            ])
        #expect(
            catalogue["sets"] == ["affectingColorAppearance": ["plan"], "all": ["beta", "plan"]])
        let values: JSON = ["plan": 2, "beta": false]
        #expect(try session.get("nodes/leaf/traits").json["traits"] == values)
        #expect(try session.get("nodes/leaf/traits?traits=all").json["traits"] == values)
        let resolved = try session.client.send(
            "POST", session.target("resolve"), json: ["under": "root"]
        ).expecting(200).json
        #expect(resolved["nodes"]?.array?.map { $0["traits"] } == [values, values])
        let flags = try session.client.send(
            "POST", session.target("ofrep/v1/evaluate/flags"),
            json: ["context": ["targetingKey": "leaf"]]
        ).expecting(200).json
        #expect(
            flags["flags"]?.array?.compactMap { $0["key"]?.string }.sorted() == ["beta", "plan"])
        let sheet = try session.send(
            "GET", "nodes/leaf/traits?subtree=true&specified=false&colorScheme=true",
            fields: [HTTPField("Accept", "text/css")]
        ).expecting(200).text
        let lines = sheet.split(separator: "\n").dropFirst(2)
        #expect(
            Set(lines) == [
                "  --trait-plan: 2;", "  --trait-beta: false;", "  color-scheme: normal;", "}",
            ])
        let tokens = try session.get("nodes/leaf/tokens").expecting(200).json
        #expect(tokens["traits"]?.object.map { Array($0.keys) } == ["plan"])
    }

    @Test(
        "An operation that names a system trait is refused with the reason, and its name stays taken"
    )
    func refusals() throws {
        let colors: JSON = ["variants": [["when": ["userInterfaceStyle": "dark"], "value": 1]]]
        let answers = [
            try session.send("PUT", "nodes/leaf/overrides/userInterfaceStyle", ["value": "dark"]),
            try session.get("nodes/leaf/traits/userInterfaceStyle"),
            try session.get("nodes/leaf/traits?traits=displayScale"),
            try session.send(
                "PUT", "registrations/r", ["node": "leaf", "traits": ["displayScale"]]),
            try session.send("PUT", "nodes/leaf/scopes/any", ["reads": ["UITraitDisplayScale"]]),
            try session.send("PUT", "colors/ink", colors),
            try session.send("PUT", "images/logo", colors),
            try session.send(
                "PUT", "environmentKeys/style",
                ["type": "int", "default": 0, "bridgedTrait": "displayScale"]),
            try session.client.send(
                "PATCH", session.target("nodes/leaf/supplied"), json: ["displayScale": 2]),
            try session.get("nodes/leaf/events?traits=displayScale&wait=0"),
        ]
        for answer in answers {
            #expect(answer.status == 422)
            #expect(try answer.json["code"] == "unknown-trait")
            #expect(try answer.json["detail"]?.string?.contains("systemTraits") == true)
        }
        let set = try session.send(
            "PUT", "registrations/r", ["node": "leaf", "set": "systemTraitsAffectingImageLookup"])
        #expect(try set.json["code"] == "unknown-trait")
        let taken = try session.send("PUT", "traits/displayScale", ["type": "int", "default": 0])
        #expect(try taken.json["code"] == "system-trait")
    }

    @Test("Documents, copies and comparisons have the setting, and an apply cannot change it")
    func documents() throws {
        try session.put("registrations/r", ["node": "leaf", "set": "all"])
        try session.put("images/logo", ["variants": [["value": "logo"]]])
        let document = try session.get("export").expecting(200).json
        #expect(document["systemTraits"] == false)
        try session.send("PUT", "import?as=copy", document).expecting(201)
        let copy = try SessionClient("copy", on: service.url)
        #expect(try copy.get("").json["systemTraits"] == false)
        let same = try copy.get("compare?with=\(session.name)").json
        #expect(same["settings"] == [] && same["operations"] == [])
        #expect(try copy.get("export").json == document.with("name", "copy"))
        try session.client.send("PUT", "/v1/sessions/full", json: [:]).expecting(201)
        #expect(try copy.get("compare?with=full").json["settings"] == ["systemTraits"])
        let applied = try session.client.send(
            "PUT", "/v1/sessions/full/apply?manager=m", json: document.with("name", "full"))
        #expect(try applied.json["code"] == "session-differs")
        let again = try session.client.send("PUT", session.target(""), json: ["systemTraits": true])
        #expect(try again.json["code"] == "session-differs")
        let wrong = try session.client.send(
            "PUT", "/v1/sessions/new",
            json: [
                "systemTraits": false,
                "nodes": [.node("a", "view", with: ["supplied": ["displayScale": 2]])],
            ])
        #expect(wrong.status == 422)
        #expect(try wrong.json["detail"]?.string?.contains("systemTraits") == true)
        #expect(try session.client.get("/v1/sessions/new").status == 404)
    }
}
