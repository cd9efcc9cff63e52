// Counts what rows cover, from the rows alone: no line here is shared with the code that makes the rows.

import TraitSessions

/// Counts the different tuples of `strength` values in some rows, and the rows with an exception, in slices.
struct Coverage: Sendable {
    private let rows: [[Int]]
    private let model: VariantModel
    private let strength: Int
    /// Sets of axes as bits, in the order of their numbers.
    private var axes: UInt64?
    private var nextRow = 0
    /// For each tuple of some axes, in which round a row had it last. At most `TupleTable.countMax` of them.
    private var seen: [Int32] = []
    private var round: Int32 = 0

    /// Different tuples of the rows.
    private(set) var covered = 0
    /// Rows that contain an exception, have another number of values than there are axes, or a value out of range.
    private(set) var invalidRows = 0

    init(of rows: [[Int]], _ model: VariantModel, strength: Int) {
        self.rows = rows
        self.model = model
        self.strength = strength
        axes = strength <= model.sizes.count && strength > 0 ? (1 << UInt64(strength)) - 1 : nil
    }

    /// Looks at about `budget` values, and answers whether all are counted.
    ///
    /// - Complexity: of all steps together, O(rows · sets of axes) on average.
    mutating func step(budget: Int) -> Bool {
        var left = budget
        while left > 0, nextRow < rows.count {
            let row = rows[nextRow]
            let isValid =
                row.count == model.sizes.count
                && zip(row, model.sizes).allSatisfy { $0 >= 0 && $0 < $1 }
                && !model.exceptions.contains { $0.allSatisfy { row[$0.axis] == $0.value } }
            if !isValid { invalidRows += 1 }
            left -= row.count + model.exceptions.count + 1
            nextRow += 1
        }
        guard nextRow == rows.count, invalidRows == 0 else { return nextRow == rows.count }
        while left > 0, let some = axes {
            round += 1
            for row in rows {
                var (tuple, rest) = (0, some)
                while rest != 0 {
                    let axis = rest.trailingZeroBitCount
                    tuple = tuple * model.sizes[axis] + row[axis]
                    rest &= rest - 1
                }
                while seen.count <= tuple { seen.append(0) }
                if seen[tuple] != round { covered += 1 }
                seen[tuple] = round
            }
            left -= rows.count + 1
            axes = Self.set(after: some, of: model.sizes.count)
        }
        return axes == nil
    }

    /// The next number with as many ones, nil when it has more than `count` bits.
    private static func set(after axes: UInt64, of count: Int) -> UInt64? {
        let low = axes & (0 &- axes)
        let (carried, isOver) = axes.addingReportingOverflow(low)
        if isOver { return nil }
        let next = carried | ((axes ^ carried) / low) >> 2
        return count < 64 && next >> UInt64(count) != 0 ? nil : next
    }
}
