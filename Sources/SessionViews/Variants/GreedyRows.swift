// Makes rows one after the other, each with as many tuples that no row has yet as a greedy choice finds.

import TraitSessions

/// The greedy part of a covering array (after AETG: D. Cohen et al., IEEE TSE 23(7), 1997). Each row is the best of
/// several candidates. A candidate begins with a tuple that no row has, and takes again and again the value that
/// adds the most such tuples.
struct GreedyRows: Sendable {
    private let model: VariantModel
    private var search: ExceptionSearch
    /// Odd for a tuple that is to be covered and that no row has, otherwise 0.
    private var table: TupleTable
    /// The tuples with no 0, and others that are taken out from time to time.
    private var open: [Int32] = []
    private var openCount = 0
    /// What the first pass has not counted yet.
    private var uncounted: (axes: [Int]?, next: Int)
    private(set) var rows: [[Int]] = []
    /// The most possible tuples that some axes have: no fewer rows can cover them.
    private(set) var rowsMin = 0
    private var blockCount = 0

    /// For each value, the open tuples that have it, and of these how many the partial row would complete.
    private var degrees: [Int]
    private var gains: [Int]
    private var row: [Int]
    private var candidate = 0
    private var best: (row: [Int], gain: Int) = ([], 0)
    private let candidates: Int
    /// Looks at a tuple, a value or a condition.
    private(set) var work = 0

    /// - Parameter table: has an odd number for each possible tuple, otherwise a 0.
    init(_ model: VariantModel, _ search: ExceptionSearch, _ table: TupleTable) {
        self.model = model
        self.search = search
        self.table = table
        let count = table.bytes.count
        // More candidates make 2 to 10 % fewer rows, at a cost that grows with the tuples.
        candidates = count > 1_000_000 ? 1 : count > 200_000 ? 3 : 10
        let isEmpty = table.strength > model.sizes.count
        uncounted = (isEmpty ? nil : Array(0..<table.strength), 0)
        degrees = Array(repeating: 0, count: model.starts[model.sizes.count])
        gains = degrees
        row = Array(repeating: -1, count: model.sizes.count)
    }

    /// Makes candidates until about `budget` units of work are done, and answers whether each tuple has a row.
    mutating func step(budget: Int) throws(VariantError) -> Bool {
        let end = work + budget
        while work < end {
            if let axes = uncounted.axes {
                count(axes, most: end - work)
            } else if openCount == 0 {
                return true
            } else {
                try makeCandidate()
            }
        }
        return uncounted.axes == nil && openCount == 0
    }

    private mutating func count(_ axes: [Int], most: Int) {
        let block = table.block(axes)
        let first = max(uncounted.next, block.lowerBound)
        let end = min(first + most / 4 + 1, block.upperBound)
        if first == block.lowerBound { blockCount = 0 }
        let before = open.count
        for tuple in first..<end where table.bytes[tuple] != 0 {
            open.append(Int32(tuple))
            var rest = tuple - block.lowerBound
            for axis in axes.reversed() {
                degrees[model.starts[axis] + rest % model.sizes[axis]] += 1
                rest /= model.sizes[axis]
            }
        }
        work += 4 * (end - first) + 4
        blockCount += open.count - before
        rowsMin = max(rowsMin, blockCount)
        openCount = open.count
        uncounted.next = end
        if end == block.upperBound {
            uncounted = (TupleTable.axes(after: axes, of: model.sizes.count), 0)
        }
    }

    /// Makes one candidate, and a row of the best one when there are enough.
    private mutating func makeCandidate() throws(VariantError) {
        var place = candidate * open.count / candidates
        while table.bytes[Int(open[place])] == 0 { place = (place + 1) % open.count }
        let before = search.work
        let gain = try fill(from: table.values(of: Int(open[place])))
        work += search.work - before
        if gain > best.gain { best = (row, gain) }
        candidate += 1
        if candidate >= min(candidates, openCount) {
            cover(best.row)
            rows.append(best.row)
            candidate = 0
            best = ([], 0)
        }
    }

    private mutating func cover(_ row: [Int]) {
        var covered: [Int] = []
        table.forEachWithAxes(in: row) { tuple, first, second, third in
            guard table.bytes[tuple] != 0 else { return }
            covered.append(tuple)
            degrees[model.starts[first] + row[first]] -= 1
            if second != first { degrees[model.starts[second] + row[second]] -= 1 }
            if third != second { degrees[model.starts[third] + row[third]] -= 1 }
        }
        for tuple in covered { table.bytes[tuple] = 0 }
        work += covered.count * 4
        openCount -= covered.count
        if openCount * 4 < open.count * 3 {
            work += open.count
            open.removeAll { table.bytes[Int($0)] == 0 }
        }
    }

    /// Fills `row` from a tuple, and answers how many open tuples it has.
    private mutating func fill(from seed: [AxisValue]) throws(VariantError) -> Int {
        for axis in row.indices { row[axis] = -1 }
        for value in gains.indices { gains[value] = 0 }
        let mark = search.mark
        defer { search.undo(to: mark) }
        // Sets the witness.
        guard try search.isPossible(seed) else { return 0 }
        for one in seed { take(one.axis, one.value) }
        var count = 1
        for _ in seed.count..<row.count {
            let one = try choose()
            count += gains[model.starts[one.axis] + one.value]
            take(one.axis, one.value)
        }
        return count
    }

    /// The value of an axis without one that adds the most open tuples.
    private mutating func choose() throws(VariantError) -> AxisValue {
        while true {
            var chosen = AxisValue(axis: 0, value: -1)
            var most = (gain: -1, degree: -1, order: 0)
            for axis in row.indices where row[axis] < 0 {
                work += model.sizes[axis]
                for value in 0..<model.sizes[axis] {
                    let number = model.starts[axis] + value
                    let gain = gains[number]
                    if gain < most.gain || search.isBlocked(axis, value) { continue }
                    let degree = degrees[number]
                    // Among equals another one in each candidate and row.
                    let salt = candidate &* 30_011 &+ rows.count &* 7_919
                    let order = (number &* 40_503 &+ salt) & 0xffff
                    if (gain, degree, order) > most {
                        most = (gain, degree, order)
                        chosen = AxisValue(axis: axis, value: value)
                    }
                }
            }
            if try search.canTake(chosen.axis, chosen.value) { return chosen }
            search.block(model.starts[chosen.axis] + chosen.value)
        }
    }

    /// Gives a value to an axis, and counts what each value of the others would add now.
    private mutating func take(_ axis: Int, _ value: Int) {
        if search.groupOfAxis[axis] != nil { search.assign(axis, value) }
        if table.strength == 2 {
            for other in row.indices where row[other] < 0 && other != axis {
                add(table.line(other, with: axis, value), other)
            }
        } else if table.strength == 3 {
            for second in row.indices where row[second] >= 0 {
                let (low, high) = (min(axis, second), max(axis, second))
                let lowValue = low == axis ? value : row[low]
                let highValue = high == axis ? value : row[high]
                for other in row.indices where row[other] < 0 && other != axis {
                    add(table.line(other, with: low, lowValue, high, highValue), other)
                }
            }
        }
        row[axis] = value
    }

    @inline(__always)
    private mutating func add(_ line: (first: Int, step: Int), _ axis: Int) {
        var tuple = line.first
        for number in model.starts[axis]..<model.starts[axis + 1] {
            gains[number] += Int(table.bytes[tuple] & 1)
            tuple += line.step
        }
        work += model.sizes[axis]
    }
}
