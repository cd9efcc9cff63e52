// Deep trees: the shortcuts must never show. A plain walk is the reference.

import SeededRandom
import TraitEngine

/// One tree of two long chains that fork from each other, changed at random.
struct DeepTreeRun: Sendable {
    let seed: UInt64
    var levelCount = 1_500
    var stepCount = 600

    func run() throws {
        let (hierarchy, _) = try Self.make()
        var random = SeededRandom(seed: seed)
        let traits = Array(hierarchy.definitions.settable)
        let nodes = try makeChains(hierarchy, &random)
        for step in 0..<stepCount {
            let node = nodes[random.below(nodes.count)]
            let trait = traits[random.below(traits.count)]
            guard case .enumeration = hierarchy.definitions[trait].type else { continue }
            hierarchy.begin()
            switch step % 4 {
            case 0: try hierarchy.setOverride(node, trait, .int(Int64(step)))
            case 1: hierarchy.removeOverride(node, trait)
            case 2: try? hierarchy.updateNode(node, parent: .set(nodes[random.below(nodes.count)]))
            default: break
            }
            _ = hierarchy.commit()
            if step.isMultiple(of: 5), hierarchy.unacknowledgedCount > 0 { hierarchy.undo() }
            hierarchy.acknowledge(through: hierarchy.revision)
            for _ in 0..<8 {
                let node = nodes[random.below(nodes.count)]
                let trait = traits[random.below(traits.count)]
                try compare(hierarchy, trait, node, hierarchy.value(of: trait, at: node))
            }
            guard step.isMultiple(of: 50) else { continue }
            try hierarchy.checkInvariants()
            let some = nodes[random.below(nodes.count)]
            var found: [(TraitIndex, TraitValue)] = []
            hierarchy.values(of: TraitSet(traits), at: some) { found.append(($0, $1)) }
            for (trait, value) in found { try compare(hierarchy, trait, some, value) }
        }
        try expect(hierarchy.topCount > 10, "\(hierarchy.topCount) tops: this is about shortcuts")
    }

    private func makeChains(
        _ hierarchy: Hierarchy, _ random: inout SeededRandom
    ) throws -> [NodeIndex] {
        var nodes: [NodeIndex] = []
        hierarchy.begin()
        for level in 0..<levelCount {
            // Two long chains that fork from each other now and then.
            let parent = level < 2 ? nil : nodes[level - 1 - random.below(2)]
            nodes.append(
                try hierarchy.createNode("n\(level)", kind: .environment, parent: parent))
        }
        try Self.finish(hierarchy)
        return nodes
    }

    private func compare(
        _ hierarchy: Hierarchy, _ trait: TraitIndex, _ node: NodeIndex, _ value: TraitValue
    ) throws {
        let walked = Self.walk(hierarchy, trait, node)
        try expect(value == walked, "seed \(seed): \(trait) at \(node): \(value), not \(walked)")
    }

    /// What a walk without shortcuts finds.
    private static func walk(
        _ hierarchy: Hierarchy, _ trait: TraitIndex, _ node: NodeIndex
    ) -> TraitValue {
        var next: NodeIndex? = node
        while let node = next {
            if let value = hierarchy.override(trait, of: node) { return value }
            next = hierarchy.traitParent(of: node)
        }
        return hierarchy.definitions[trait].defaultValue
    }

    // MARK: - From end to end

    /// A chain with a value at its root and a registration at its end, taken down again.
    static func bottom(levelCount: Int) throws {
        let (hierarchy, theme) = try make()
        var nodes: [NodeIndex] = []
        hierarchy.begin()
        for level in 0..<levelCount {
            nodes.append(
                try hierarchy.createNode("n\(level)", kind: .environment, parent: nodes.last))
        }
        let (top, second, last) = (nodes[0], nodes[1], nodes[levelCount - 1])
        _ = try hierarchy.register("r", node: last, traits: [theme])
        try finish(hierarchy)
        try expect(hierarchy.depth(of: last) == levelCount - 1, "a level is missing")
        hierarchy.begin()
        try hierarchy.setOverride(top, theme, .int(1))
        let commit = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        try expect(commit.notifications.count == 1, "\(commit.notifications)")
        try expect(hierarchy.value(of: theme, at: last) == .int(1), "the end shows another value")
        hierarchy.begin()
        try hierarchy.deleteNode(second)
        _ = hierarchy.commit()
        hierarchy.undo()
        try expect(hierarchy.value(of: theme, at: last) == .int(1), "deleting was not undone")
        hierarchy.begin()
        try hierarchy.deleteNode(top)
        try finish(hierarchy)
        try expect(hierarchy.nodeCount == 0, "\(hierarchy.nodeCount) nodes are left")
        while hierarchy.reclaimSlice() {}
        try hierarchy.checkInvariants()
    }

    // MARK: - Making

    /// With one custom trait.
    private static func make() throws -> (Hierarchy, theme: TraitIndex) {
        let hierarchy = Hierarchy(hashSeed: 7)
        hierarchy.begin()
        let theme = try hierarchy.defineTrait(
            TraitDefinition(key: "theme", type: .int, defaultValue: .int(0)))
        try finish(hierarchy)
        return (hierarchy, theme)
    }

    /// Commits, with all invariants checked before and after the commit is final.
    private static func finish(_ hierarchy: Hierarchy) throws {
        _ = hierarchy.commit()
        try hierarchy.checkInvariants()
        hierarchy.acknowledge(through: hierarchy.revision)
        try hierarchy.checkInvariants()
    }
}
