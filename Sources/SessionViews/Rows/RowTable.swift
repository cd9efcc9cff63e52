// The trait tree as three lists in tree order, so that a window into a million rows is a pass over numbers that lie
// side by side. The engine links siblings and keeps no numbers, as these would cost each move.
//
//   row      0     1     2     3          a
//   node     a     b     c     d        ┌─┴─┐
//   level    1     2     3     2        b   d
//   size     4     2     1     1        c
//
// What is below a row are the `size - 1` rows behind it.

import Ledger
import TraitEngine
import TraitJSON
import TraitSessions

/// The rows of one order of the nodes. Immutable: shared by all that read it.
package final class RowTable: Sendable {
    /// `HierarchyVersions.order` of the hierarchy that it was made from.
    package let order: UInt64
    package let nodes: ContiguousArray<Int32>
    /// From 1, at the roots.
    package let levels: ContiguousArray<Int32>
    /// The row itself and all rows below it.
    package let sizes: ContiguousArray<Int32>
    /// Behind the largest node.
    let nodeEnd: Int
    private let reservation: MemoryReservation

    fileprivate init(_ builder: consuming RowTableBuilder) {
        order = builder.order
        nodes = builder.nodes
        levels = builder.levels
        sizes = builder.sizes
        nodeEnd = Int(nodes.max() ?? -1) + 1
        reservation = builder.reservation
    }

    package var count: Int { nodes.count }

    /// Bytes of a table with so many rows.
    package static func bytes(rowCount: Int) -> Int { rowCount * 12 }

    package var bytes: Int { Self.bytes(rowCount: count) }

    /// The row of a node. O(rows).
    func row(of node: NodeIndex) -> Int? { nodes.firstIndex(of: node.rawValue) }

    /// The rows above a row, nearest first. O(rows before it).
    func ancestors(of row: Int) -> [Int] {
        var ancestors: [Int] = []
        levels.withUnsafeBufferPointer { levels in
            var level = levels[row]
            var current = row
            while level > 1 {
                current -= 1
                if levels[current] < level {
                    level = levels[current]
                    ancestors.append(current)
                }
            }
        }
        return ancestors
    }

    /// The rows of a set and those above them. O(rows).
    func withAncestors(_ set: RowBits) -> RowBits {
        var all = RowBits(rowCount: count)
        sizes.withUnsafeBufferPointer { sizes in
            var next = Int.max
            for row in stride(from: sizes.count - 1, through: 0, by: -1) {
                if set.contains(row) { next = row }
                if next < row &+ Int(sizes[row]) { all.insert(row) }
            }
        }
        return all
    }
}

/// Makes a table, some nodes at a time.
package struct RowTableBuilder: Sendable {
    fileprivate let order: UInt64
    fileprivate let reservation: MemoryReservation
    fileprivate var nodes = ContiguousArray<Int32>()
    fileprivate var levels = ContiguousArray<Int32>()
    fileprivate var sizes = ContiguousArray<Int32>()
    /// The rows above the next one, from the root.
    private var path: [Int] = []

    /// - Parameter hierarchy: does not change until the table is complete.
    /// - Throws: `outOfMemory`.
    package init(_ hierarchy: Hierarchy, _ memory: MemoryLedger) throws(SessionError) {
        order = hierarchy.versions.order
        let count = hierarchy.nodeCount
        reservation = try memory.reserving(RowTable.bytes(rowCount: count))
        nodes.reserveCapacity(count)
        levels.reserveCapacity(count)
        sizes.reserveCapacity(count)
    }

    /// Visits so many nodes more. Returns the table when that were all.
    package mutating func advance(in hierarchy: Hierarchy, visitsMax: Int) -> RowTable? {
        var last = nodes.last.map { NodeIndex(rawValue: $0) }
        let hasMore = hierarchy.visit(after: &last, atMost: visitsMax) { node, level in
            leave(to: level)
            path.append(nodes.count)
            nodes.append(node.rawValue)
            levels.append(Int32(truncatingIfNeeded: level + 1))
            sizes.append(1)
        }
        if hasMore { return nil }
        leave(to: 0)
        reservation.settle()
        return RowTable(self)
    }

    /// The next row is at that level, from 0: the rows of the path at and below the level are complete.
    private mutating func leave(to level: Int) {
        while path.count > level {
            let row = path.removeLast()
            sizes[row] = Int32(truncatingIfNeeded: nodes.count - row)
        }
    }
}
