// From which node each kind inherits, and what the system or a container supplies.

import Testing
import TraitEngine

@Suite struct PropagationRuleTests {
    @Test("Each kind inherits as it does in UIKit", arguments: Propagation.allCases)
    func parents(_ propagation: Propagation) throws {
        let tree = try Fixture(propagation)
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("P", .presentationController, "w")
            try tree.create("C", .viewController, "P")
            try tree.create("c", .view, "P", controller: "C")
        }
        let expected = [
            "s": nil, "w": "s", "A": "w", "a": "A", "m": "a",
            "B": propagation == .unified ? "m" : "A", "b": "B", "leaf": "b",
            "P": "w", "C": "P", "c": "C",
        ]
        for (node, parent) in expected { #expect(tree.traitParent(node) == parent, "\(node)") }
    }

    @Test(
        "Whatever the system supplies is inherited, heard of, and can be overridden",
        arguments: SystemTraits.definitions.map(\.key))
    func supplied(key: String) throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        let trait = try #require(hierarchy.definitions.index(of: key))
        let definition = hierarchy.definitions[trait]
        func seen() -> [TraitValue] {
            ["s", "a", "leaf"].map { hierarchy.value(of: trait, at: tree[$0]) }
        }
        let (none, value) = (definition.defaultValue, definition.otherValue)
        try tree.commit {
            _ = try hierarchy.register(
                "r", node: tree["leaf"], traits: hierarchy.definitions.settable)
            try hierarchy.setSupplied(tree["s"], trait, value)
        }
        #expect(try tree.update().count == 1)
        #expect(seen() == [value, value, value])
        try tree.commit { try hierarchy.setOverride(tree["A"], trait, none) }
        #expect(try tree.update().count == 1)
        #expect(seen() == [value, none, none])
        try tree.commit { try hierarchy.setSupplied(tree["b"], trait, value) }
        #expect(try tree.update().count == 1)
        #expect(seen() == [value, none, value], "a container supplies again for its content")
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
}
