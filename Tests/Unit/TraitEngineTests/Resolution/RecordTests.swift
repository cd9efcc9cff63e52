// Records change their form as values come and go: in the record or in a block, one layer or
// several, masks or none. What they hold must not depend on the way there.

import SeededRandom
import Testing
import TraitOracle

@testable import TraitEngine

@Suite struct RecordTests {
    private struct Cell: Hashable {
        var node: Int
        var trait: Int
        var layer: Layer
    }

    @Test(
        "What a node sets does not depend on how its record came about",
        arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Few traits, so that layers meet; in some scripts a trait beyond 63 among them, and in a
        // chain with a top every second level.
        let hierarchy = Hierarchy(hashSeed: seed, sizes: .tiny)
        hierarchy.begin()
        let defined = try (0..<60).map { number in
            try hierarchy.defineTrait(
                TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0)))
        }
        var traits = Array(defined.prefix(5))
        if seed % 3 == 0 { traits.append(defined[59]) }
        #expect(seed % 3 != 0 || defined[59].rawValue >= 64)
        var nodes: [NodeIndex] = []
        for level in 0..<8 {
            nodes.append(
                try hierarchy.createNode("n\(level)", kind: .environment, parent: nodes.last))
        }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: 1)
        var model: [Cell: Int64] = [:]
        for step in 0..<400 {
            let former = model
            hierarchy.begin()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let cell = Cell(
                    node: Int.random(in: 0..<nodes.count, using: &random),
                    trait: Int.random(in: 0..<traits.count, using: &random),
                    layer: Bool.random(using: &random) ? .override : .supplied)
                let value: Int64? =
                    Int.random(in: 0..<5, using: &random) < 2 ? nil : Int64(step)
                try write(hierarchy, nodes[cell.node], traits[cell.trait], cell.layer, value)
                model[cell] = value
            }
            let isKept = Int.random(in: 0..<3, using: &random) > 0
            if !isKept { model = former }
            let isCommitted = Bool.random(using: &random)
            if !isKept, !isCommitted {
                hierarchy.rollback()
            } else if !hierarchy.commit().isUnchanged, !isKept {
                hierarchy.undo()
            }
            hierarchy.acknowledge(through: hierarchy.revision)
            try hierarchy.checkInvariants()
            for (position, node) in nodes.enumerated() {
                #expect(
                    held(hierarchy.overrides(of: node)) == held(model, position, .override, traits),
                    "step \(step)")
                #expect(
                    held(hierarchy.supplied(of: node)) == held(model, position, .supplied, traits),
                    "step \(step)")
            }
            // A read deep down makes tops out of records.
            _ = hierarchy.value(of: traits[0], at: nodes[nodes.count - 1])
        }
        #expect(hierarchy.topCount > 1)
    }

    private func write(
        _ hierarchy: Hierarchy, _ node: NodeIndex, _ trait: TraitIndex, _ layer: Layer,
        _ value: Int64?
    ) throws {
        switch (layer, value) {
        case (.override, let value?): try hierarchy.setOverride(node, trait, .int(value))
        case (.override, nil): hierarchy.removeOverride(node, trait)
        case (_, let value?): try hierarchy.setSupplied(node, trait, .int(value))
        case (_, nil): hierarchy.removeSupplied(node, trait)
        }
    }

    private func held(_ values: [(TraitIndex, TraitValue)]) -> [TraitIndex: TraitValue] {
        Dictionary(uniqueKeysWithValues: values)
    }

    private func held(
        _ model: [Cell: Int64], _ node: Int, _ layer: Layer, _ traits: [TraitIndex]
    ) -> [TraitIndex: TraitValue] {
        var values: [TraitIndex: TraitValue] = [:]
        for (cell, value) in model where cell.node == node && cell.layer == layer {
            values[traits[cell.trait]] = .int(value)
        }
        return values
    }

    @Test("A record is a cache line, and its words begin where its values lie")
    func form() throws {
        #expect(MemoryLayout<Record>.stride == 64)
        #expect(MemoryLayout<Record>.size == Record.inlineOffset + 8 * Record.inlineWordsMax)
        var record = Record(node: 7)
        record.added = 0xA1
        record.pathMask = 0xB2
        record.jump = -1
        record.jumpGeneration = 0xFFFF_FFFF
        #expect(record.jump == -1 && record.jumpGeneration == 0xFFFF_FFFF)
        record.jump = 5
        #expect(record.jump == 5 && record.jumpGeneration == 0xFFFF_FFFF)
        #expect(record.added == 0xA1 && record.pathMask == 0xB2 && record.node == 7)
        withUnsafeBytes(of: record) { bytes in
            let words = (0..<Record.inlineWordsMax).map {
                bytes.load(fromByteOffset: Record.inlineOffset + 8 * $0, as: UInt64.self)
            }
            #expect(words[0] == 0xA1 && words[1] == 0xB2)
        }
    }
}
