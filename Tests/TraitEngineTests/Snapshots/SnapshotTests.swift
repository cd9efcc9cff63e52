// Snapshots of hierarchies large enough that writers and readers meet.

import Testing
import TraitEngine

@Suite struct SnapshotTests {
    /// A hierarchy that changes at random in every way there is.
    private final class Churn {
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
                try #require(hierarchy.definitions.index(of: "userInterfaceStyle")),
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

    @Test(
        "What is materialized while everything changes is the moment of the snapshot",
        .timeLimit(.minutes(5)), arguments: 1...4 as ClosedRange<UInt64>)
    func churn(_ seed: UInt64) throws {
        let churn = try Churn(seed: seed)
        let hierarchy = churn.hierarchy
        hierarchy.begin()
        try churn.create(2_000)
        _ = hierarchy.commit()
        var moments: [(copying: Materializing, traits: [TraitIndex], lines: [String])] = []
        var cancelled = 0
        for number in 0..<600 {
            if number % 40 == 0 {
                let traits = churn.traits
                let lines = hierarchy.describe(traits)
                moments.append((Materializing(try hierarchy.snapshot()), traits, lines))
            } else if number % 40 == 20 {
                // These only make the writer save, and end anywhere.
                let unused = try hierarchy.snapshot()
                if number % 80 == 20 {
                    unused.cancel()
                    cancelled += 1
                    #expect(throws: SnapshotError.cancelled) { try unused.materialize() }
                }
            }
            try churn.step(number)
            churn.read()
        }
        #expect(moments.count == 15 && cancelled > 0 && hierarchy.nodeCount > 1_000)
        for moment in moments {
            let frozen = try moment.copying.hierarchy()
            #expect(firstDifference(frozen.describe(moment.traits), moment.lines) == nil)
            try frozen.checkInvariants()
        }
        try hierarchy.checkInvariants()
    }

    @Test(
        "Several snapshots at once each show their own moment, those beyond the limit are refused")
    func several() throws {
        let churn = try Churn(seed: 9)
        let hierarchy = churn.hierarchy
        var held: [(snapshot: HierarchySnapshot, traits: [TraitIndex], lines: [String])] = []
        for number in 0..<8 {
            for step in 0..<20 { try churn.step(number * 20 + step) }
            let lines = hierarchy.describe(churn.traits)
            held.append((try hierarchy.snapshot(), churn.traits, lines))
        }
        #expect(throws: OperationError.limit(name: "snapshotsMax", value: 8)) {
            try hierarchy.snapshot()
        }
        for step in 0..<100 { try churn.step(1_000 + step) }
        for moment in held.reversed() {
            let frozen = try moment.snapshot.materialize()
            #expect(firstDifference(frozen.describe(moment.traits), moment.lines) == nil)
            #expect(frozen.revision == moment.snapshot.revision)
            #expect(frozen.nodeCount == moment.snapshot.nodeCount)
        }
        _ = try hierarchy.snapshot()
        _ = held.count
        for _ in 0..<20 { _ = try hierarchy.snapshot() }
    }

    @Test("A snapshot outlives its hierarchy")
    func outliving() throws {
        var churn: Churn? = try Churn(seed: 11)
        for step in 0..<100 { try churn?.step(step) }
        let traits = churn?.traits ?? []
        let lines = try #require(churn).hierarchy.describe(traits)
        let first = try #require(churn).hierarchy.snapshot()
        let second = try #require(churn).hierarchy.snapshot()
        churn = nil
        #expect(try firstDifference(first.materialize().describe(traits), lines) == nil)
        #expect(try firstDifference(second.materialize().describe(traits), lines) == nil)
    }

    @Test("A snapshot gives its hierarchy once, and nothing after it was cancelled")
    func once() throws {
        let hierarchy = try Churn(seed: 3).hierarchy
        let snapshot = try hierarchy.snapshot()
        #expect(try snapshot.materialize().revision == hierarchy.revision)
        #expect(throws: SnapshotError.materialized) { try snapshot.materialize() }
        snapshot.cancel()
        let other = try hierarchy.snapshot()
        other.cancel()
        other.cancel()
        #expect(throws: SnapshotError.cancelled) { try other.materialize() }
    }

    @Test("Every arena may grow many times over while its copy is being made")
    func growth() throws {
        let churn = try Churn(seed: 4)
        let hierarchy = churn.hierarchy
        hierarchy.begin()
        try churn.create(50)
        _ = hierarchy.commit()
        let lines = hierarchy.describe(churn.traits)
        let copying = Materializing(try hierarchy.snapshot())
        let later = try hierarchy.snapshot()
        hierarchy.begin()
        try churn.create(30_000)
        _ = hierarchy.commit()
        let frozen = try copying.hierarchy()
        #expect(firstDifference(frozen.describe(churn.traits), lines) == nil)
        #expect(try firstDifference(later.materialize().describe(churn.traits), lines) == nil)
    }

    @Test(
        "A copy cancelled at any moment ends, and harms neither the others nor what is written",
        .timeLimit(.minutes(5)))
    func cancelling() throws {
        let churn = try Churn(seed: 21)
        let hierarchy = churn.hierarchy
        hierarchy.begin()
        try churn.create(3_000)
        _ = hierarchy.commit()
        var cancelled = 0
        for round in 0..<60 {
            let lines = round % 20 == 0 ? hierarchy.describe(churn.traits) : []
            let traits = churn.traits
            let kept = round % 20 == 0 ? Materializing(try hierarchy.snapshot()) : nil
            let snapshot = try hierarchy.snapshot()
            let copying = Materializing(snapshot)
            for step in 0..<round % 7 { try churn.step(round * 10 + step) }
            snapshot.cancel()
            for step in 0..<3 { try churn.step(round * 10 + step) }
            do {
                _ = try copying.hierarchy()
            } catch SnapshotError.cancelled {
                cancelled += 1
            }
            guard let kept else { continue }
            #expect(firstDifference(try kept.hierarchy().describe(traits), lines) == nil)
        }
        #expect(cancelled > 0)
        try hierarchy.checkInvariants()
    }
}
