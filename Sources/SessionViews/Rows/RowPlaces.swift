// The places of rows among their siblings. A table does not have them, since inserting one sibling would change many.

import TraitSessions

extension RowTable {
    /// O(children).
    func childCount(of row: Int) -> Int { siblings(from: row + 1, until: row + Int(sizes[row])) }

    /// How many siblings there are from a row on, until the end of those below their parent. O(answer).
    fileprivate func siblings(from row: Int, until end: Int) -> Int {
        sizes.withUnsafeBufferPointer { sizes in
            var (count, next) = (0, row)
            while next < end {
                next &+= Int(sizes[next])
                count &+= 1
            }
            return count
        }
    }
}

/// The places of rows that are asked for in tree order, and with every row the rows above it, as far as they come
/// behind the first. All answers together take O(rows + siblings of the rows above).
struct RowPlaces {
    private struct Parent {
        let level: Int32
        /// Behind the last row below it.
        let end: Int
        /// The last child asked for, or the first one, and its place from 1.
        var child: Int
        var position = 1
        /// How many children there are; nil before it is asked for.
        var setSize: Int?
    }

    private let table: RowTable
    /// The rows above the last one, from above all roots.
    private var parents: [Parent]
    private var hasBegun = false

    init(_ table: RowTable) {
        self.table = table
        parents = [Parent(level: 0, end: table.count, child: 0)]
    }

    mutating func next(_ row: Int) -> (position: Int, setSize: Int) {
        if !hasBegun {
            hasBegun = true
            for ancestor in table.ancestors(of: row).reversed() { enter(ancestor) }
        }
        let level = table.levels[row]
        while let last = parents.last, last.level >= level { parents.removeLast() }
        defer { enter(row) }
        guard var parent = parents.popLast() else { return (1, 1) }
        table.sizes.withUnsafeBufferPointer { sizes in
            while parent.child < row {
                parent.child &+= Int(sizes[parent.child])
                parent.position &+= 1
            }
        }
        let setSize =
            parent.setSize ?? parent.position - 1
            + table.siblings(from: parent.child, until: parent.end)
        parent.setSize = setSize
        parents.append(parent)
        return (parent.position, setSize)
    }

    private mutating func enter(_ row: Int) {
        parents.append(
            Parent(level: table.levels[row], end: row + Int(table.sizes[row]), child: row + 1))
    }
}
