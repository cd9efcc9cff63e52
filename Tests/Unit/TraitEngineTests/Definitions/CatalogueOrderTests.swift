// Traits stand in the order of their definition, whatever indices they got: these depend on what
// was acknowledged by then, and nothing that shows may.

import Testing

@testable import TraitEngine

@Suite struct CatalogueOrderTests {
    private static func make(indices: Int) throws -> Hierarchy {
        var sizes = StructureSizes()
        sizes.traitIndexMax = TraitDefinitions.customStart + indices
        let hierarchy = Hierarchy(hashSeed: 7, sizes: sizes)
        hierarchy.begin()
        let node = try hierarchy.createNode("n", kind: .environment)
        for key in ["a", "b", "c", "d"] { _ = try hierarchy.defineInt(key) }
        _ = try hierarchy.createNode("below", kind: .environment, parent: node)
        _ = hierarchy.commit()
        return hierarchy
    }

    /// Deletes the first traits and defines others, so that these fill the gaps.
    private func replaceTraits(_ hierarchy: Hierarchy, acknowledges: Bool) throws {
        for (gone, new) in [("a", "e"), ("c", "f")] {
            hierarchy.begin()
            try hierarchy.deleteTrait(#require(hierarchy.definitions.index(of: gone)))
            _ = hierarchy.commit()
            if acknowledges { hierarchy.acknowledge(through: hierarchy.revision) }
            hierarchy.begin()
            _ = try hierarchy.defineInt(new)
            _ = hierarchy.commit()
            try hierarchy.checkInvariants()
        }
    }

    private func keys(_ traits: [TraitIndex], _ hierarchy: Hierarchy) -> [String] {
        traits.map { hierarchy.definitions[$0].key }
    }

    @Test("Lists and changes stand in the order of definition", arguments: [false, true])
    func order(_ acknowledges: Bool) throws {
        let hierarchy = try Self.make(indices: 4)
        try replaceTraits(hierarchy, acknowledges: acknowledges)
        let definitions = hierarchy.definitions
        // Indices were used again only where that was possible.
        #expect(definitions.isInCatalogueOrder != acknowledges)
        #expect(keys(definitions.customInOrder, hierarchy) == ["b", "d", "e", "f"])
        #expect(
            keys(definitions.inCatalogueOrder(definitions.custom), hierarchy)
                == ["b", "d", "e", "f"])
        let node = try #require(hierarchy.node("n"))
        hierarchy.begin()
        _ = try hierarchy.register(
            "r", node: #require(hierarchy.node("below")), traits: definitions.custom)
        _ = hierarchy.commit()
        hierarchy.begin()
        for trait in definitions.custom.reversed() {
            try hierarchy.setOverride(node, trait, .int(1))
        }
        let commit = hierarchy.commit()
        let changes = commit.changes(of: try #require(commit.notifications.first))
        #expect(keys(changes.map(\.trait), hierarchy) == ["b", "d", "e", "f"])
        #expect(keys(hierarchy.overrides(of: node).map(\.0), hierarchy) == ["b", "d", "e", "f"])
        var stored: [String] = []
        hierarchy.forEachStoredValue(of: node) { stored.append(definitions[$0.trait].key) }
        #expect(stored == ["b", "d", "e", "f"])
    }

    @Test("Whether indices can be used again does not show in the digest, nor in refusals")
    func acknowledging() throws {
        let (one, other) = (try Self.make(indices: 4), try Self.make(indices: 4))
        try replaceTraits(one, acknowledges: false)
        try replaceTraits(other, acknowledges: true)
        #expect(one.digest == other.digest)
        for hierarchy in [one, other] {
            hierarchy.begin()
            #expect(throws: OperationError.self) { _ = try hierarchy.defineInt("g") }
            hierarchy.rollback()
        }
    }

    @Test("Holders of environment values are listed behind all traits, as their keys were defined")
    func holders() throws {
        let hierarchy = try Self.make(indices: 20)
        let node = try #require(hierarchy.node("n"))
        hierarchy.begin()
        for key in ["y", "x"] {
            try hierarchy.defineEnvironmentKey(
                EnvironmentKey(key: key, type: .int, defaultValue: .int(0)))
        }
        let last = try hierarchy.defineInt("last")
        try hierarchy.setEnvironment(node, "x", .int(1))
        try hierarchy.setEnvironment(node, "y", .int(1))
        try hierarchy.setOverride(node, last, .int(1))
        _ = hierarchy.commit()
        var stored: [String] = []
        hierarchy.forEachStoredValue(of: node) {
            stored.append(hierarchy.definitions[$0.trait].key)
        }
        #expect(stored == ["last", "y", "x"])
        try hierarchy.checkInvariants()
    }
}

extension Hierarchy {
    fileprivate func defineInt(_ key: String) throws(OperationError) -> TraitIndex {
        try defineTrait(TraitDefinition(key: key, type: .int, defaultValue: .int(0)))
    }
}
