// Snapshots taken and materialized on other threads while a large hierarchy goes on changing.

import TraitEngine

/// One random life of a large hierarchy: each snapshot must show the moment it was taken at.
struct ChurnRun: Sendable {
    let seed: UInt64
    var nodeCount = 2_000
    var stepCount = 600

    func run() throws {
        let churn = try Churn(seed: seed)
        let hierarchy = churn.hierarchy
        hierarchy.begin()
        try churn.create(nodeCount)
        _ = hierarchy.commit()
        var moments: [(copying: Materializing, traits: [TraitIndex], lines: [String])] = []
        var cancelled = 0
        for number in 0..<stepCount {
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
                    try expectCancelled(unused)
                }
            }
            try churn.step(number)
            churn.read()
        }
        try expect(moments.count == stepCount / 40 && cancelled > 0, "too few snapshots")
        try expect(hierarchy.nodeCount > nodeCount / 2, "\(hierarchy.nodeCount) nodes are left")
        for moment in moments {
            let frozen = try moment.copying.hierarchy()
            let difference = firstDifference(frozen.describe(moment.traits), moment.lines)
            try expect(difference == nil, "seed \(seed): \(difference ?? "")")
            try frozen.checkInvariants()
        }
        try hierarchy.checkInvariants()
    }

    private func expectCancelled(_ snapshot: HierarchySnapshot) throws {
        do {
            _ = try snapshot.materialize()
        } catch SnapshotError.cancelled {
            return
        }
        throw Mistaken("a cancelled snapshot was materialized")
    }
}
