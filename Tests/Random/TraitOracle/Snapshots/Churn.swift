// A hierarchy large enough that writers and readers of a snapshot meet, changed at random.

import SeededRandom
import TraitEngine

/// A hierarchy that changes at random in every way there is.
final class Churn {
    let hierarchy = Hierarchy(hashSeed: 5)
    var traits: [TraitIndex] = []
    var random: SeededRandom
    private var names: [String] = []
    private var made = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        hierarchy.begin()
        traits = [
            try hierarchy.defineTrait(
                TraitDefinition(key: "number", type: .int, defaultValue: .int(0))),
            try hierarchy.defineTrait(
                TraitDefinition(key: "text", type: .string, defaultValue: .string("none"))),
            try known(hierarchy.definitions.index(of: "userInterfaceStyle")),
        ]
        _ = hierarchy.commit()
    }

    private func some() -> NodeIndex? {
        for _ in 0..<4 {
            let name = names.isEmpty ? "" : names[random.below(names.count)]
            if let node = hierarchy.node(name) { return node }
        }
        return nil
    }

    func create(_ count: Int) throws {
        for _ in 0..<count {
            made += 1
            let name = "n\(made)" + (made % 3 == 0 ? "-with-a-name-that-lies-elsewhere" : "")
            var parent = some()
            if let node = parent, hierarchy.depth(of: node) > 300 { parent = nil }
            let label = made % 7 == 0 ? "label \(made)" : nil
            let node = try hierarchy.createNode(
                name, kind: .environment, parent: parent, label: label)
            names.append(name)
            if made % 5 == 0 {
                let trait = traits[random.below(3)]
                _ = try hierarchy.register("r\(made)", node: node, traits: [trait])
            }
        }
    }

    /// One transaction, which is sometimes taken back, and sometimes makes everything final.
    func step(_ number: Int) throws {
        hierarchy.begin()
        try create(random.below(8))
        for _ in 0..<random.below(12) {
            guard let node = some() else { continue }
            try change(node, number)
        }
        if random.chance(4) {
            traits.append(
                try hierarchy.defineTrait(
                    TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(7))))
        }
        if random.chance(10) {
            traits = traits.filter { Int($0.rawValue) < hierarchy.definitions.indexEnd }
            hierarchy.rollback()
            traits = traits.filter { hierarchy.definitions.definition(at: $0) != nil }
            return
        }
        _ = hierarchy.commit()
        if random.chance(10), hierarchy.unacknowledgedCount > 0 {
            hierarchy.undo()
            traits = traits.filter { hierarchy.definitions.definition(at: $0) != nil }
        } else if random.chance(60) {
            hierarchy.acknowledge(through: hierarchy.revision)
        }
        if random.chance(20) { hierarchy.reclaimSlice() }
    }

    private func change(_ node: NodeIndex, _ number: Int) throws {
        switch random.below(9) {
        case 0...2: try hierarchy.setOverride(node, traits[0], .int(Int64(number)))
        case 3: try hierarchy.setOverride(node, traits[1], .string("text \(number % 50)"))
        case 4: try hierarchy.setSupplied(node, traits[2], .int(Int64(number % 3)))
        case 5: hierarchy.removeOverride(node, traits[random.below(2)])
        case 6:
            if let parent = some() {
                try? hierarchy.updateNode(node, parent: .set(parent))
            }
        case 7: try hierarchy.updateNode(node, label: .set("changed \(number)"))
        default: if random.chance(15) { try hierarchy.deleteNode(node) }
        }
    }

    /// Reads that place shortcuts, as reads of a live hierarchy do.
    func read() {
        for _ in 0..<4 {
            if let node = some() { _ = hierarchy.value(of: traits[0], at: node) }
        }
    }
}
