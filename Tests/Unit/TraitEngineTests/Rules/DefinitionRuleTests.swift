// What holds for traits that are defined, beyond what makes a definition a valid one.

import Testing
import TraitEngine

@Suite struct DefinitionRuleTests {
    @Test("Name, flag and identifier need not be given: the key is the name, colours do not follow")
    func optionalMembers() throws {
        let definition = TraitDefinition(key: "plain", type: .int, defaultValue: .int(1))
        #expect(definition.name == "plain" && definition.identifier == nil)
        #expect(!definition.affectsColorAppearance)
        var definitions = TraitDefinitions()
        let trait = try definitions.define(definition)
        let changed = try TraitCollection(definitions: definitions, trait, .int(2))
        #expect(!changed.hasDifferentColorAppearance(comparedTo: nil))
    }

    @Test("A number of another kind is not converted")
    func invariance() throws {
        var definitions = TraitDefinitions()
        let values: [(TraitType, TraitValue)] = [
            (.bool, .bool(false)), (.int, .int(0)), (.double, .double(0)), (.string, .string("")),
        ]
        for (number, (type, standard)) in values.enumerated() {
            let trait = try definitions.define(
                TraitDefinition(key: "k\(number)", type: type, defaultValue: standard))
            for (_, value) in values where value != standard {
                #expect(throws: OperationError.self) {
                    try TraitCollection(definitions: definitions, trait, value)
                }
            }
        }
    }

    @Test("A structure is inherited whole, and replaced whole")
    func structures() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        var margins = tree.theme
        func value(_ x: Double, _ y: Double) -> TraitValue { .structure([.double(x), .double(y)]) }
        try tree.commit {
            margins = try tree.hierarchy.defineTrait(
                TraitDefinition(
                    key: "margins",
                    type: .structure([StructField("x", .double), StructField("y", .double)]),
                    defaultValue: value(0, 0)))
            try tree.hierarchy.setOverride(tree["w"], margins, value(1, 1))
            try tree.hierarchy.setOverride(tree["m"], margins, value(2, 0))
            _ = try tree.hierarchy.register("r", node: tree["leaf"], traits: [margins])
        }
        #expect(tree.hierarchy.value(of: margins, at: tree["a"]) == value(1, 1))
        #expect(tree.hierarchy.value(of: margins, at: tree["leaf"]) == value(2, 0))
        let equal = try tree.commit {
            try tree.hierarchy.setOverride(tree["b"], margins, value(2, 0))
        }
        #expect(equal.notifications.isEmpty, "equal fields are an equal value")
        let other = try tree.commit {
            try tree.hierarchy.setOverride(tree["b"], margins, value(2, 5))
        }
        #expect(other.notifications.count == 1)
    }
}
