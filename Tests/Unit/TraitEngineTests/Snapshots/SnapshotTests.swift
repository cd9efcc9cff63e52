// Snapshots of hierarchies large enough that writers and readers meet.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct SnapshotTests {
    @Test(
        "What is materialized while everything changes is the moment of the snapshot")
    func churn() throws {
        // The command TraitOracle does more of this.
        try ChurnRun(seed: 1, nodeCount: 500, stepCount: 120).run()
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
        "A copy cancelled at any moment ends, and harms neither the others nor what is written")
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
