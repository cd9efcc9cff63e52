// What a client of a layout session sees when it writes to scenes, windows and controllers, and of
// updates of one node.

import TestSupport
import Testing

@Suite("Rules of layout sessions")
struct LayoutRuleTests {
    private let service: InProcessService
    private let session: SessionClient

    /// scene ▸ window ▸ controller ▸ its view ▸ cell, up to date; all but the view have a
    /// registration.
    init() throws {
        service = try InProcessService()
        session = try SessionClient.make("layout", on: service.url, ["updates": "layout"])
        try session.transaction(
            [
                .defineTrait("theme", ["type": "int", "default": 0]),
                .createNode("scene", "windowScene"),
                .createNode("window", "window", in: "scene"),
                .createNode("controller", "viewController", in: "window"),
                .createNode("view", "view", in: "window", ["controller": "controller"]),
                .createNode("cell", "view", in: "view"),
            ] + ["scene", "window", "controller", "cell"].map { .register($0, at: $0, ["theme"]) })
        try session.send("POST", "layout").success()
    }

    private func set(_ node: String, _ value: JSON, _ query: String = "") throws -> JSON {
        try session.put("nodes/\(node)/overrides/theme?changes=true\(query)", ["value": value]).json
    }

    /// "registration:previous>current" of every record of an answer.
    private func records(_ answer: JSON) -> [String] {
        (answer["changes"]?.array ?? []).map { record in
            let change = record["changes"]?[0]
            return "\(record["registration"]?.string ?? ""):"
                + "\(change?["previous"]?.description ?? "")>\(change?["current"]?.description ?? "")"
        }
    }

    /// The state and the theme of each node.
    private func shown(_ nodes: String...) throws -> [String] {
        try nodes.map { node in
            let trait = try session.get("nodes/\(node)/traits/theme").json
            return "\(trait["state"]?.string ?? "") \(trait["value"]?.description ?? "")"
        }
    }

    @Test("A write on a window or controller shows on it, and notifies its registrations")
    func shownAtOnce() throws {
        let answer = try set("window", 1)
        #expect(records(answer) == ["window:0>1"] && answer["notified"] == 1)
        #expect(
            try shown("window", "controller", "cell") == ["current 1", "pending 0", "pending 0"])
        let source = try session.get("nodes/window/traits/theme").json["source"]
        #expect(source?["kind"] == "override" && source?["revision"] == answer["revision"])
        // The controller waits for the window's value; its own is shown all the same.
        #expect(records(try set("controller", 2)) == ["controller:0>2"])
        #expect(try shown("controller", "view") == ["pending 2", "pending 0"])
        let pass = try session.send("POST", "layout?changes=true").success().json
        #expect(records(pass) == ["cell:0>2"])
        #expect(try shown("scene", "window", "cell") == ["current 0", "current 1", "current 2"])
        let events = try session.get("registrations/window/events?from=start&wait=0").json
        #expect(events["records"]?.array?.count == 1)
    }

    @Test("A write on a scene shows on it at once; a window's own update takes the scene's value")
    func sceneAtOnce() throws {
        #expect(records(try set("scene", 7)) == ["scene:0>7"])
        #expect(
            try shown("scene", "window", "cell") == ["current 7", "pending 0", "pending 0"])
        let supplied = try session.put("nodes/scene/supplied/theme?changes=true", ["value": 3]).json
        #expect(records(supplied).isEmpty, "the override wins")
        let removed = try session.send("DELETE", "nodes/scene/overrides/theme?changes=true")
        #expect(records(try removed.success().json) == ["scene:7>3"])
        let window = try session.send("POST", "nodes/window/updateTraitsIfNeeded?changes=true")
        #expect(
            Set(records(try window.success().json))
                == ["window:0>3", "controller:0>3", "cell:0>3"])
        #expect(records(try session.send("POST", "layout?changes=true").success().json).isEmpty)
        #expect(try shown("scene", "window", "cell") == ["current 3", "current 3", "current 3"])
    }

    @Test("A transaction is one write: its net change is one record, none when it is reverted")
    func oneWrite() throws {
        func set(_ value: JSON) -> JSON { .setOverride("theme", at: "controller", value) }
        let twice = try session.transaction([set(1), set(2)], "?changes=true").json
        #expect(records(twice) == ["controller:0>2"])
        let reverted = try session.transaction([set(3), set(2)], "?changes=true").json
        #expect(reverted["unchanged"] == true && records(reverted).isEmpty)
        let both = try session.transaction([set(4), ["op": "layout"]], "?changes=true").json
        #expect(records(both) == ["controller:2>4", "cell:0>4"])
    }

    @Test("A dry run of a write on a controller says what the write would notify")
    func dryRun() throws {
        let dry = try set("controller", 5, "&dryRun=true")
        #expect(records(dry) == ["controller:0>5"])
        #expect(try shown("controller", "cell") == ["current 0", "current 0"])
        #expect(records(try set("controller", 5)) == records(dry))
    }

    @Test(
        "An update of one node leaves its ancestors alone, and the node stays pending while one of them is"
    )
    func noClimbing() throws {
        _ = try set("window", 1)
        func update(_ node: String) throws -> [String] {
            records(
                try session.send("POST", "nodes/\(node)/updateTraitsIfNeeded?changes=true")
                    .success()
                    .json)
        }
        #expect(try update("cell").isEmpty)
        #expect(try shown("controller", "view", "cell") == ["pending 0", "pending 0", "pending 0"])
        #expect(try update("controller") == ["controller:0>1", "cell:0>1"])
        #expect(try shown("controller", "view", "cell") == ["current 1", "current 1", "current 1"])
        // A view above what is updated waits, and its value with it.
        try session.put("nodes/view/overrides/theme", ["value": 7])
        #expect(try update("cell").isEmpty)
        #expect(try shown("view", "cell") == ["pending 1", "pending 1"])
        #expect(try update("view") == ["cell:1>7"])
    }

    @Test("A window without a parent is a root: what hangs below it takes part in update passes")
    func windowAlone() throws {
        try session.transaction([
            .createNode("alone", "window"), .createNode("inside", "view", in: "alone"),
            .register("inside", at: "inside", ["theme"]),
        ])
        #expect(try shown("alone", "inside") == ["pending 0", "pending 0"])
        _ = try set("alone", 3)
        let pass = try session.send("POST", "layout?changes=true").success().json
        #expect(records(pass) == ["inside:0>3"])
        #expect(try shown("alone", "inside") == ["current 3", "current 3"])
    }

    @Test("What a session's log and a stream have of writes on controllers is what was answered")
    func streamed() throws {
        for value in [1, 0, 6] as [JSON] { _ = try set("controller", value) }
        let events = try session.get("registrations/controller/events?from=start&wait=0").json
        let changes = (events["records"]?.array ?? []).map { $0["changes"]?[0]?["current"] }
        #expect(changes == [1, 0, 6])
    }

    @Test("A write that its transaction takes back brings nothing down to a node that waits")
    func takenBack() throws {
        let service = try InProcessService()
        let session = try service.session(
            "back",
            [
                "updates": "layout", "traits": ["b": ["type": "int", "default": 0]],
                "nodes": [.node("w", "window"), .node("vc", "viewController", in: "w")],
            ])
        try session.send("POST", "layout", [:]).success()
        try session.override("b", at: "w", .int(4))
        let head = try session.revision()
        let set: JSON = .setOverride("b", at: "vc", 9)
        let remove: JSON = .removeOverride("b", at: "vc")
        func write(_ operations: [JSON]) throws -> JSON {
            try session.send("POST", "transactions", ["operations": .array(operations)])
                .success().json
        }
        #expect(try write([set, remove])["unchanged"] == true)
        #expect(try session.revision() == head)
        #expect(try session.get("nodes/vc/traits/b").json["state"] == "pending")
        // Operations that look at shown values end a write, and begin another one.
        let look: JSON = .register("r", at: "w", ["b"])
        _ = try write([look, set, remove])
        #expect(try session.get("nodes/vc/traits/b").json["value"] == 0)
        let update: JSON = ["op": "updateTraitsIfNeeded", "node": "vc"]
        _ = try write([set, update, remove])
        #expect(try session.get("nodes/vc/traits/b").json["value"] == 4)
    }
}
