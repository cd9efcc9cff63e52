// Sets of rows, exhaustively at the edges of words.

import SessionViews
import Testing
import TraitSessions

@Suite("Sets of rows")
struct RowBitsTests {
    private static let sizes = [0, 1, 2, 63, 64, 65, 127, 128, 129, 200]

    @Test("Each question has the answer of a sorted list", arguments: sizes)
    func questions(size: Int) {
        for step in [1, 2, 3, 63, 64, 65] {
            var bits = RowBits(rowCount: size)
            let rows = Array(stride(from: step - 1, to: size, by: step))
            for row in rows { bits.insert(row) }
            #expect(bits.count == rows.count)
            for row in -1...size + 1 {
                #expect(bits.contains(row) == rows.contains(row))
                #expect(bits.position(of: row) == rows.filter { $0 < row }.count)
                #expect(bits.row(at: row) == (rows.indices.contains(row) ? rows[row] : nil))
                #expect(bits.first(from: row) == rows.first { $0 >= row })
                #expect(bits.last(before: row) == rows.last { $0 < row })
            }
        }
    }

    @Test("A set of all rows has each of them, and no row beyond", arguments: sizes)
    func all(size: Int) {
        let bits = RowBits(rowCount: size, all: true)
        #expect(bits.count == size)
        #expect(bits.last(before: .max) == (size == 0 ? nil : size - 1))
        var other = RowBits(rowCount: size)
        for row in 0..<size { other.insert(row) }
        #expect(bits == other)
        other.formIntersection(RowBits(rowCount: size))
        #expect(other.count == 0)
    }
}
