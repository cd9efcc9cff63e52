// A walk passes a node whose filter lacks the trait. A filter that is stale would hide a value. Random
// scripts check the invariants after all that changes what a node sets, and here is that these find one.

import Testing

@testable import TraitEngine

@Suite struct FilterTests {
    @Test("A filter that lacks a trait of its node is found by the invariants")
    func stale() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("a", .environment)
            try tree.set("a", 1)
        }
        let node = tree["a"].rawValue
        let filter = tree.hierarchy.parts.nodes.hot(of: node).filter
        #expect(filter == filterBit(tree.theme.rawValue))
        tree.hierarchy.parts.nodes.setFilter(node, ~filter)
        #expect(tree.value("a") == 0)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, 0)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, .max)
        #expect(tree.value("a") == 1)
        #expect(throws: InvariantError.self) { try tree.hierarchy.checkInvariants() }
        tree.hierarchy.parts.nodes.setFilter(node, filter)
        try tree.hierarchy.checkInvariants()
    }

    @Test("The bits of a folded mask are those of its traits")
    func folding() {
        for trait in 0..<UInt16(200) {
            #expect(filter(of: foldedBit(trait)) == filterBit(trait))
            #expect(filter(of: foldedBit(trait) | 1) == filterBit(trait) | 1)
        }
        #expect(filter(of: 0) == 0)
    }

    @Test("Parent and filter share a word without touching each other")
    func word() {
        for parent in [-1, 0, 1, 255, 256, 65_535, Int32(NodeHot.nodesMax - 1)] {
            var hot = NodeHot(parent: parent)
            #expect(hot.parent == parent)
            #expect(!hot.hasRecord)
            hot.filter = 0xA5
            #expect(hot.parent == parent)
            #expect(hot.filter == 0xA5)
            #expect(hot.hasRecord)
            hot.parent = 77
            #expect(hot.parent == 77 && hot.up == 77)
            #expect(hot.filter == 0xA5)
            hot.parent = -1
            #expect(hot.parent == -1)
            #expect(hot.filter == 0xA5)
            #expect(hot.mayHold(0x80) && !hot.mayHold(0x5A))
        }
    }
}
