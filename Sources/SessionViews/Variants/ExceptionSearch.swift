// Finds out exactly whether a partial row can be completed without an exception. Exceptions imply others: x1 with
// y1 and x1 with y2 rule out x1 when y has two values.

import TraitSessions

/// A partial row, the values that it rules out, and a bounded search for the rest of the row.
///
/// Axes fall into groups: two axes that an exception names are in one group. A value of one group never rules out a
/// value of another one, so a search visits the axes of one group only.
struct ExceptionSearch: Sendable {
    /// The most work of one search, in conditions looked at: 2 to 3 ms.
    static let workMax = 400_000

    private let model: VariantModel
    /// The exceptions that name an axis, with the value that each names.
    private let occurrences: [[(exception: Int, value: Int)]]
    private let axisOfValue: [Int]
    /// The group of each axis; nil when no exception names the axis.
    let groupOfAxis: [Int?]
    /// The axes of each group, ascending.
    let groups: [[Int]]

    /// The partial row. -1 stands for no value yet.
    private(set) var row: [Int]
    /// Values of each exception that the row has, and that it has otherwise.
    private var matches: [Int]
    private var refutations: [Int]
    /// How often each value is ruled out, and how many values of each axis are not.
    private var blocks: [Int]
    private var allowed: [Int]
    /// How often each axis was left without a value. Such an axis is tried first.
    private var failures: [Int]
    /// What to undo: an axis that got a value, or ~value for a value that was ruled out.
    private var trail: [Int] = []
    /// A full row without an exception that continues `row`, by the last searches.
    private(set) var witness: [Int]
    /// The value that the next search tries first, so that one search finds another row than the one before.
    private var rotation = 0
    var work = 0

    /// False when every row has an exception.
    private(set) var hasRows = true

    /// - Complexity: a search for each group.
    init(_ model: VariantModel) throws(VariantError) {
        self.model = model
        var occurrences = [[(exception: Int, value: Int)]](repeating: [], count: model.sizes.count)
        var group = Array(model.sizes.indices)
        for (position, exception) in model.exceptions.enumerated() {
            for one in exception {
                occurrences[one.axis].append((position, one.value))
                let (old, new) = (group[one.axis], group[exception[0].axis])
                for axis in group.indices where group[axis] == old { group[axis] = new }
            }
        }
        self.occurrences = occurrences
        var numbers = [Int?](repeating: nil, count: group.count)
        var groups: [[Int]] = []
        for axis in group.indices where !occurrences[axis].isEmpty {
            if numbers[group[axis]] == nil {
                numbers[group[axis]] = groups.count
                groups.append([])
            }
            groups[numbers[group[axis]] ?? 0].append(axis)
        }
        groupOfAxis = group.indices.map { occurrences[$0].isEmpty ? nil : numbers[group[$0]] }
        self.groups = groups
        axisOfValue = model.sizes.enumerated().flatMap { Array(repeating: $0, count: $1) }
        row = Array(repeating: -1, count: model.sizes.count)
        witness = Array(repeating: 0, count: model.sizes.count)
        matches = Array(repeating: 0, count: model.exceptions.count)
        refutations = matches
        blocks = Array(repeating: 0, count: axisOfValue.count)
        allowed = model.sizes
        failures = row
        hasRows = !model.sizes.contains(0)
        for exception in model.exceptions where exception.count < 2 {
            hasRows = !exception.isEmpty && block(number(exception[0])) && hasRows
        }
        trail = []
        for group in groups where hasRows { hasRows = try completes(group) }
    }

    private func number(_ one: AxisValue) -> Int { model.starts[one.axis] + one.value }

    // MARK: The partial row

    /// To give to `undo` later.
    var mark: Int { trail.count }

    /// Whether the partial row rules the value out. A value that is not ruled out may still lead nowhere.
    func isBlocked(_ axis: Int, _ value: Int) -> Bool { blocks[model.starts[axis] + value] > 0 }

    /// Rules a value out until `undo`. False when the axis has no value left.
    @discardableResult
    mutating func block(_ number: Int) -> Bool {
        blocks[number] += 1
        trail.append(~number)
        let axis = axisOfValue[number]
        if blocks[number] == 1 { allowed[axis] -= 1 }
        if allowed[axis] == 0 { failures[axis] += 1 }
        return allowed[axis] > 0
    }

    /// Gives a value to an axis that has none yet. False when an exception is complete or an axis has no value
    /// left; `undo` is due in any case.
    ///
    /// - Complexity: O(exceptions that name the axis).
    @discardableResult
    mutating func assign(_ axis: Int, _ value: Int) -> Bool {
        row[axis] = value
        trail.append(axis)
        work += occurrences[axis].count + 1
        for (exception, excepted) in occurrences[axis] {
            if excepted == value { matches[exception] += 1 } else { refutations[exception] += 1 }
        }
        var isPossible = true
        for (exception, excepted) in occurrences[axis]
        where excepted == value && refutations[exception] == 0 {
            let ones = model.exceptions[exception]
            if matches[exception] == ones.count {
                isPossible = false
            } else if matches[exception] == ones.count - 1,
                let last = ones.first(where: { row[$0.axis] < 0 })
            {
                isPossible = block(number(last)) && isPossible
            }
        }
        return isPossible
    }

    mutating func undo(to mark: Int) {
        while trail.count > mark {
            let change = trail.removeLast()
            if change < 0 {
                blocks[~change] -= 1
                if blocks[~change] == 0 { allowed[axisOfValue[~change]] += 1 }
                continue
            }
            for (exception, excepted) in occurrences[change] {
                if excepted == row[change] {
                    matches[exception] -= 1
                } else {
                    refutations[exception] -= 1
                }
            }
            row[change] = -1
        }
    }

    // MARK: The search

    /// Whether a row without an exception has these values beside those of the partial row. If so, `witness` is one
    /// in the axes of their groups.
    mutating func isPossible(_ values: [AxisValue]) throws(VariantError) -> Bool {
        let mark = mark
        defer { undo(to: mark) }
        for one in values {
            if isBlocked(one.axis, one.value) || !assign(one.axis, one.value) { return false }
        }
        var last: Int?
        for one in values where groupOfAxis[one.axis] != last {
            last = groupOfAxis[one.axis]
            if let last, try !completes(groups[last]) { return false }
        }
        return true
    }

    /// Whether the value continues the partial row. A search is made only when the witness has another value.
    mutating func canTake(_ axis: Int, _ value: Int) throws(VariantError) -> Bool {
        guard groupOfAxis[axis] != nil else { return true }
        if witness[axis] == value { return true }
        return try isPossible([AxisValue(axis: axis, value: value)])
    }

    /// Whether the group has values that continue the partial row; then they are in the witness.
    private mutating func completes(_ group: [Int]) throws(VariantError) -> Bool {
        let mark = mark
        defer { undo(to: mark) }
        rotation += 1
        return try complete(group, workMax: work + Self.workMax)
    }

    /// Gives a value to the axis with the fewest values left, and so on; goes back where none is left.
    private mutating func complete(_ group: [Int], workMax: Int) throws(VariantError) -> Bool {
        guard work <= workMax else { throw .tooMuchWork(max: Self.workMax) }
        work += group.count
        var chosen: Int?
        for axis in group where row[axis] < 0 {
            guard let other = chosen else {
                chosen = axis
                continue
            }
            if (allowed[axis], failures[other]) < (allowed[other], failures[axis]) { chosen = axis }
        }
        guard let chosen else {
            for axis in group { witness[axis] = row[axis] }
            return true
        }
        let size = model.sizes[chosen]
        for step in 0..<size {
            let value = (step + rotation) % size
            if isBlocked(chosen, value) { continue }
            let mark = mark
            if assign(chosen, value), try complete(group, workMax: workMax) { return true }
            undo(to: mark)
        }
        return false
    }

    // MARK: Counting

    /// The number of rows without an exception; nil when it is over `Int.max`, or when counting is given up after
    /// `workMax` units of work.
    mutating func countRows() -> Int? {
        guard hasRows else { return 0 }
        var count = 1
        for (axis, size) in model.sizes.enumerated() where groupOfAxis[axis] == nil {
            guard let product = Self.product(count, size) else { return nil }
            count = product
        }
        let workMax = work + Self.workMax
        for group in groups {
            guard let rows = countRows(of: group[...], workMax: workMax),
                let product = Self.product(count, rows)
            else { return nil }
            count = product
        }
        return count
    }

    private static func product(_ first: Int, _ second: Int) -> Int? {
        let (product, isTooLarge) = first.multipliedReportingOverflow(by: second)
        return isTooLarge ? nil : product
    }

    private mutating func countRows(of axes: ArraySlice<Int>, workMax: Int) -> Int? {
        guard work <= workMax else { return nil }
        guard let axis = axes.first else { return 1 }
        if axes.allSatisfy({ isSettled($0) }) {
            return axes.reduce(1) { count, axis in
                count.flatMap { Self.product($0, allowed[axis]) }
            }
        }
        var count = 0
        for value in 0..<model.sizes[axis] where !isBlocked(axis, value) {
            let mark = mark
            let isPossible = assign(axis, value)
            let rows = isPossible ? countRows(of: axes.dropFirst(), workMax: workMax) : 0
            undo(to: mark)
            guard let rows else { return nil }
            let (sum, isTooLarge) = count.addingReportingOverflow(rows)
            if isTooLarge { return nil }
            count = sum
        }
        return count
    }

    /// Whether each exception that names the axis is refuted or rules out its last value already.
    private mutating func isSettled(_ axis: Int) -> Bool {
        work += occurrences[axis].count
        return occurrences[axis].allSatisfy { one in
            refutations[one.exception] > 0
                || matches[one.exception] + 1 >= model.exceptions[one.exception].count
        }
    }
}
