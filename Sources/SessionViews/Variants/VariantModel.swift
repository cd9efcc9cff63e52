// The combinations of values that a covering array or a full product is made from.

import TraitSessions

/// One value of one axis, both counted from 0.
package struct AxisValue: Hashable, Sendable {
    package let axis: Int
    package let value: Int

    package init(axis: Int, value: Int) {
        self.axis = axis
        self.value = value
    }
}

/// Axes with a number of values each, and exceptions: combinations of values that no row may contain.
///
/// A row has one value of each axis. Without axes there is one row, which is empty.
package struct VariantModel: Sendable {
    package static let axesMax = 64
    /// Values of all axes together.
    package static let valuesMax = 100_000

    /// The number of values of each axis.
    package let sizes: [Int]
    /// Each is sorted by axis and names an axis once. An exception that names two values of an axis matches no
    /// row and is left out.
    package let exceptions: [[AxisValue]]
    /// Values are numbered through: value v of axis a has the number `starts[a] + v`.
    let starts: [Int]

    /// - Complexity: O(values + size of the exceptions).
    /// - Throws: `tooManyAxes`, `tooManyValues`, or `unknownValue` for an exception that names an axis or a value
    ///   that there is not.
    package init(sizes: [Int], exceptions: [[AxisValue]] = []) throws(VariantError) {
        guard sizes.count <= Self.axesMax else {
            throw .tooManyAxes(count: sizes.count, max: Self.axesMax)
        }
        var starts = [0]
        for size in sizes {
            let (sum, isTooLong) = starts[starts.count - 1].addingReportingOverflow(max(size, 0))
            guard !isTooLong, sum <= Self.valuesMax else {
                throw .tooManyValues(max: Self.valuesMax)
            }
            starts.append(sum)
        }
        var kept: [[AxisValue]] = []
        for (position, exception) in exceptions.enumerated() {
            var sorted: [AxisValue] = []
            for one in exception.sorted(by: { ($0.axis, $0.value) < ($1.axis, $1.value) })
            where one != sorted.last {
                guard sizes.indices.contains(one.axis), one.value >= 0, one.value < sizes[one.axis]
                else { throw .unknownValue(exception: position, one) }
                sorted.append(one)
            }
            if zip(sorted, sorted.dropFirst()).allSatisfy({ $0.axis != $1.axis }) {
                kept.append(sorted)
            }
        }
        self.sizes = sizes.map { max($0, 0) }
        self.exceptions = kept
        self.starts = starts
    }

    /// The size of the full product with the excepted rows, `Int.max` where it is larger.
    package var productSize: Int {
        if sizes.contains(0) { return 0 }
        return sizes.reduce(1) { product, size in
            let (next, isTooLarge) = product.multipliedReportingOverflow(by: size)
            return isTooLarge ? Int.max : next
        }
    }
}

/// Why there are no rows.
package enum VariantError: Error, Hashable, Sendable {
    case tooManyAxes(count: Int, max: Int)
    case tooManyValues(max: Int)
    /// - Parameter exception: the position of the exception.
    case unknownValue(exception: Int, AxisValue)
    /// Strengths are 0, 2 and 3.
    case unknownStrength(Int)
    /// The tuples to cover are more than `max`. A lower strength has fewer.
    case tooManyTuples(max: Int)
    /// - Parameter atLeast: rows that are needed at least; exact for a full product that could be counted.
    case tooManyRows(atLeast: Int, max: Int)
    /// The exceptions depend on one another so much that a search was given up after `max` units of work.
    case tooMuchWork(max: Int)
    /// The rows lack tuples, or contain an exception: a fault of the algorithm, found by the second count.
    case incomplete(covered: Int, expected: Int)
}
