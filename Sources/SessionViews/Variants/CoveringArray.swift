// The rows that stand for the combinations of some axes: all of them, or a covering array.

import TraitSessions

/// Makes rows in slices: `step` until it answers true, then `rows` and `counts` are there. To stop early is to call it
/// no more. The rows of a model are the same on every machine and in every run.
///
///     var array = try CoveringArray(model, strength: 2)
///     while try !array.step(budget: 20_000) {}
///
/// A covering array of strength 2 (3) has every pair (triple) of values of different axes that a row without an
/// exception can have. First the impossible tuples are found exactly, then rows are made greedily, then a bounded
/// search makes them fewer, and at last other code counts what the rows cover.
package struct CoveringArray: Sendable {
    package static let rowsMax = 20_000
    /// About 10 s.
    package static let workMax = 1_000_000_000
    /// About 3 ms.
    package static let shrinkingWork = 200_000

    package struct Counts: Hashable, Sendable {
        /// The rows of the full product without an exception. Nil when they are more than `Int.max`, or when the
        /// exceptions depend on one another so much that they are not counted; `VariantModel.productSize` is more.
        package let combinations: Int?
        /// Values a tuple: the strength, but not more than there are axes. 0 for the full product.
        package let tupleSize: Int
        /// Tuples of values of different axes.
        package let all: Int
        /// Tuples that no row without an exception has.
        package let impossible: Int
        /// Tuples that the rows have, counted by `Coverage`. Equal to `all - impossible`.
        package let covered: Int
    }

    /// Without those that are still to be made.
    package private(set) var rows: [[Int]] = []
    /// Nil before the end.
    package private(set) var counts: Counts?

    private let model: VariantModel
    private let rowsMax: Int
    private let workMax: Int
    private let shrinkingWork: Int
    private var work = 0
    private let tupleSize: Int
    private let combinations: Int?
    private var all = 0
    private var impossible = 0
    private var wanted: TupleTable?
    /// At most one of them is there.
    private var product: FullProduct?
    private var possible: PossibleTuples?
    private var greedy: GreedyRows?
    private var shrunk: ShrunkRows?
    private var coverage: Coverage?

    /// - Parameters:
    ///   - strength: 2 or 3; 0 for the full product. One axis has all its values with any strength, and two axes have
    ///     all their pairs with strength 3.
    ///   - rowsMax: more rows are an error.
    ///   - workMax: more work is an error.
    ///   - shrinkingWork: units of work for making the rows fewer, or half of the work that made them if that is more.
    /// - Complexity: O(tuples) bytes, and a bounded search for each group of axes that exceptions connect: 1 ms.
    /// - Throws: `unknownStrength`, `tooManyTuples`, `tooMuchWork`, and `tooManyRows` when a full product that could
    ///   be counted has more than `rowsMax` rows.
    package init(
        _ model: VariantModel, strength: Int, rowsMax: Int = Self.rowsMax,
        workMax: Int = Self.workMax, shrinkingWork: Int = Self.shrinkingWork
    ) throws(VariantError) {
        guard strength == 0 || strength == 2 || strength == 3 else {
            throw .unknownStrength(strength)
        }
        self.model = model
        self.rowsMax = rowsMax
        self.workMax = workMax
        self.shrinkingWork = shrinkingWork
        tupleSize = min(strength, model.sizes.count)
        var search = try ExceptionSearch(model)
        combinations = search.countRows()
        if tupleSize == 0 {
            if let combinations, combinations > rowsMax {
                throw .tooManyRows(atLeast: combinations, max: rowsMax)
            }
            product = FullProduct(model, search)
        } else {
            possible = try PossibleTuples(model, search, strength: tupleSize)
        }
    }

    /// Does about `budget` units of work, and answers whether the rows are complete. A unit is a look at a tuple, a
    /// value or a condition, 5 to 25 ns. One step does some 500,000 units more than `budget` at most, for a row of
    /// triples of 64 axes or a hard search; a row of 20 axes is 2,000 units.
    ///
    /// - Throws: `tooManyRows`, `tooMuchWork`, `incomplete`.
    package mutating func step(budget: Int) throws(VariantError) -> Bool {
        guard counts == nil else { return true }
        guard work <= workMax else { throw .tooMuchWork(max: workMax) }
        if product != nil {
            try stepProduct(budget)
        } else if possible != nil {
            try stepPossible(budget)
        } else if greedy != nil {
            try stepGreedy(budget)
        } else if shrunk != nil {
            let isDone = shrunk?.step(budget: budget) ?? true
            if isDone {
                rows = shrunk?.rows ?? rows
                shrunk = nil
                check()
            }
        } else {
            try stepCoverage(budget)
        }
        work += budget
        return counts != nil
    }

    private mutating func stepProduct(_ budget: Int) throws(VariantError) {
        let end = (product?.work ?? 0) + budget
        while let done = product?.work, done < end {
            guard let row = try product?.next() else {
                product = nil
                return check()
            }
            try allow(rows.count + 1)
            rows.append(row)
        }
    }

    private mutating func stepPossible(_ budget: Int) throws(VariantError) {
        guard try possible?.step(budget: budget) ?? true, let found = possible else { return }
        possible = nil
        let table = found.wanted()
        all = table.bytes.count
        impossible = found.impossibleCount
        wanted = table
        greedy = GreedyRows(model, found.search, table)
    }

    private mutating func stepGreedy(_ budget: Int) throws(VariantError) {
        let isDone = try greedy?.step(budget: budget) ?? true
        try allow(max(greedy?.rows.count ?? 0, greedy?.rowsMin ?? 0))
        guard isDone, let made = greedy, let table = wanted else { return }
        (greedy, wanted) = (nil, nil)
        rows = made.rows
        let tuplesOfARow = (0..<tupleSize).reduce(1) { $0 * (model.sizes.count - $1) / ($1 + 1) }
        if rows.count * tuplesOfARow <= ShrunkRows.tuplesMax {
            shrunk = ShrunkRows(
                model, rows, table, rowsMin: made.rowsMin,
                workMax: max(shrinkingWork, made.work / 2))
        } else {
            check()
        }
    }

    private mutating func check() {
        coverage = Coverage(of: rows, model, strength: tupleSize)
    }

    private mutating func stepCoverage(_ budget: Int) throws(VariantError) {
        guard coverage?.step(budget: budget) ?? true, let found = coverage else { return }
        guard found.invalidRows == 0, found.covered == all - impossible else {
            throw .incomplete(covered: found.covered, expected: all - impossible)
        }
        counts = Counts(
            combinations: combinations, tupleSize: tupleSize, all: all, impossible: impossible,
            covered: found.covered)
        coverage = nil
    }

    private func allow(_ count: Int) throws(VariantError) {
        if count > rowsMax { throw .tooManyRows(atLeast: count, max: rowsMax) }
    }
}
