// Which rows of a tree are shown, and a window into them.

import TraitEngine
import TraitSessions

/// Which nodes are open, as a request says.
package struct RowOpening: Sendable {
    /// The lowest level, from 1, whose nodes are open; nil for all levels.
    package var levelMax: Int?
    package var opened: [NodeIndex] = []
    package var closed: [NodeIndex] = []

    package init() {}
}

/// The hits of a search.
package struct RowHits: Sendable {
    package let rows: RowBits
    /// The hits and the rows above them.
    let withAncestors: RowBits

    /// O(rows).
    package init(_ rows: RowBits, in table: RowTable) {
        self.rows = rows
        withAncestors = table.withAncestors(rows)
    }

    var bytes: Int { 2 * RowBits.bytes(rowCount: rows.rowCount) }
}

/// Where a window is.
package enum RowPlace: Sendable {
    case from(Int)
    /// Around a node.
    case around(NodeIndex)
}

/// A window to be found, step by step.
package struct RowView: Sendable {
    package let table: RowTable
    private let hits: RowHits?
    private let isFiltered: Bool
    private let place: RowPlace
    private let count: Int
    private let hitFrom: Int
    private let levelMax: Int
    // By node. Nil when no node is named.
    private let opened: RowBits?
    private let closed: RowBits?
    /// The rows that are shown, as far as `next`.
    private var shown: RowBits
    private var next = 0

    /// O(nodes / 64).
    ///
    /// - Parameters:
    ///   - isFiltered: shows only the hits and the rows above them, all of them open.
    ///   - hitFrom: the position from which on the next hit is looked for.
    package init(
        _ table: RowTable, _ opening: RowOpening, hits: RowHits?, isFiltered: Bool,
        place: RowPlace, count: Int, hitFrom: Int
    ) {
        self.table = table
        self.hits = hits
        self.isFiltered = isFiltered
        self.place = place
        self.count = count
        self.hitFrom = hitFrom
        levelMax = opening.levelMax ?? .max
        opened = Self.bits(opening.opened, table)
        closed = Self.bits(opening.closed, table)
        if isFiltered, let hits {
            shown = hits.withAncestors
            next = table.count
        } else if levelMax == .max, closed == nil {
            shown = RowBits(rowCount: table.count, all: true)
            next = table.count
        } else {
            shown = RowBits(rowCount: table.count)
        }
    }

    private static func bits(_ nodes: [NodeIndex], _ table: RowTable) -> RowBits? {
        if nodes.isEmpty { return nil }
        var bits = RowBits(rowCount: table.nodeEnd)
        for node in nodes where Int(node.rawValue) < table.nodeEnd {
            bits.insert(Int(node.rawValue))
        }
        return bits
    }

    /// Rows that one step passes: a part of a millisecond.
    private static let rowsPerStep = 262_144

    /// Does one step. Returns the window when it is found.
    package mutating func advance() -> RowWindow? {
        if next < table.count {
            pass()
            return nil
        }
        return window()
    }

    private mutating func pass() {
        var shown = shown
        self.shown = RowBits(rowCount: 0)
        var row = next
        let end = table.count
        var left = Self.rowsPerStep
        table.sizes.withUnsafeBufferPointer { sizes in
            while row < end, left > 0 {
                shown.insert(row)
                row &+= isOpen(row) ? 1 : Int(sizes[row])
                left &-= 1
            }
        }
        next = row
        self.shown = shown
    }

    /// Whether the rows below a row are shown when the row is. False for a row without any.
    private func isOpen(_ row: Int) -> Bool {
        if table.sizes[row] == 1 { return false }
        if isFiltered { return true }
        let node = Int(table.nodes[row])
        if let closed, closed.contains(node) { return false }
        return Int(table.levels[row]) <= levelMax || opened?.contains(node) ?? false
    }

    // MARK: - The window

    private func window() -> RowWindow {
        var window = RowWindow()
        window.total = shown.count
        switch place {
        case .from(let position): window.from = min(position, window.total)
        case .around(let node): find(node, &window)
        }
        if let hits { window.hits = summary(of: hits) }
        var places = RowPlaces(table)
        var row = shown.row(at: window.from)
        while let current = row, window.rows.count < count {
            let place = places.next(current)
            window.rows.append(
                RowWindow.Row(
                    node: NodeIndex(rawValue: table.nodes[current]),
                    level: Int(table.levels[current]), position: place.position,
                    setSize: place.setSize, children: table.childCount(of: current),
                    descendants: Int(table.sizes[current]) - 1, isOpen: isOpen(current),
                    isHit: hits?.rows.contains(current) ?? false))
            row = shown.first(from: current + 1)
        }
        return window
    }

    /// Puts the window around a node.
    private func find(_ node: NodeIndex, _ window: inout RowWindow) {
        guard let row = table.row(of: node) else { return }
        var position = shown.position(of: row)
        if shown.contains(row) {
            window.row = position
        } else {
            position = max(0, position - 1)
            if !isFiltered {
                window.hidden = table.ancestors(of: row).lazy.filter { !isOpen($0) }
                    .prefix(RowWindow.hiddenMax).map { NodeIndex(rawValue: table.nodes[$0]) }
            }
        }
        window.from = max(0, min(position - count / 2, window.total - count))
    }

    private func summary(of hits: RowHits) -> RowWindow.Hits {
        var summary = RowWindow.Hits(total: hits.rows.count)
        var reachable = hits.rows
        reachable.formIntersection(shown)
        let from = shown.row(at: hitFrom) ?? table.count
        let next = reachable.first(from: from) ?? reachable.first(from: 0)
        let previous = reachable.last(before: from) ?? reachable.last(before: table.count)
        summary.next = next.map(shown.position)
        summary.previous = previous.map(shown.position)
        return summary
    }
}

/// A window: some rows with their places in the whole tree.
package struct RowWindow: Sendable {
    /// Names of closed rows above a node that an answer lists.
    static let hiddenMax = 1_000

    package struct Row: Sendable {
        package let node: NodeIndex
        /// From 1.
        package let level: Int
        /// Among its siblings, from 1, and how many these are.
        package let position: Int, setSize: Int
        package let children: Int
        package let descendants: Int
        package let isOpen: Bool
        package let isHit: Bool
    }

    package struct Hits: Sendable {
        package let total: Int
        package var previous: Int?
        package var next: Int?
    }

    /// How many rows are shown.
    package var total = 0
    /// The position of the first row of the window.
    package var from = 0
    /// The position of the node that the window is around; nil when the node is not shown.
    package var row: Int?
    package var rows: [Row] = []
    package var hits: Hits?
    /// The closed nodes above that node, nearest first.
    package var hidden: [NodeIndex] = []
}
