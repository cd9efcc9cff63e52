// Sets of rows of a tree, a bit a row: hits of a search, and the rows that are shown.

import TraitSessions

/// Rows count from 0 in tree order. A position in the set is how many of its rows come before.
package struct RowBits: Sendable, Equatable {
    private var words: ContiguousArray<UInt64>
    /// Rows of the tree.
    package let rowCount: Int

    /// A set without rows, or of all rows.
    package init(rowCount: Int, all: Bool = false) {
        self.rowCount = rowCount
        words = ContiguousArray(repeating: all ? .max : 0, count: (rowCount + 63) / 64)
        if all, rowCount % 64 != 0 { words[words.count - 1] = 1 << UInt64(rowCount % 64) - 1 }
    }

    /// Bytes that a set takes.
    package static func bytes(rowCount: Int) -> Int { (rowCount + 63) / 64 * 8 }

    package mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

    package func contains(_ row: Int) -> Bool {
        row >= 0 && row < rowCount && words[row >> 6] & 1 << UInt64(row & 63) != 0
    }

    package mutating func formIntersection(_ other: RowBits) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    // MARK: - Counting and finding, each O(rows / 64)

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// How many rows of the set come before a row.
    package func position(of row: Int) -> Int {
        let end = min(max(row, 0), rowCount)
        var count = 0
        for index in 0..<end >> 6 { count += words[index].nonzeroBitCount }
        if end & 63 != 0 {
            count += (words[end >> 6] & (1 << UInt64(end & 63) - 1)).nonzeroBitCount
        }
        return count
    }

    /// The row at a position; nil beyond the last one.
    package func row(at position: Int) -> Int? {
        guard position >= 0 else { return nil }
        var left = position
        for index in words.indices {
            let count = words[index].nonzeroBitCount
            if left >= count {
                left -= count
                continue
            }
            var word = words[index]
            for _ in 0..<left { word &= word &- 1 }
            return index << 6 + word.trailingZeroBitCount
        }
        return nil
    }

    /// The first row of the set that is `row` or comes after it.
    package func first(from row: Int) -> Int? {
        let start = max(row, 0)
        guard start < rowCount else { return nil }
        var index = start >> 6
        var word = words[index] & UInt64.max << UInt64(start & 63)
        while word == 0 {
            index += 1
            if index == words.count { return nil }
            word = words[index]
        }
        return index << 6 + word.trailingZeroBitCount
    }

    /// The last row of the set that comes before `row`.
    package func last(before row: Int) -> Int? {
        let end = min(row, rowCount)
        guard end > 0 else { return nil }
        var index = (end - 1) >> 6
        var word = words[index] & UInt64.max >> UInt64(63 - (end - 1) & 63)
        while word == 0 {
            if index == 0 { return nil }
            index -= 1
            word = words[index]
        }
        return index << 6 + 63 - word.leadingZeroBitCount
    }
}
