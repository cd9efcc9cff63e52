// Explaining a value: everything between a node and the default that had a say.

import Testing
import TraitEngine

@Suite struct ChainTests {
    private func sample() throws -> Fixture {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.set("w", 1)
            try tree.hierarchy.setSupplied(tree["m"], tree.theme, .int(2))
        }
        try tree.commit { try tree.set("m", 3) }
        return tree
    }

    @Test("A chain goes up from the node, overrides before supplied values, the default last")
    func chain() throws {
        let tree = try sample()
        let chain = tree.hierarchy.chain(of: tree.theme, at: tree["leaf"])
        let revision = tree.hierarchy.revision
        #expect(
            chain == [
                ChainEntry(
                    node: tree["m"], layer: .override, value: .int(3), status: .winner,
                    revision: revision),
                ChainEntry(
                    node: tree["m"], layer: .supplied, value: .int(2), status: .shadowed,
                    revision: revision - 1),
                ChainEntry(
                    node: tree["w"], layer: .override, value: .int(1), status: .shadowed,
                    revision: revision - 1),
                ChainEntry(
                    node: nil, layer: .default, value: .int(0), status: .shadowed,
                    revision: nil),
            ])
    }

    @Test("Nodes that do not set the trait appear when asked for")
    func absent() throws {
        let tree = try sample()
        let chain = tree.hierarchy.chain(of: tree.theme, at: tree["leaf"], includeAbsent: true)
        let nodes = chain.map { $0.node.map { tree.hierarchy.identifier(of: $0) } ?? "" }
        #expect(nodes == ["leaf", "b", "B", "m", "m", "a", "A", "w", "s", ""])
        #expect(chain.filter { $0.status == .absent }.count == 6)
        #expect(chain.filter { $0.status == .absent }.allSatisfy { $0.value == nil })
    }

    @Test("A node's layers are listed apart, by trait")
    func layers() throws {
        let tree = try sample()
        try tree.commit {
            try tree.hierarchy.setOverride(tree["m"], tree.style, .int(1))
        }
        let overrides = tree.hierarchy.overrides(of: tree["m"])
        #expect(overrides.map(\.0) == [tree.style, tree.theme])
        #expect(overrides.map(\.1) == [.int(1), .int(3)])
        #expect(tree.hierarchy.supplied(of: tree["m"]).map(\.1) == [.int(2)])
        #expect(tree.hierarchy.supplied(tree.theme, of: tree["m"]) == .int(2))
        try tree.commit { try tree.hierarchy.replaceOverrides(tree["m"], [(tree.theme, .int(4))]) }
        #expect(tree.hierarchy.overrides(of: tree["m"]).map(\.0) == [tree.theme])
        #expect(tree.value("leaf") == 4)
        try tree.commit { tree.hierarchy.removeOverride(tree["m"], tree.theme) }
        #expect(tree.value("leaf") == 2)
    }

    @Test("Values of every type come out as they went in, zeroes without their sign")
    func types() throws {
        let tree = try Fixture()
        try tree.commit { try tree.create("e", .environment) }
        let cases: [(TraitType, Bool, TraitValue, [TraitValue])] = [
            (.bool, false, .bool(false), [.bool(true)]),
            (.bool, true, .null, [.bool(true), .bool(false), .null]),
            (.int, false, .int(0), [.int(.min), .int(.max)]),
            (.int, true, .null, [.int(.min), .null, .int(2)]),
            (.double, false, .double(0), [.double(1.5), .double(-2)]),
            (.double, true, .double(1), [.null, .double(0)]),
            (.string, false, .string(""), [.string("é"), .string("e\u{301}")]),
            (.string, true, .null, [.string("x"), .null]),
            (
                .structure([StructField("x", .double), StructField("n", .string)]), false,
                .structure([.double(0), .string("")]),
                [.structure([.double(2), .string("two")])]
            ),
            (.enumeration([EnumCase("a", 1), EnumCase("b", -7)]), true, .null, [.int(-7), .null]),
        ]
        for (number, (type, isNullable, standard, values)) in cases.enumerated() {
            var trait = tree.theme
            try tree.commit {
                trait = try tree.hierarchy.defineTrait(
                    TraitDefinition(
                        key: "k\(number)", type: type, isNullable: isNullable,
                        defaultValue: standard))
            }
            #expect(tree.hierarchy.value(of: trait, at: tree["e"]) == standard)
            for value in values {
                try tree.commit { try tree.hierarchy.setOverride(tree["e"], trait, value) }
                #expect(tree.hierarchy.value(of: trait, at: tree["e"]) == value)
                #expect(tree.hierarchy.override(trait, of: tree["e"]) == value)
            }
        }
        let scale = try #require(tree.hierarchy.definitions.index(of: "displayScale"))
        try tree.commit { try tree.hierarchy.setOverride(tree["e"], scale, .double(0)) }
        let negative = try tree.commit {
            try tree.hierarchy.setOverride(tree["e"], scale, .double(-0.0))
        }
        #expect(negative.isUnchanged)
        for wrong in [TraitValue.int(1), .double(.nan), .double(.infinity), .null] {
            #expect(throws: OperationError.self) {
                try tree.commit { try tree.hierarchy.setOverride(tree["e"], scale, wrong) }
            }
        }
    }
}
