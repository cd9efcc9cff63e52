// Takes out the tuples that no row without an exception has, before rows are made.

import TraitSessions

/// Decides each tuple exactly, in slices.
///
/// A tuple is impossible when a smaller one within it is, or when its axes are all in one group of the exceptions
/// and a search finds no row. A row that a search finds shows its other tuples to be possible, too.
struct PossibleTuples: Sendable {
    private static let impossible: UInt8 = 0
    private static let possible: UInt8 = 1
    private static let proven: UInt8 = 3

    private let model: VariantModel
    let strength: Int
    var search: ExceptionSearch
    /// Of single values, pairs and triples, as far as they are decided. 0 for an impossible tuple, otherwise 1 or 3.
    private(set) var tables: [TupleTable] = []
    private var axes: [Int]?
    private var next = 0
    private(set) var impossibleCount = 0

    init(_ model: VariantModel, _ search: ExceptionSearch, strength: Int) throws(VariantError) {
        self.model = model
        self.search = search
        self.strength = strength
        try begin(search.groups.isEmpty ? strength : 1)
    }

    var isDone: Bool { tables.last?.strength == strength && axes == nil }

    private mutating func begin(_ size: Int) throws(VariantError) {
        let byte = search.hasRows ? Self.possible : Self.impossible
        tables.append(try TupleTable(model.sizes, strength: size, filledWith: byte))
        axes = search.groups.isEmpty || !search.hasRows ? nil : Array(0..<size)
        next = 0
        if !search.hasRows { impossibleCount = tables[tables.count - 1].bytes.count }
    }

    /// Decides tuples until about `budget` units of work are done, and answers whether all are decided.
    mutating func step(budget: Int) throws(VariantError) -> Bool {
        let end = search.work + budget
        while search.work < end, !isDone {
            guard let some = axes else {
                try begin(tables.count + 1)
                continue
            }
            let level = tables.count - 1
            let block = tables[level].block(some)
            let groups = some.map { search.groupOfAxis[$0] }
            let isOneGroup = groups.allSatisfy { $0 != nil && $0 == groups[0] }
            if next == 0 { next = block.lowerBound }
            if !groups.contains(where: { $0 != nil }) { next = block.upperBound }
            while next < block.upperBound, search.work < end {
                if tables[level].bytes[next] != Self.proven {
                    try decide(tables[level].values(of: next, some), isOneGroup)
                }
                search.work += 1
                next += 1
            }
            if next == block.upperBound {
                search.work += 1
                axes = TupleTable.axes(after: some, of: model.sizes.count)
                next = 0
            }
        }
        return isDone
    }

    private mutating func decide(_ values: [AxisValue], _ isOneGroup: Bool) throws(VariantError) {
        let level = tables.count - 1
        var isPossible = true
        if level > 0 {
            for place in values.indices where isPossible {
                var smaller = values
                smaller.remove(at: place)
                let table = tables[level - 1]
                isPossible = table.bytes[table.index(of: smaller)] != Self.impossible
            }
        }
        if isPossible, isOneGroup {
            isPossible = try search.isPossible(values)
            if isPossible { prove(values) }
        }
        if !isPossible {
            tables[level].bytes[next] = Self.impossible
            if level + 1 == strength { impossibleCount += 1 }
        }
    }

    /// Marks the tuples that the witness has in the group of these values.
    private mutating func prove(_ values: [AxisValue]) {
        guard let group = search.groupOfAxis[values[0].axis] else { return }
        let axes = search.groups[group]
        var places: [Int]? = Array(0..<values.count)
        while let some = places {
            let tuple = some.map { AxisValue(axis: axes[$0], value: search.witness[axes[$0]]) }
            tables[tables.count - 1].bytes[tables[tables.count - 1].index(of: tuple)] = Self.proven
            places = TupleTable.axes(after: some, of: axes.count)
        }
        search.work += axes.count
    }

    /// The tuples of `strength`: 0 for an impossible one.
    consuming func wanted() -> TupleTable { tables[tables.count - 1] }
}
