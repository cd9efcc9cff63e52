// What lies between supplied values and overrides: older inputs, text size limits, predictions.

import Testing
import TraitEngine

@Suite struct LayerRuleTests {
    let tree: Fixture
    let width: TraitIndex
    let size: TraitIndex

    init() throws {
        tree = try Fixture.layout()
        let definitions = tree.hierarchy.definitions
        width = try #require(definitions.index(of: "horizontalSizeClass"))
        size = try #require(definitions.index(of: "preferredContentSizeCategory"))
    }

    private func collection(_ values: [(TraitIndex, TraitValue)]) throws -> TraitCollection {
        try TraitCollection(definitions: tree.hierarchy.definitions) { traits in
            for (trait, value) in values { try traits.set(trait, value) }
        }
    }

    private func style(_ name: String) -> TraitValue {
        tree.hierarchy.value(of: tree.style, at: tree[name])
    }

    @Test("Supplied, then a parent's collection, then the style override, then trait overrides")
    func order() throws {
        let hierarchy = tree.hierarchy
        let node = tree["B"]
        let steps: [() throws -> Void] = [
            { try hierarchy.setOverride(node, self.tree.style, .int(14)) },
            { try hierarchy.setLegacyStyle(node, .int(13)) },
            {
                try hierarchy.setLegacyCollection(
                    node, try self.collection([(self.tree.style, .int(12))]))
            },
            { try hierarchy.setSupplied(node, self.tree.style, .int(11)) },
        ]
        // Written from the strongest to the weakest: none changes what is seen.
        for step in steps {
            try tree.commit(step)
            try tree.update()
            #expect(style("leaf") == .int(14))
        }
        try tree.commit { hierarchy.removeOverride(node, tree.style) }
        try tree.update()
        #expect(style("leaf") == .int(13))
        try tree.commit { try hierarchy.setLegacyStyle(node, nil) }
        try tree.update()
        #expect(style("leaf") == .int(12))
        try tree.commit { try hierarchy.setLegacyCollection(node, nil) }
        try tree.update()
        #expect(style("leaf") == .int(11) && style("m") == .int(0))
    }

    @Test("A collection for a child or for presented content counts for what it specifies")
    func specified() throws {
        let hierarchy = tree.hierarchy
        try tree.commit {
            try tree.create("P", .presentationController, "w")
            try tree.create("C", .viewController, "P")
            try hierarchy.setSupplied(tree["s"], tree.style, .int(1))
            try hierarchy.setSupplied(tree["s"], width, .int(2))
            for name in ["B", "P"] {
                try hierarchy.setLegacyCollection(
                    tree[name], try collection([(width, .int(1)), (tree.style, .int(0))]))
            }
        }
        try tree.update()
        for name in ["B", "leaf", "P", "C"] {
            #expect(hierarchy.value(of: width, at: tree[name]) == .int(1))
            #expect(style(name) == .int(1), "unspecified says nothing")
        }
        #expect(hierarchy.value(of: width, at: tree["m"]) == .int(2))
        try tree.commit {
            for name in ["B", "P"] { try hierarchy.setLegacyCollection(tree[name], nil) }
        }
        try tree.update()
        #expect(hierarchy.value(of: width, at: tree["leaf"]) == .int(2))
        #expect(hierarchy.value(of: width, at: tree["C"]) == .int(2))
    }

    @Test("An unspecified style override is none, and no trait override")
    func unspecifiedStyle() throws {
        let hierarchy = tree.hierarchy
        try tree.commit {
            try hierarchy.setSupplied(tree["s"], tree.style, .int(1))
            try hierarchy.setLegacyStyle(tree["m"], .int(2))
        }
        try tree.update()
        #expect(style("leaf") == .int(2))
        #expect(hierarchy.override(tree.style, of: tree["m"]) == nil)
        try tree.commit { try hierarchy.setLegacyStyle(tree["m"], .int(0)) }
        try tree.update()
        #expect(style("leaf") == .int(1) && hierarchy.legacyStyle(of: tree["m"]) == nil)
    }

    @Test("Text sizes are kept between minimum and maximum, the maximum counts more")
    func limits() throws {
        let hierarchy = tree.hierarchy
        func category(_ short: String) -> String { "UICTContentSizeCategory" + short }
        func limit(_ minimum: String?, _ maximum: String?) throws -> TraitValue {
            try tree.commit {
                try hierarchy.setContentSizeLimits(
                    tree["m"], minimum: minimum.map(category), maximum: maximum.map(category))
            }
            try tree.update()
            return hierarchy.value(of: size, at: tree["leaf"])
        }
        try tree.commit { try hierarchy.setSupplied(tree["s"], size, .string(category("L"))) }
        try tree.update()
        #expect(try limit(nil, "M") == .string(category("M")))
        #expect(try limit("XL", nil) == .string(category("XL")))
        #expect(try limit("S", "XL") == .string(category("L")))
        #expect(try limit("XL", "S") == .string(category("S")))
        #expect(hierarchy.value(of: size, at: tree["a"]) == .string(category("L")))
        try tree.commit {
            try hierarchy.setOverride(tree["m"], size, .string(category("XXXL")))
        }
        try tree.update()
        #expect(hierarchy.value(of: size, at: tree["leaf"]) == .string(category("XXXL")))
        try tree.commit { hierarchy.removeOverride(tree["m"], size) }
        #expect(try limit(nil, nil) == .string(category("L")))
    }

    @Test(
        "Attached and detached again in one commit a new object keeps its prediction, attached not",
        arguments: UpdateMode.allCases)
    func predictionOfNew(_ updates: UpdateMode) throws {
        let tree = try Fixture(.unified, updates: updates)
        let hierarchy = tree.hierarchy
        let dark = try collection([(tree.style, .int(2))])
        try tree.makeWorkedTree()
        try tree.commit {
            for name in ["back", "stays"] {
                try tree.create(name, .view)
                try hierarchy.predict(tree[name], dark)
                try tree.move(name, "a")
            }
            try tree.move("back", nil)
        }
        #expect(hierarchy.kept(of: tree["back"]).map(\.1) == [.int(2)])
        #expect(hierarchy.kept(of: tree["stays"]).isEmpty)
        #expect(hierarchy.value(of: tree.style, at: tree["back"]) == .int(2))
        try hierarchy.checkInvariants()
        try tree.commit { try tree.move("back", "a") }
        #expect(hierarchy.kept(of: tree["back"]).isEmpty)
        try hierarchy.checkInvariants()
    }

    @Test("A prediction shows at once, and attaching tells only where it was wrong")
    func prediction() throws {
        let hierarchy = tree.hierarchy
        try tree.write("w", 1)
        try tree.update()
        try tree.commit {
            for (name, theme) in [("right", 1), ("wrong", 2)] as [(String, Int64)] {
                try tree.create(name, .view)
                try tree.register(name, name)
                try hierarchy.predict(tree[name], try collection([(tree.theme, .int(theme))]))
            }
        }
        #expect(tree.value("right") == 1 && tree.value("wrong") == 2)
        #expect(try tree.update().isEmpty)
        try tree.commit {
            for name in ["right", "wrong"] { try tree.move(name, "a") }
        }
        #expect(try tree.update() == ["wrong:2>1"])
        #expect(tree.value("wrong") == 1)
    }
}
