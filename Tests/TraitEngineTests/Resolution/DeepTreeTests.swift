// Deep trees: the shortcuts must never show. A plain walk is the reference.

import Testing

@testable import TraitEngine

@Suite struct DeepTreeTests {
    /// What a walk without shortcuts finds.
    private func walk(
        _ hierarchy: Hierarchy, _ trait: TraitIndex, _ node: NodeIndex
    ) -> TraitValue {
        var next: NodeIndex? = node
        while let node = next {
            if let value = hierarchy.override(trait, of: node) { return value }
            next = hierarchy.traitParent(of: node)
        }
        return hierarchy.definitions[trait].defaultValue
    }

    @Test(
        "Shortcuts agree with walking, whatever is set and moved",
        arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) throws {
        let tree = try Fixture()
        let hierarchy = tree.hierarchy
        var random = SeededRandom(seed: seed)
        let traits = Array(hierarchy.definitions.settable)
        var nodes: [NodeIndex] = []
        try tree.commit {
            for level in 0..<1_500 {
                // Two long chains that fork from each other now and then.
                let back = Int.random(in: 1...2, using: &random)
                let parent = level < 2 ? nil : nodes[level - back]
                nodes.append(
                    try hierarchy.createNode("n\(level)", kind: .environment, parent: parent))
            }
        }
        for step in 0..<600 {
            let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
            let trait = traits[Int.random(in: 0..<traits.count, using: &random)]
            guard case .enumeration = hierarchy.definitions[trait].type else { continue }
            hierarchy.begin()
            switch step % 4 {
            case 0: try hierarchy.setOverride(node, trait, .int(Int64(step)))
            case 1: hierarchy.removeOverride(node, trait)
            case 2:
                let parent = nodes[Int.random(in: 0..<nodes.count, using: &random)]
                try? hierarchy.updateNode(node, parent: .set(parent))
            default: break
            }
            _ = hierarchy.commit()
            if step.isMultiple(of: 5), hierarchy.unacknowledgedCount > 0 { hierarchy.undo() }
            hierarchy.acknowledge(through: hierarchy.revision)
            for _ in 0..<8 {
                let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
                let trait = traits[Int.random(in: 0..<traits.count, using: &random)]
                #expect(hierarchy.value(of: trait, at: node) == walk(hierarchy, trait, node))
            }
            if step.isMultiple(of: 50) {
                try hierarchy.checkInvariants()
                let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
                hierarchy.values(of: hierarchy.definitions.settable, at: node) { trait, value in
                    #expect(value == walk(hierarchy, trait, node))
                }
            }
        }
        #expect(hierarchy.topCount > 10, "the test is about shortcuts")
    }

    @Test("Ten thousand levels work from end to end")
    func bottom() throws {
        let tree = try Fixture()
        var nodes: [NodeIndex] = []
        try tree.commit {
            for level in 0..<10_000 {
                nodes.append(
                    try tree.hierarchy.createNode(
                        "n\(level)", kind: .environment, parent: nodes.last))
            }
            try tree.register("r", "n9999")
        }
        let commit = try tree.hierarchy.depth(of: tree["n9999"]) == 9_999 ? ring(tree) : nil
        #expect(commit?.notifications.count == 1)
        #expect(tree.value("n9999") == 1)
        tree.hierarchy.begin()
        tree.delete("n1")
        _ = tree.hierarchy.commit()
        tree.hierarchy.undo()
        #expect(tree.value("n9999") == 1)
        try tree.commit { tree.delete("n0") }
        #expect(tree.hierarchy.nodeCount == 0)
        while tree.hierarchy.reclaimSlice() {}
        try tree.hierarchy.checkInvariants()
    }

    private func ring(_ tree: Fixture) throws -> Commit {
        tree.hierarchy.begin()
        try tree.set("n0", 1)
        defer { tree.hierarchy.acknowledge(through: tree.hierarchy.revision) }
        return tree.hierarchy.commit()
    }
}
