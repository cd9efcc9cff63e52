// Overrides are inputs of one environment: what is stored, what is seen, what others get.

import Testing
import TraitEngine

@Suite struct OverrideRuleTests {
    @Test("Writing the same again notifies nothing, and the override stays")
    func sameAgain() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("r", "m")
            try tree.set("m", 1)
        }
        #expect(try tree.update() == ["r:0>1"])
        try tree.write("m", 1)
        #expect(try tree.update().isEmpty)
        #expect(tree.hierarchy.override(tree.theme, of: tree["m"]) == .int(1))
    }

    @Test("An override equal to what is inherited holds against later changes above")
    func pinning() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("r", "leaf")
            try tree.set("m", 0)
        }
        try tree.write("w", 8)
        #expect(try tree.update().isEmpty, "the default is a value like any other")
        #expect(tree.value("a") == 8 && tree.value("leaf") == 0)
        try tree.commit { tree.remove("m") }
        #expect(try tree.update() == ["r:0>8"])
        try tree.commit { tree.remove("m") }
        #expect(try tree.update().isEmpty)
    }

    @Test("An unspecified value that an override pins reads as none was set, above as below")
    func unspecified() throws {
        let tree = try Fixture.layout()
        let never = tree.hierarchy.shownCollection(of: tree["m"])
        try tree.commit {
            try tree.hierarchy.setOverride(tree["w"], tree.style, .int(2))
            try tree.hierarchy.setOverride(tree["m"], tree.style, .int(0))
        }
        try tree.update()
        #expect(tree.hierarchy.override(tree.style, of: tree["m"]) == .int(0))
        #expect(tree.hierarchy.shownCollection(of: tree["m"]) == never)
        #expect(tree.hierarchy.shownCollection(of: tree["leaf"]) == never)
        #expect(tree.hierarchy.shownCollection(of: tree["a"])[tree.style] == .int(2))
    }

    @Test("An override with nil pins nil")
    func null() throws {
        let tree = try Fixture.layout()
        let language = try #require(tree.hierarchy.definitions.index(of: "typesettingLanguage"))
        try tree.commit {
            try tree.hierarchy.setOverride(tree["w"], language, .string("ja"))
            try tree.hierarchy.setOverride(tree["m"], language, .null)
        }
        try tree.update()
        #expect(tree.hierarchy.override(language, of: tree["m"]) == .null)
        #expect(tree.hierarchy.value(of: language, at: tree["a"]) == .string("ja"))
        #expect(tree.hierarchy.value(of: language, at: tree["leaf"]) == .null)
    }

    @Test("Two environments never share their overrides, a controller and its view neither")
    func notShared() throws {
        let tree = try Fixture.layout()
        try tree.write("B", 1)
        for other in PlacementTests.names where other != "B" {
            #expect(tree.hierarchy.overrides(of: tree[other]).isEmpty)
        }
        try tree.commit {
            try tree.set("b", 2)
            tree.remove("B")
        }
        #expect(tree.hierarchy.override(tree.theme, of: tree["b"]) == .int(2))
        #expect(tree.hierarchy.override(tree.theme, of: tree["B"]) == nil)
    }

    @Test("Every kind of environment takes overrides")
    func everywhere() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.create("P", .presentationController, "w") }
        for (number, name) in (PlacementTests.names + ["P"]).enumerated() {
            try tree.write(name, Int64(number + 1))
        }
        try tree.update()
        for (number, name) in (PlacementTests.names + ["P"]).enumerated() {
            #expect(tree.value(name) == Int64(number + 1))
        }
    }
}
