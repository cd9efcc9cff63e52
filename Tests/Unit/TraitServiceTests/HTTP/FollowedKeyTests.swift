// Environment keys that registrations, scopes and watches follow, with values of their own or of a trait.

import HTTPServer
import TestSupport
import Testing

@testable import TraitService

@Suite("Followed environment keys")
struct FollowedKeyTests {
    private let service: InProcessService
    private let session: SessionClient

    init() throws {
        service = try InProcessService()
        session = try .make("keys", on: service.url, Self.world)
        try session.put("environmentKeys/depth", ["type": "int", "default": 0])
        try session.put(
            "environmentKeys/look", ["type": "int", "default": 0, "bridgedTrait": "theme"])
    }

    private static let world: JSON = [
        "traits": ["theme": ["type": "int", "default": 0]],
        "nodes": [.node("window", "window"), .node("view", "view", in: "window")],
    ]

    private func set(_ key: String, _ value: JSON) throws -> JSON {
        try session.put("nodes/window/environment/\(key)?changes=true", ["value": value]).json
    }

    @Test("A registration is notified of a key's values, set anywhere above, and keeps the key")
    func registrations() throws {
        try session.put("registrations/r", ["node": "view", "traits": ["depth", "look"]])
        #expect(try session.get("registrations/r").json["traits"] == ["theme", "depth"])
        let own = try set("depth", 2)
        #expect(own["notified"] == 1)
        #expect(own["changes"]?[0]?["changes"]?[0]?["trait"] == "depth")
        #expect(own["changes"]?[0]?["changes"]?[0]?["current"] == 2)
        #expect(try set("look", 3)["changes"]?[0]?["changes"]?[0]?["trait"] == "theme")
        #expect(try session.send("DELETE", "nodes/window/environment/depth").status == 200)
        #expect(try session.send("DELETE", "environmentKeys/depth").json["code"] == "in-use")
        // A trait of that name would make the registration's list ambiguous.
        let trait: JSON = ["type": "int", "default": 0]
        #expect(
            try session.send("PUT", "traits/depth", trait).json["code"] == "duplicate-identifier")
        let renamed = try session.send("PATCH", "traits/theme", ["key": "depth"])
        #expect(renamed.status >= 400)
        try session.delete("registrations/r")
        try session.put("traits/depth", trait)
        // From now on the name is the trait's.
        try session.put("registrations/r", ["node": "view", "traits": ["depth"]])
        #expect(try set("depth", 5)["notified"] == 0)
        try session.override("depth", at: "window", 6)
        #expect(try session.get("nodes/view/environment/depth").json["value"] == 5)
    }

    @Test("A scope reads keys, and goes stale with them")
    func scopes() throws {
        let made = try session.put(
            "nodes/view/scopes/layoutSubviews", ["reads": ["depth", "displayScale"]]
        ).json
        #expect(made["traits"] == ["depth": 0, "displayScale": 0])
        let stale = try set("depth", 1)["invalidations"]?[0]
        #expect(stale?["scope"] == "layoutSubviews")
        #expect(stale?["changed"] == ["depth"])
    }

    @Test("Streams watch keys, with their state")
    func watches() throws {
        let stream = try session.stream("nodes/view/events?traits=depth&initial=true")
        defer { stream.close() }
        #expect(try stream.next().json["type"] == "begin")
        #expect(try stream.next().json["traits"] == ["depth": 0])
        #expect(try stream.next().json["type"] == "sync")
        _ = try set("depth", 4)
        #expect(try stream.next().json["changes"]?[0]?["current"] == 4)
        let page = try session.get("events?watch=view:depth,look&from=start&wait=0").expecting(200)
        #expect(try page.json["revision"] != nil)
        // No list of traits has a key.
        #expect(try session.get("nodes/view/traits?traits=depth").status == 422)
        #expect(try session.get("nodes/view/events?traits=height&wait=0").status == 422)
    }

    @Test("Documents, applied and imported, have followed keys")
    func documents() throws {
        try session.put("registrations/r", ["node": "view", "traits": ["depth"]])
        try session.put("nodes/view/scopes/draw", ["reads": ["depth"]])
        let document = try session.get("export").expecting(200).json
        try session.send("PUT", "import?as=copy", document).expecting(201)
        let copy = try SessionClient("copy", on: service.url)
        #expect(try copy.get("export").json == document.with("name", "copy"))
        let changed = try copy.put("nodes/window/environment/depth?changes=true", ["value": 7]).json
        #expect(changed["notified"] == 1)
        #expect(changed["invalidations"]?[0]?["scope"] == "draw")
        try session.client.send("PUT", "/v1/sessions/applied", json: [:]).expecting(201)
        let applied = try SessionClient("applied", on: service.url)
        try applied.send("PUT", "apply?manager=m", document.with("name", "applied")).expecting(200)
        #expect(
            try applied.send("PUT", "apply?manager=m", document.with("name", "applied"))
                .json["unchanged"] == true)
        #expect(try applied.get("registrations/r").json["traits"] == ["depth"])
    }
}
