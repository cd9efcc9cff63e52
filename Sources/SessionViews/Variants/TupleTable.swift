// The pairs or triples of values that rows have to cover, as one array of bytes.

import TraitSessions

/// All tuples of `strength` values of different axes, 1 …< 4, with a byte each.
struct TupleTable: Sendable {
    /// Tuples at most: a byte each.
    static let countMax = 4_000_000

    let strength: Int
    let sizes: [Int]
    /// Where the tuples of some axes begin, by `rank`. One more at the end.
    private let offsets: [Int]
    /// What is known of each tuple.
    var bytes: [UInt8]

    /// - Complexity: O(tuples).
    /// - Throws: `tooManyTuples`.
    init(_ sizes: [Int], strength: Int, filledWith byte: UInt8) throws(VariantError) {
        self.sizes = sizes
        self.strength = strength
        // At most 100,000³ and 41,664 times 4,000,000: no overflow.
        var offsets = [0]
        for last in sizes.indices {
            guard strength > 1 else {
                offsets.append(offsets[last] + sizes[last])
                continue
            }
            for second in 0..<last {
                let pairs = sizes[second] * sizes[last]
                for first in 0..<(strength == 2 ? 1 : second) {
                    let count = strength == 2 ? pairs : pairs * sizes[first]
                    offsets.append(offsets[offsets.count - 1] + count)
                    if offsets[offsets.count - 1] > Self.countMax {
                        throw .tooManyTuples(max: Self.countMax)
                    }
                }
            }
        }
        self.offsets = offsets
        bytes = Array(repeating: byte, count: offsets[offsets.count - 1])
    }

    /// The next axes in the order of `rank`: by the last axis, then by the one before.
    static func axes(after axes: [Int], of count: Int) -> [Int]? {
        var next = axes
        for place in axes.indices {
            if axes[place] + 1 < (place + 1 < axes.count ? axes[place + 1] : count) {
                next[place] += 1
                for lower in 0..<place { next[lower] = lower }
                return next
            }
        }
        return nil
    }

    /// How many sets of `count` axes there are below an axis.
    private static func choose(_ axis: Int, _ count: Int) -> Int {
        switch count {
        case 1: axis
        case 2: axis * (axis - 1) / 2
        default: axis * (axis - 1) * (axis - 2) / 6
        }
    }

    /// The position of ascending axes among all.
    private static func rank(_ axis: Int) -> Int { axis }
    private static func rank(_ first: Int, _ second: Int) -> Int { choose(second, 2) + first }
    private static func rank(_ first: Int, _ second: Int, _ third: Int) -> Int {
        choose(third, 3) + choose(second, 2) + first
    }

    /// The tuples of some axes, in the order of their values.
    func block(_ axes: [Int]) -> Range<Int> {
        let rank =
            switch axes.count {
            case 1: Self.rank(axes[0])
            case 2: Self.rank(axes[0], axes[1])
            default: Self.rank(axes[0], axes[1], axes[2])
            }
        return offsets[rank]..<offsets[rank + 1]
    }

    /// The tuple of these values; the axes ascend.
    @inline(__always)
    func index(_ first: Int, _ second: Int, _ row: borrowing [Int]) -> Int {
        offsets[Self.rank(first, second)] + row[first] * sizes[second] + row[second]
    }

    @inline(__always)
    func index(_ first: Int, _ second: Int, _ third: Int, _ row: borrowing [Int]) -> Int {
        offsets[Self.rank(first, second, third)]
            + (row[first] * sizes[second] + row[second]) * sizes[third] + row[third]
    }

    /// The values of a tuple.
    ///
    /// - Complexity: O(log tuples).
    func values(of tuple: Int) -> [AxisValue] {
        var (low, high) = (0, offsets.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle + 1] <= tuple { low = middle + 1 } else { high = middle }
        }
        var (rank, axes, last) = (low, [Int](), sizes.count)
        for place in stride(from: strength, to: 0, by: -1) {
            last = (0..<last).last { Self.choose($0, place) <= rank } ?? 0
            rank -= Self.choose(last, place)
            axes.append(last)
        }
        return values(of: tuple, axes.reversed())
    }

    /// The values of a tuple of these axes.
    func values(of tuple: Int, _ axes: [Int]) -> [AxisValue] {
        var rest = tuple - block(axes).lowerBound
        var values: [AxisValue] = []
        for axis in axes.reversed() {
            values.append(AxisValue(axis: axis, value: rest % sizes[axis]))
            rest /= sizes[axis]
        }
        return values.reversed()
    }

    /// The tuple of these values; the axes ascend.
    func index(of values: [AxisValue]) -> Int {
        var index = 0
        for one in values { index = index * sizes[one.axis] + one.value }
        return block(values.map(\.axis)).lowerBound + index
    }

    /// The tuples of an axis without a value and of values that the row has: the first of them, and the distance
    /// between one value of the axis and the next.
    @inline(__always)
    func line(_ axis: Int, with other: Int, _ value: Int) -> (first: Int, step: Int) {
        axis < other
            ? (offsets[Self.rank(axis, other)] + value, sizes[other])
            : (offsets[Self.rank(other, axis)] + value * sizes[axis], 1)
    }

    /// As the other one, of two values; `first` < `second`.
    @inline(__always)
    func line(
        _ axis: Int, with first: Int, _ firstValue: Int, _ second: Int, _ secondValue: Int
    ) -> (first: Int, step: Int) {
        if axis > second {
            let start = offsets[Self.rank(first, second, axis)]
            return (start + (firstValue * sizes[second] + secondValue) * sizes[axis], 1)
        }
        if axis > first {
            let start = offsets[Self.rank(first, axis, second)]
            return (start + firstValue * sizes[axis] * sizes[second] + secondValue, sizes[second])
        }
        let start = offsets[Self.rank(axis, first, second)]
        return (start + firstValue * sizes[second] + secondValue, sizes[first] * sizes[second])
    }

    /// Visits the tuples of a full row.
    @inline(__always)
    func forEach(in row: [Int], _ body: (Int) -> Void) {
        forEachWithAxes(in: row) { tuple, _, _, _ in body(tuple) }
    }

    /// Visits the tuples of a full row with their axes. A smaller tuple has its last axis more than once.
    @inline(__always)
    func forEachWithAxes(in row: [Int], _ body: (Int, Int, Int, Int) -> Void) {
        if strength == 1 {
            for axis in row.indices { body(offsets[axis] + row[axis], axis, axis, axis) }
        } else if strength == 2 {
            for second in row.indices {
                for first in 0..<second { body(index(first, second, row), first, second, second) }
            }
        } else {
            for third in row.indices {
                for second in 0..<third {
                    for first in 0..<second {
                        body(index(first, second, third, row), first, second, third)
                    }
                }
            }
        }
    }

    /// Visits the tuples of two full rows that have `axis` and none of the skipped axes, which are bits.
    @inline(__always)
    func forEach(
        in old: [Int], _ new: [Int], with axis: Int, skipping skipped: UInt64,
        _ body: (_ old: Int, _ new: Int) -> Void
    ) {
        func isSkipped(_ other: Int) -> Bool { skipped & (1 << UInt64(other)) != 0 }
        if strength == 1 {
            body(offsets[axis] + old[axis], offsets[axis] + new[axis])
        } else if strength == 2 {
            for other in old.indices where !isSkipped(other) {
                let (first, second) = (min(axis, other), max(axis, other))
                body(index(first, second, old), index(first, second, new))
            }
        } else {
            for high in old.indices where !isSkipped(high) {
                for low in 0..<high where !isSkipped(low) {
                    let first = min(axis, low)
                    let third = max(axis, high)
                    let second = axis + low + high - first - third
                    body(index(first, second, third, old), index(first, second, third, new))
                }
            }
        }
    }

    /// Visits the tuples of a full row that have this axis.
    @inline(__always)
    func forEach(in row: [Int], with axis: Int, _ body: (Int) -> Void) {
        if strength == 1 {
            body(offsets[axis] + row[axis])
        } else if strength == 2 {
            for other in row.indices where other != axis {
                body(index(min(axis, other), max(axis, other), row))
            }
        } else {
            for second in row.indices where second != axis {
                for first in 0..<second where first != axis {
                    if axis > second {
                        body(index(first, second, axis, row))
                    } else if axis > first {
                        body(index(first, axis, second, row))
                    } else {
                        body(index(axis, first, second, row))
                    }
                }
            }
        }
    }
}
