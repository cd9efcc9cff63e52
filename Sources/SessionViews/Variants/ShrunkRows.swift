// Takes rows away from a complete covering array as long as the others can be changed to cover all tuples.

import TraitSessions

/// A tabu search (after L. Gonzalez-Hernandez et al., "MiTS", 2010): one row is taken away, then rows are changed
/// one at a time, so that each change adds a missing tuple and loses as few as possible. A place that was changed
/// keeps its value for some changes. When no tuple is missing, the next row is taken away. The search ends after
/// `workMax`, or when there are as few rows as some axes have combinations.
struct ShrunkRows: Sendable {
    /// Tuples of all rows at most; larger arrays stay as they are.
    static let tuplesMax = 1_000_000

    let model: VariantModel
    /// Complete at any time.
    private(set) var rows: [[Int]]
    private let table: TupleTable
    /// The exceptions that name each value.
    private var exceptions: [[[AxisValue]]]
    /// How many rows of `trial` have each tuple. An impossible tuple is in none.
    private var counts: [Int32]
    /// The rows with one row less, and the tuples that they lack.
    private var trial: [[Int]] = []
    private var missing: [Int] = []
    /// The change, counted from 1, before which each place of each row keeps its value.
    private var keptUntil: [[Int]] = []
    private var change = 0
    private let rowsMin: Int
    /// To look at a row, beside its tuples.
    private static let rowWork = 20
    private let workMax: Int
    private(set) var work = 0

    /// - Parameter rowsMin: no fewer rows are looked for.
    init(
        _ model: VariantModel, _ rows: [[Int]], _ table: TupleTable, rowsMin: Int, workMax: Int
    ) {
        self.model = model
        self.rows = rows
        self.table = table
        self.workMax = workMax
        counts = Array(repeating: 0, count: table.bytes.count)
        self.rowsMin = max(rowsMin, 1)
        exceptions = Array(repeating: [], count: model.starts[model.sizes.count])
        for exception in model.exceptions {
            for one in exception {
                exceptions[model.starts[one.axis] + one.value].append(exception)
            }
        }
        for row in rows { table.forEach(in: row) { counts[$0] += 1 } }
        trial = rows
        takeRowAway()
    }

    /// Makes changes until about `budget` units of work are done, and answers whether the search is at its end.
    mutating func step(budget: Int) -> Bool {
        let end = work + budget
        while work < min(end, workMax), rows.count > rowsMin { makeChange() }
        return work >= workMax || rows.count <= rowsMin
    }

    private mutating func makeChange() {
        guard let tuple = missing.isEmpty ? nil : missing[change % missing.count] else {
            rows = trial
            return takeRowAway()
        }
        change += 1
        let values = table.values(of: tuple)
        var best = (position: -1, delta: Int.max, order: 0)
        var changed = Array(repeating: 0, count: model.sizes.count)
        var done = 0
        for position in trial.indices {
            done += Self.rowWork
            let delta = delta(position, values, &changed, &done)
            guard let delta else { continue }
            let order = (position &* 40_503 &+ change &* 7_919) & 0xffff
            if (delta, order) < (best.delta, best.order) { best = (position, delta, order) }
        }
        work += done
        if best.position >= 0 { replace(best.position, values) }
    }

    private mutating func takeRowAway() {
        var best = (position: 0, single: Int.max)
        for (position, row) in trial.enumerated() {
            var single = 0
            table.forEach(in: row) { if counts[$0] == 1 { single += 1 } }
            if single < best.single { best = (position, single) }
        }
        guard !trial.isEmpty else { return }
        table.forEach(in: trial.remove(at: best.position)) {
            counts[$0] -= 1
            if counts[$0] == 0 { missing.append($0) }
        }
        let row = Array(repeating: 0, count: model.sizes.count)
        keptUntil = Array(repeating: row, count: trial.count)
        change = 0
    }

    /// How many tuples more are missing when the row gets these values; nil when it may not.
    ///
    /// - Parameter new: the row with these values, afterwards.
    private func delta(
        _ position: Int, _ values: [AxisValue], _ new: inout [Int], _ work: inout Int
    ) -> Int? {
        let old = trial[position]
        for one in values where old[one.axis] != one.value {
            if keptUntil[position][one.axis] > change { return nil }
        }
        for axis in old.indices { new[axis] = old[axis] }
        for one in values { new[one.axis] = one.value }
        for one in values where old[one.axis] != one.value {
            let named = exceptions[model.starts[one.axis] + one.value]
            work += named.count
            if named.contains(where: { $0.allSatisfy { new[$0.axis] == $0.value } }) { return nil }
        }
        var delta = 0
        // Each tuple is counted with the lowest of its changed axes.
        var skipped: UInt64 = 0
        for one in values where old[one.axis] != one.value {
            skipped |= 1 << UInt64(one.axis)
            table.forEach(in: old, new, with: one.axis, skipping: skipped) { before, after in
                if counts[before] == 1 { delta += 1 }
                if counts[after] == 0 { delta -= 1 }
            }
            work += table.strength == 3 ? old.count * old.count / 2 : old.count
        }
        return delta
    }

    private mutating func replace(_ position: Int, _ values: [AxisValue]) {
        for one in values where trial[position][one.axis] != one.value {
            table.forEach(in: trial[position], with: one.axis) {
                counts[$0] -= 1
                if counts[$0] == 0 { missing.append($0) }
            }
            trial[position][one.axis] = one.value
            table.forEach(in: trial[position], with: one.axis) { counts[$0] += 1 }
            keptUntil[position][one.axis] = change + 3 + change % 4
        }
        missing.removeAll { counts[$0] > 0 }
    }
}
