// Covering arrays and full products against a count by brute force over all combinations.

import Foundation
import SeededRandom
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Covering arrays")
struct CoveringArrayTests {
    // MARK: Random models

    @Test(
        "Rows have every tuple that a combination without an exception has, and no exception",
        arguments: 1...50 as ClosedRange<UInt64>)
    func everyTuple(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for number in 0..<10 {
            let model = try randomModel(&random)
            let strength = 2 + random.below(2)
            let name: Comment = "seed \(seed), model \(number), \(model.sizes), \(model.exceptions)"
            let array = try complete(model, strength: strength, shrinkingWork: 1_000)
            let counts = try #require(array.counts, name)
            let all = combinations(model.sizes)
            let valid = all.filter { !isExcepted($0, model) }
            #expect(Set(array.rows).isSubset(of: valid), name)
            let possible = tuples(of: valid, counts.tupleSize)
            #expect(tuples(of: array.rows, counts.tupleSize) == possible, name)
            #expect(counts.tupleSize == min(strength, model.sizes.count), name)
            #expect(counts.combinations == valid.count, name)
            #expect(counts.all == tuples(of: all, counts.tupleSize).count, name)
            #expect(counts.impossible == counts.all - possible.count, name)
            #expect(counts.covered == possible.count, name)

            // Written in another way: a list is joined to itself forwards and backwards in turn.
            let product = try complete(model, strength: 0)
            #expect(product.rows == all.filter { !isExcepted($0, model) }, name)
            #expect(product.counts?.combinations == valid.count, name)
        }
    }

    private func randomModel(_ random: inout SeededRandom) throws -> VariantModel {
        let sizes = (0..<1 + random.below(6)).map { _ in 1 + random.below(4) }
        var exceptions: [[AxisValue]] = []
        for _ in 0..<(random.chance(30) ? 0 : random.below(9)) {
            var axes = Array(sizes.indices).shuffled(using: &random)
            axes.removeLast(random.below(axes.count))
            exceptions.append(
                axes.prefix(3).map { AxisValue(axis: $0, value: random.below(sizes[$0])) })
        }
        return try VariantModel(sizes: sizes, exceptions: exceptions)
    }

    /// All combinations in reflected Gray order.
    private func combinations(_ sizes: [Int]) -> [[Int]] {
        var rows: [[Int]] = [[]]
        for size in sizes {
            rows = rows.enumerated().flatMap { position, row in
                let values = position % 2 == 0 ? Array(0..<size) : (0..<size).reversed()
                return values.map { row + [$0] }
            }
        }
        return rows
    }

    private func isExcepted(_ row: [Int], _ model: VariantModel) -> Bool {
        model.exceptions.contains { $0.allSatisfy { row[$0.axis] == $0.value } }
    }

    private func tuples(of rows: [[Int]], _ size: Int) -> Set<[Int]> {
        var found: Set<[Int]> = []
        for row in rows {
            for first in row.indices {
                if size == 1 { found.insert([first, row[first]]) }
                for second in row.indices where second > first && size > 1 {
                    if size == 2 { found.insert([first, row[first], second, row[second]]) }
                    for third in row.indices where third > second && size > 2 {
                        found.insert([first, row[first], second, row[second], third, row[third]])
                    }
                }
            }
        }
        return found
    }

    private func complete(
        _ model: VariantModel, strength: Int, budget: Int = 10_000,
        shrinkingWork: Int = CoveringArray.shrinkingWork
    ) throws -> CoveringArray {
        var array = try CoveringArray(model, strength: strength, shrinkingWork: shrinkingWork)
        while try !array.step(budget: budget) {}
        return array
    }

    // MARK: Known models

    private struct Fixture: Decodable {
        struct Model: Decodable {
            let name: String
            let strength: Int
            let sizes: [Int]
            let exceptions: [[[Int]]]
            let covertable: Int
        }
        let models: [Model]
    }

    private func fixture() throws -> [Fixture.Model] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "../Support/Fixtures/variants/models.json")
        return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file)).models
    }

    private func model(_ fixture: Fixture.Model) throws -> VariantModel {
        try VariantModel(
            sizes: fixture.sizes,
            exceptions: fixture.exceptions.map { exception in
                exception.map { AxisValue(axis: $0[0], value: $0[1]) }
            })
    }

    // Numbers of covertable 3.2.0. The large models take long without optimization.
    @Test("There are at most 1.1 times as many rows as covertable makes")
    func fewRows() throws {
        let models = try fixture().filter { $0.sizes.reduce(0, +) <= 40 }
        #expect(models.count >= 30)
        for one in models {
            let array = try complete(
                model(one), strength: one.strength, shrinkingWork: 10_000)
            #expect(array.rows.count * 10 <= one.covertable * 11, "\(one.name)")
        }
    }

    @Test("The matrix of seastar's pull request 3614 has the four pairs that its generator lost")
    func seastar() throws {
        let matrix = try #require(fixture().first { $0.name == "seastar" })
        let array = try complete(model(matrix), strength: 2)
        // compiler, standard, mode, architecture, reactor backend
        let lost = [((0, 0), (2, 1)), ((0, 1), (2, 0)), ((0, 3), (4, 0)), ((2, 0), (4, 1))]
        for (first, second) in lost {
            #expect(
                array.rows.contains { $0[first.0] == first.1 && $0[second.0] == second.1 },
                "\(first) with \(second)")
        }
        #expect(array.counts?.impossible == 4)
        #expect(array.counts?.covered == 73)
        #expect(array.counts?.combinations == 96)
    }

    @Test("Rows are the same in slices of any length", arguments: [1, 7, 1_000_000])
    func slices(budget: Int) throws {
        let model = try VariantModel(
            sizes: [4, 3, 3, 2, 5],
            exceptions: [
                [AxisValue(axis: 0, value: 1), AxisValue(axis: 1, value: 2)],
                [AxisValue(axis: 1, value: 0), AxisValue(axis: 3, value: 1)],
            ])
        for strength in [0, 2, 3] {
            let whole = try complete(model, strength: strength, shrinkingWork: 1_000)
            let sliced = try complete(
                model, strength: strength, budget: budget, shrinkingWork: 1_000)
            #expect(sliced.rows == whole.rows)
            #expect(sliced.counts == whole.counts)
        }
    }

    @Test("A full product changes one axis by one from row to row, also without keeping rows")
    func grayOrder() throws {
        var product = try FullProduct(VariantModel(sizes: [3, 1, 2, 4]))
        var last = try #require(try product.next())
        var count = 1
        while let row = try product.next() {
            #expect(zip(last, row).reduce(0) { $0 + abs($1.0 - $1.1) } == 1)
            last = row
            count += 1
        }
        #expect(count == 24)
        #expect(try product.next() == nil)
    }

    // MARK: Edges

    private func exceptions(_ pairs: [[(Int, Int)]]) -> [[AxisValue]] {
        pairs.map { $0.map { AxisValue(axis: $0.0, value: $0.1) } }
    }

    @Test("No axis makes one empty row; an axis without values makes none", arguments: [0, 2, 3])
    func empty(strength: Int) throws {
        #expect(try complete(VariantModel(sizes: []), strength: strength).rows == [[]])
        for sizes in [[0], [3, 0], [0, 2, 2, 2]] {
            let array = try complete(VariantModel(sizes: sizes), strength: strength)
            #expect(array.rows.isEmpty)
            #expect(array.counts?.combinations == 0)
            #expect(array.counts?.covered == 0)
            #expect(array.counts?.impossible == array.counts?.all)
        }
    }

    @Test("One axis has all its values, and axes of one value make one row", arguments: [0, 2, 3])
    func single(strength: Int) throws {
        let one = try complete(VariantModel(sizes: [3]), strength: strength)
        #expect(one.rows.sorted { $0[0] < $1[0] } == [[0], [1], [2]])
        let ones = try complete(VariantModel(sizes: [1, 1, 1, 1]), strength: strength)
        #expect(ones.rows == [[0, 0, 0, 0]])
        let spared = try VariantModel(sizes: [3], exceptions: exceptions([[(0, 1)]]))
        #expect(try complete(spared, strength: strength).rows.count == 2)
    }

    @Test(
        "Exceptions that leave nothing, at once or together, leave no row", arguments: [0, 2, 3])
    func nothingLeft(strength: Int) throws {
        let contradictions: [[[(Int, Int)]]] = [
            [[]],
            [[(0, 0)], [(0, 1)]],
            [[(0, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 1), (1, 0)], [(0, 1), (1, 1)]],
            [[(0, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 1), (2, 0)], [(0, 1), (2, 1)]],
        ]
        for pairs in contradictions {
            let model = try VariantModel(sizes: [2, 2, 2], exceptions: exceptions(pairs))
            let array = try complete(model, strength: strength)
            #expect(array.rows.isEmpty, "\(pairs)")
            #expect(array.counts?.combinations == 0)
            #expect(array.counts?.impossible == array.counts?.all)
        }
    }

    @Test("Exceptions together rule out a value that none of them rules out")
    func implied() throws {
        let model = try VariantModel(
            sizes: [3, 2, 4], exceptions: exceptions([[(0, 1), (1, 0)], [(0, 1), (1, 1)]]))
        let array = try complete(model, strength: 2)
        #expect(!array.rows.contains { $0[0] == 1 })
        // Value 1 of axis 0 with 2 + 4 values.
        #expect(array.counts?.impossible == 6)
        #expect(array.counts?.combinations == 16)
    }

    @Test("An exception that names two values of an axis rules nothing out; a value twice is one")
    func repeated() throws {
        let never = try VariantModel(sizes: [2, 2], exceptions: exceptions([[(0, 0), (0, 1)]]))
        #expect(try complete(never, strength: 0).rows.count == 4)
        let twice = try VariantModel(sizes: [2, 2], exceptions: exceptions([[(1, 0), (1, 0)]]))
        #expect(try complete(twice, strength: 0).rows == [[0, 1], [1, 1]])
    }

    @Test("What is out of bounds is refused")
    func refusals() throws {
        for (axis, value) in [(2, 0), (-1, 0), (0, 3), (0, -1)] {
            let unknown = AxisValue(axis: axis, value: value)
            #expect(throws: VariantError.unknownValue(exception: 0, unknown)) {
                try VariantModel(sizes: [3, 3], exceptions: exceptions([[(axis, value)]]))
            }
        }
        #expect(throws: VariantError.tooManyAxes(count: 65, max: 64)) {
            try VariantModel(sizes: Array(repeating: 1, count: 65))
        }
        #expect(throws: VariantError.tooManyValues(max: 100_000)) {
            try VariantModel(sizes: [Int.max, Int.max])
        }
        #expect(throws: VariantError.unknownStrength(1)) {
            try CoveringArray(VariantModel(sizes: [2]), strength: 1)
        }
        #expect(throws: VariantError.tooManyTuples(max: 4_000_000)) {
            try CoveringArray(VariantModel(sizes: [33_000, 33_000, 33_000]), strength: 3)
        }
        #expect(throws: VariantError.tooManyRows(atLeast: 20_001, max: 20_000)) {
            try CoveringArray(VariantModel(sizes: [3, 6_667]), strength: 0)
        }
        #expect(throws: VariantError.tooManyRows(atLeast: 40, max: 39)) {
            var array = try CoveringArray(
                VariantModel(sizes: [5, 8, 2]), strength: 2, rowsMax: 39)
            while try !array.step(budget: 1_000) {}
        }
    }

    @Test("64 axes have more combinations than can be counted, and all their pairs")
    func largest() throws {
        let model = try VariantModel(sizes: Array(repeating: 2, count: 64))
        #expect(model.productSize == Int.max)
        var array = try CoveringArray(model, strength: 2, shrinkingWork: 1_000)
        // Half of the work that made the rows goes into shrinking, which takes long without optimization.
        while try !array.step(budget: 100_000) {}
        #expect(array.counts?.combinations == nil)
        #expect(array.counts?.covered == 64 * 63 / 2 * 4)
        #expect(array.rows.count < 15)
    }

    @Test("A search that does not end is given up, and so is too much work in all")
    func boundOfWork() throws {
        // Nine axes that may not share one of eight values.
        var pairs: [[(Int, Int)]] = []
        for axis in 0..<9 {
            for other in 0..<axis { pairs += (0..<8).map { [(axis, $0), (other, $0)] } }
        }
        let pigeons = try VariantModel(
            sizes: Array(repeating: 8, count: 9), exceptions: exceptions(pairs))
        #expect(throws: VariantError.tooMuchWork(max: ExceptionSearch.workMax)) {
            try CoveringArray(pigeons, strength: 2)
        }
        #expect(throws: VariantError.tooMuchWork(max: 500)) {
            var array = try CoveringArray(
                VariantModel(sizes: Array(repeating: 5, count: 8)), strength: 2, workMax: 500)
            while try !array.step(budget: 100) {}
        }
    }

    @Test("The second count finds a tuple that is missing, and a row with an exception")
    func secondCount() throws {
        let model = try VariantModel(sizes: [3, 3, 3], exceptions: exceptions([[(0, 0), (1, 0)]]))
        let array = try complete(model, strength: 2)
        func count(_ rows: [[Int]]) -> Coverage {
            var coverage = Coverage(of: rows, model, strength: 2)
            while !coverage.step(budget: 3) {}
            return coverage
        }
        #expect(count(array.rows).covered == 26)
        #expect(count(array.rows).invalidRows == 0)
        // The last two axes have nine pairs.
        #expect(count(Array(array.rows.prefix(8))).covered < 26)
        for row in [[0, 0, 2], [1, 1], [1, 1, 3], [-1, 1, 1]] {
            #expect(count(array.rows + [row]).invalidRows == 1, "\(row)")
        }
    }
}
