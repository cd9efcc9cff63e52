// Values of any Swift type: equality is the type's own, and nothing that differs from itself is
// taken.

import Testing
import TraitEngine

@Suite struct OpaqueValueTests {
    private struct Point: Equatable {
        var x = 0.0
    }

    private let definition = TraitDefinition(
        key: "point", type: .opaque, defaultValue: .opaque(OpaqueValue(Point())))

    @Test("values are equal when their type says so, and never across types")
    func equality() {
        #expect(OpaqueValue(Point(x: 0.0)) == OpaqueValue(Point(x: -0.0)))
        #expect(OpaqueValue(Point(x: 1)) != OpaqueValue(Point(x: 2)))
        #expect(OpaqueValue(1) != OpaqueValue(1.0))
        #expect(OpaqueValue(Int?.none) != OpaqueValue(String?.none))
        #expect(OpaqueValue("e\u{301}").hashValue == OpaqueValue("\u{e9}").hashValue)
    }

    @Test("a value comes back as its own type only")
    func unboxing() {
        #expect(OpaqueValue(Point(x: 1)).value(as: Point.self) == Point(x: 1))
        #expect(OpaqueValue(Point(x: 1)).value(as: Int.self) == nil)
    }

    @Test("a value that differs from itself is no value of a trait")
    func notANumber() {
        #expect(definition.accepts(.opaque(OpaqueValue(Point(x: 1)))))
        #expect(!definition.accepts(.opaque(OpaqueValue(Point(x: .nan)))))
        #expect(!definition.accepts(.int(1)))
    }

    @Test("a hierarchy hands values down, tells changes and lets go of what it replaced")
    func inHierarchy() throws {
        let hierarchy = Hierarchy(hashSeed: 1)
        hierarchy.begin()
        let trait = try hierarchy.defineTrait(definition)
        let root = try hierarchy.createNode("root", kind: .environment)
        let leaf = try hierarchy.createNode("leaf", kind: .environment, parent: root)
        _ = hierarchy.commit()
        _ = try hierarchy.addWatch(node: leaf, traits: [trait])
        for x in [1.0, 1, 2] {
            hierarchy.begin()
            try hierarchy.setOverride(root, trait, .opaque(OpaqueValue(Point(x: x))))
            let commit = hierarchy.commit()
            hierarchy.acknowledge(through: commit.revision)
            #expect(commit.notifications.count == (commit.isUnchanged ? 0 : 1))
            #expect(hierarchy.value(of: trait, at: leaf) == .opaque(OpaqueValue(Point(x: x))))
        }
        #expect(hierarchy.revision == 3)
        try hierarchy.checkInvariants()
    }
}
