// Automatic trait tracking over HTTP: which streams learn that a method has to run again, and how often.

import TestSupport
import Testing
import TraitService

@Suite("Tracked scopes")
struct TrackingTests {
    private static func session(_ body: JSON = [:]) throws -> SessionClient {
        let session = try InProcessService().session("tracked", body)
        try session.transaction(SampleHierarchy.operations())
        return session
    }

    private static func track(_ method: String, at node: String, _ reads: JSON) -> JSON {
        ["op": "setScope", "node": .string(node), "scope": .string(method), "reads": reads]
    }

    /// What the session's stream delivers about scopes after `revision`: node and invalidation.
    private static func invalidations(
        _ session: SessionClient, after revision: Int64, _ path: String = "events"
    ) throws -> [String] {
        let page = try session.get("\(path)?from=\(revision)&wait=0&limit=1000").expecting(200)
        return try (page.json["records"]?.array ?? []).filter { $0["type"] == "invalidate" }.map {
            "\($0["node"]?.string ?? "") \($0["invalidation"]?.string ?? "")"
        }
    }

    @Test("A trait that layoutSubviews read asks for layout, once, until it ran again")
    func once() throws {
        let session = try Self.session()
        let answer = try session.put(
            "nodes/cell0/scopes/layoutSubviews", ["reads": ["horizontalSizeClass"]]
        ).json
        #expect(answer["traits"] == ["horizontalSizeClass": "unspecified"])
        let start = try session.revision()
        try session.override("horizontalSizeClass", at: "window", "compact")
        try session.override("horizontalSizeClass", at: "window", "regular")
        try session.override("userInterfaceStyle", at: "window", "dark")
        #expect(try Self.invalidations(session, after: start) == ["cell0 setNeedsLayout"])
        #expect(try session.get("nodes/cell0/scopes/layoutSubviews").json["stale"] == true)
        let again = try session.put(
            "nodes/cell0/scopes/layoutSubviews", ["reads": ["userInterfaceStyle"]])
        #expect(try again.json["traits"] == ["userInterfaceStyle": "dark"])
        let rearmed = try session.revision()
        try session.override("horizontalSizeClass", at: "window", "compact")
        #expect(try Self.invalidations(session, after: rearmed).isEmpty)
        try session.override("userInterfaceStyle", at: "window", "light")
        #expect(try Self.invalidations(session, after: rearmed) == ["cell0 setNeedsLayout"])
    }

    @Test("What draw read asks for display; another node's collection asks no node")
    func kinds() throws {
        let session = try Self.session()
        try session.transaction([
            Self.track("draw", at: "cell0", ["userInterfaceStyle"]),
            Self.track("updateConstraints", at: "cell0", ["layoutDirection"]),
            .createNode("beside", "view", in: "childView"),
        ])
        let start = try session.revision()
        try session.override("userInterfaceStyle", at: "beside", "dark")
        #expect(try Self.invalidations(session, after: start).isEmpty)
        try session.transaction([
            .setOverride("userInterfaceStyle", at: "scene", "dark"),
            .setOverride("layoutDirection", at: "scene", "rightToLeft"),
        ])
        #expect(
            try Self.invalidations(session, after: start)
                == ["cell0 setNeedsDisplay", "cell0 setNeedsUpdateConstraints"])
    }

    @Test("A controller's scope covers its own collection and its view's")
    func controllers() throws {
        let session = try Self.session()
        for node in ["child", "childView"] {
            try session.put(
                "nodes/child/scopes/viewWillLayoutSubviews", ["reads": ["displayScale"]])
            let start = try session.revision()
            try session.override("displayScale", at: node, 3)
            #expect(try Self.invalidations(session, after: start) == ["child setNeedsLayout"])
            try session.removeOverride("displayScale", at: node)
        }
        try session.put("nodes/child/scopes/viewWillLayoutSubviews", ["reads": ["displayScale"]])
        let start = try session.revision()
        try session.override("displayScale", at: "list", 3)
        #expect(try Self.invalidations(session, after: start).isEmpty)
    }

    @Test("Only streams that watch the node or have a registration on it hear, and the session's")
    func audience() throws {
        let session = try Self.session()
        try session.transaction([
            .register("here", at: "cell0", ["layoutDirection"]),
            .register("elsewhere", at: "list", ["layoutDirection"]),
        ])
        let paths = [
            ("registrations/here/events", 1), ("registrations/elsewhere/events", 0),
            ("events?registrations=elsewhere,here", 1),
            ("nodes/cell0/events?traits=displayScale", 1),
            ("nodes/list/events?traits=displayScale", 0), ("events", 1),
        ]
        let streams = try paths.map { try session.stream($0.0) }
        for stream in streams { #expect(try stream.next().type == "begin") }
        try session.put("nodes/cell0/scopes/draw", ["reads": ["theme"]])
        try session.override("theme", at: "scene", "bold")
        // Every stream gets a record of this commit, so that none waits in vain.
        let last = try session.transaction([
            .setOverride("layoutDirection", at: "scene", "rightToLeft"),
            .setOverride("displayScale", at: "scene", 3),
        ]).revision
        for ((path, count), stream) in zip(paths, streams) {
            let records = try stream.collect { $0.revision == last && $0.json["last"] == true }
            #expect(records.filter { $0.type == "invalidate" }.count == count, "\(path)")
        }
        // A stream that comes later reads the same, from the start of its registration on.
        for (path, count) in paths where !path.hasPrefix("nodes/") {
            let more = path.contains("?") ? "&" : "?"
            let page = try session.get("\(path)\(more)from=start&wait=0").expecting(200).json
            let told = (page["records"]?.array ?? []).filter { $0["type"] == "invalidate" }
            #expect(told.count == count, "\(path)")
        }
    }

    @Test("A registration does not hear of what was before it, nor of the commit that made it")
    func laterRegistration() throws {
        let session = try Self.session()
        let track: JSON = ["reads": ["theme"]]
        try session.put("nodes/cell0/scopes/draw", track)
        try session.override("theme", at: "scene", "bold")
        try session.put("nodes/cell0/scopes/draw", track)
        try session.transaction([
            .register("r", at: "cell0", ["displayScale"]),
            .setOverride("theme", at: "scene", "pastel"),
        ])
        try session.put("nodes/cell0/scopes/draw", track)
        #expect(try Self.invalidations(session, after: 0).count == 2)
        #expect(try Self.invalidations(session, after: 0, "registrations/r/events") == [])
        try session.override("theme", at: "scene", "standard")
        #expect(
            try Self.invalidations(session, after: 0, "registrations/r/events")
                == ["cell0 setNeedsDisplay"])
    }

    @Test("Records of one commit go from the top down, and a token in the middle resumes there")
    func order() throws {
        let session = try Self.session()
        try session.transaction([
            .register("low", at: "cell0", ["theme"]), .register("high", at: "window", ["theme"]),
            Self.track("draw", at: "cell0", ["theme"]),
            Self.track("draw", at: "parentView", ["theme"]),
            Self.track("draw", at: "window", ["theme"]),
        ])
        let start = try session.revision()
        try session.override("theme", at: "scene", "bold")
        let page = try session.get("events?wait=0&from=\(start)").expecting(200).json
        let records = try #require(page["records"]?.array)
        #expect(
            records.map { "\($0["type"]?.string ?? "") \($0["node"]?.string ?? "")" } == [
                "commit ", "change window", "invalidate window", "invalidate parentView",
                "change cell0", "invalidate cell0",
            ])
        #expect(records.map { $0["part"]?.int } == [0, 1, 2, 3, 4, 5])
        for (position, record) in records.enumerated() {
            let token = record["token"]?.string ?? ""
            let rest = try session.get("events?wait=0&from=\(token)").expecting(200).json
            #expect(rest["records"]?.array == Array(records[(position + 1)...]))
        }
    }

    @Test("In sessions that update in passes it is the pass that invalidates")
    func passes() throws {
        let session = try Self.session(["updates": "layout"])
        try session.send("POST", "layout").success()
        try session.put("nodes/cell0/scopes/draw", ["reads": ["theme"]])
        let start = try session.revision()
        try session.override("theme", at: "scene", "bold")
        #expect(try Self.invalidations(session, after: start).isEmpty)
        try session.send("POST", "layout").success()
        #expect(try Self.invalidations(session, after: start) == ["cell0 setNeedsDisplay"])
    }

    @Test("Plain environments take any name; a scope goes with its node")
    func environments() throws {
        let session = try Self.session()
        try session.transaction([
            .createNode("plain", "environment"), Self.track("render", at: "plain", ["all"]),
        ])
        let start = try session.revision()
        try session.override("theme", at: "plain", "bold")
        #expect(try Self.invalidations(session, after: start) == ["plain invalidate"])
        #expect(try session.get("stats").json["scopes"] == 1)
        try session.delete("nodes/plain")
        #expect(try session.get("stats").json["scopes"] == 0)
    }
}
