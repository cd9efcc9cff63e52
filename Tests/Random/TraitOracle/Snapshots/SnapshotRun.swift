// Random scripts with snapshots taken anywhere: each must show its moment, whatever came after.

import TraitEngine

/// Scripts of seeds `first ..< first + count`.
struct SnapshotRun: Sendable {
    let first: UInt64
    var count = 60

    /// A snapshot with what the rules say about its moment.
    private enum Held {
        case untouched(HierarchySnapshot, Oracle)
        case copying(Materializing, Oracle)
    }

    private static let plans = [
        ScriptGenerator.Plan(shape: .wide, nodesMax: 40),
        ScriptGenerator.Plan(shape: .deep, chainLength: 24, nodesMax: 60),
        ScriptGenerator.Plan(shape: .wide, hasManyTraits: true, nodesMax: 20),
    ]

    func run() throws {
        var compared = 0
        for seed in first..<first + UInt64(count) {
            do {
                compared += try self.compared(seed)
            } catch {
                throw Mistaken("seed \(seed): \(error)")
            }
        }
        try expect(compared * 6 > count * 20, "only \(compared) snapshots were compared")
    }

    /// Returns how many snapshots were compared.
    private func compared(_ seed: UInt64) throws -> Int {
        let plan = Self.plans[Int(seed % 3)]
        var generator = ScriptGenerator(seed: seed, plan: plan)
        var lockstep = Lockstep(
            propagation: seed % 4 == 3 ? .legacy : .unified,
            updates: seed % 5 == 0 ? .layout : .immediate,
            sizes: seed % 2 == 0 ? .tiny : .init())
        // What matters here is compared with the snapshots.
        lockstep.thoroughEvery = 8
        let hierarchy = try known(lockstep.engine).hierarchy
        var held: [Held] = []
        var compared = 0
        for number in 0..<24 {
            let step =
                switch number {
                case 0: generator.start()
                case 1: generator.populate(lockstep.oracle)
                default: generator.next(lockstep.oracle)
                }
            if held.count < 8, generator.random.chance(40) {
                held.append(.untouched(try hierarchy.snapshot(), lockstep.oracle))
            }
            for index in held.indices where generator.random.chance(40) {
                guard case .untouched(let snapshot, let oracle) = held[index] else { continue }
                held[index] = .copying(Materializing(snapshot), oracle)
            }
            _ = try lockstep.take(step)
            if let last = held.popLast() {
                if case .copying = last, generator.random.chance(50) {
                    compared += try compare(last)
                } else if generator.random.chance(10) {
                    // Dropped without having been asked for.
                } else {
                    held.append(last)
                }
            }
        }
        for snapshot in held { compared += try compare(snapshot) }
        return compared
    }

    private func compare(_ held: Held) throws -> Int {
        let frozen: Hierarchy
        let oracle: Oracle
        switch held {
        case .untouched(let snapshot, let moment):
            (frozen, oracle) = (try snapshot.materialize(), moment)
        case .copying(let copying, let moment): (frozen, oracle) = (try copying.hierarchy(), moment)
        }
        try expect(frozen.isFrozen, "a snapshot can be written to")
        try EngineDriver(frozen).compareEverything(with: oracle)
        return 1
    }
}
