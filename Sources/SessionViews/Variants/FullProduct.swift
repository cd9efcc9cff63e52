// All combinations of values, one after the other.

import TraitSessions

/// The rows without an exception, in reflected Gray order: without exceptions, each row differs from the one before
/// in one axis by one value. The last axis changes most often. Exceptions leave rows out and move no others.
package struct FullProduct: Sendable {
    private let model: VariantModel
    private var search: ExceptionSearch
    private var row: [Int]
    /// How many values of each axis the row before had already, and where the axis began.
    private var tried: [Int]
    private var marks: [Int]
    /// Whether an axis counts down. It turns for each combination of the axes before it, also for one left out.
    private var isReversed: [Bool]
    /// Axes that have a value. -1 after the last row.
    private var depth = 0
    private(set) var work = 0

    /// - Complexity: a search for each group of axes that exceptions connect.
    /// - Throws: `tooMuchWork`.
    package init(_ model: VariantModel) throws(VariantError) {
        self.init(model, try ExceptionSearch(model))
    }

    init(_ model: VariantModel, _ search: ExceptionSearch) {
        self.model = model
        self.search = search
        let count = model.sizes.count
        row = Array(repeating: 0, count: count)
        tried = Array(repeating: 0, count: count + 1)
        marks = Array(repeating: 0, count: count + 1)
        isReversed = Array(repeating: false, count: count + 1)
        if !search.hasRows { depth = -1 }
    }

    /// The next row; nil after the last one.
    ///
    /// - Complexity: O(axes), amortized O(1) without exceptions. An axis of an exception costs a search for a value
    ///   that the search before did not find; no value is taken that leads to no row.
    /// - Throws: `tooMuchWork`.
    package mutating func next() throws(VariantError) -> [Int]? {
        while depth >= 0 {
            if depth == row.count {
                depth -= 1
                return row
            }
            work += 1
            search.undo(to: marks[depth])
            guard tried[depth] < model.sizes[depth] else {
                depth -= 1
                continue
            }
            let place = tried[depth]
            let value = isReversed[depth] ? model.sizes[depth] - 1 - place : place
            tried[depth] += 1
            if search.isBlocked(depth, value) { continue }
            if search.groupOfAxis[depth] != nil {
                let before = search.work
                let isPossible = try search.canTake(depth, value)
                work += search.work - before
                guard isPossible else { continue }
                search.assign(depth, value)
            }
            row[depth] = value
            isReversed[depth + 1] =
                (isReversed[depth] && model.sizes[depth] % 2 == 1) != (place % 2 == 1)
            depth += 1
            tried[depth] = 0
            marks[depth] = search.mark
        }
        return nil
    }
}
