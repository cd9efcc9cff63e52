// Values that a reader supplies for a node.

import Testing

@testable import TraitEngine

@Suite("Supplied by the reader")
struct SupplyingTests {
    private static func category(_ name: String) -> TraitValue {
        .string("UICTContentSizeCategory" + name)
    }

    @Test(
        "A supplied category is moved into the node's limits, and the node's override goes over both"
    )
    func limits() throws {
        let hierarchy = Hierarchy(hashSeed: 0)
        hierarchy.begin()
        let node = try hierarchy.createNode("n", kind: .view)
        try hierarchy.setContentSizeLimits(node, minimum: nil, maximum: "UICTContentSizeCategoryL")
        _ = hierarchy.commit()
        let trait = Hierarchy.contentSize
        func value(_ name: String) -> TraitValue {
            hierarchy.resolve(trait, at: node, supplying: Self.category(name)).value
        }
        #expect(value("XL") == Self.category("L"))
        #expect(value("S") == Self.category("S"))
        hierarchy.begin()
        try hierarchy.setOverride(node, trait, Self.category("XXL"))
        _ = hierarchy.commit()
        #expect(value("S") == Self.category("XXL"))
    }
}
