// The story of "Unleash the UIKit trait system", told over the wire: a custom theme trait, set on
// the window scene, read in a cell far below; overrides that come and go; the unified hierarchy.

import TestSupport
import Testing

@Suite("A theme for the whole app", .timeLimit(.minutes(10)))
struct ThemeStoryTests {
    private let everyone = SampleHierarchy.line + ["cell0"]

    @Test("Every environment reads the default until the theme is set")
    func defaults() throws {
        let session = try sampleSession("story")
        for node in everyone {
            #expect(try session.value(of: "theme", at: node) == "standard")
            #expect(try session.value(of: "containedInSettings", at: node) == false)
        }
    }

    @Test("An override on the window scene reaches the cell, which knows where it comes from")
    func sceneToCell() throws {
        let session = try sampleSession("story")
        let commit = try session.override("theme", at: "scene", "monochrome").json
        for node in everyone {
            #expect(try session.value(of: "theme", at: node) == "monochrome")
        }
        let cell = try session.get("nodes/cell0/traits/theme").json
        #expect(cell["source"] == .source(override: "scene", commit["revision"]?.int))
        #expect(cell["state"] == "current")
    }

    @Test("The theme is found by its identifier, and set by its raw value")
    func identifier() throws {
        let session = try sampleSession("story")
        try session.override("com.myapp.theme", at: "scene", 2)
        #expect(try session.value(of: "com.myapp.theme", at: "cell0") == "bold")
        #expect(try session.get("nodes/scene/overrides/theme").json["value"] == "bold")
    }

    @Test("Toggling asks contains, then removes or sets")
    func toggle() throws {
        let session = try sampleSession("story")
        try session.override("theme", at: "scene", "monochrome")
        func contains() throws -> Bool {
            let status = try session.send("HEAD", "nodes/parentView/overrides/theme").status
            #expect([200, 404].contains(status))
            return status == 200
        }
        func toggleThemeOverride(_ theme: JSON) throws {
            if try contains() {
                try session.removeOverride("theme", at: "parentView")
            } else {
                try session.override("theme", at: "parentView", theme)
            }
        }
        #expect(try !contains(), "contains never looks at ancestors")
        try toggleThemeOverride("pastel")
        #expect(try contains())
        #expect(try session.value(of: "theme", at: "cell0") == "pastel")
        #expect(try session.value(of: "theme", at: "parent") == "monochrome")
        try toggleThemeOverride("pastel")
        #expect(try !contains())
        #expect(try session.value(of: "theme", at: "cell0") == "monochrome")
    }

    @Test("Reading an override that is not set is an error")
    func noOverride() throws {
        let session = try sampleSession("story")
        try session.override("theme", at: "scene", "bold")
        try expectProblem(session.get("nodes/window/overrides/theme"), 404, "no-override")
        #expect(
            try session.get("nodes/scene/overrides/theme").json
                == ["node": "scene", "trait": "theme", "value": "bold"])
    }

    @Test("An override that equals the inherited value pins it")
    func pinned() throws {
        let session = try sampleSession("story")
        try session.override("theme", at: "scene", "bold")
        let pin = try session.put("nodes/list/overrides/theme?changes=true", ["value": "bold"]).json
        #expect(pin["notified"] == 0)
        try session.override("theme", at: "scene", "pastel")
        #expect(try session.value(of: "theme", at: "childView") == "pastel")
        #expect(try session.value(of: "theme", at: "cell0") == "bold")
    }

    @Test("An override on a view reaches the controller below it and all that hangs there")
    func unified() throws {
        let session = try sampleSession("story")
        try session.override("theme", at: "middle", "bold")
        let above = ["scene", "window", "parent", "parentView"]
        for node in everyone {
            let expected: JSON = above.contains(node) ? "standard" : "bold"
            #expect(try session.value(of: "theme", at: node) == expected, "\(node)")
        }
    }

    @Test("Before iOS 17 the flow stopped at a view that a controller owns")
    func legacy() throws {
        let session = try SessionClient.make(
            "legacy", on: sharedServer().url, ["propagation": "legacy"])
        try session.transaction(SampleHierarchy.operations())
        try session.override("theme", at: "middle", "bold")
        #expect(try session.value(of: "theme", at: "middle") == "bold")
        for node in ["child", "childView", "cell0"] {
            #expect(try session.value(of: "theme", at: node) == "standard", "\(node)")
        }
    }

    @Test("A controller's view, its subviews and its child controllers are contained in settings")
    func containedInSettings() throws {
        let session = try sampleSession("story")
        try session.override("containedInSettings", at: "parent", true)
        #expect(try session.value(of: "containedInSettings", at: "window") == false)
        for node in ["parent", "parentView", "middle", "child", "childView", "list", "cell0"] {
            #expect(try session.value(of: "containedInSettings", at: node) == true, "\(node)")
        }
    }

    @Test("Explained, a cell's theme shows who won and who was shadowed")
    func explained() throws {
        let session = try sampleSession("story")
        try session.override("theme", at: "scene", "monochrome")
        try session.override("theme", at: "list", "bold")
        let answer = try session.get("nodes/cell0/traits/theme?explain=true").json
        let steps = answer["chain"]?.array?.map {
            [$0["node"], $0["layer"], $0["status"], $0["value"]]
        }
        #expect(
            steps == [
                ["list", "override", "winner", "bold"],
                ["scene", "override", "shadowed", "monochrome"],
                [nil, "default", "shadowed", "standard"],
            ])
    }
}
