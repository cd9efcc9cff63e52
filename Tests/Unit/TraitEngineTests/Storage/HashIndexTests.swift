// The index below the names: two tables at times, counts of passing entries, gaps that later entries close.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct HashIndexTests {
    /// What is in an index, as a dictionary knows it.
    private struct Model {
        var hashes: [Int32: UInt64] = [:]

        func check(_ index: borrowing HashIndex, _ place: SourceLocation = #_sourceLocation) {
            #expect(index.count == hashes.count, sourceLocation: place)
            #expect(index.fault == nil, sourceLocation: place)
            for (number, hash) in hashes {
                #expect(index.find(hash) { $0 == number } == number, sourceLocation: place)
            }
        }
    }

    @Test("Agrees with a dictionary while it grows, moves and shrinks")
    func grows() {
        var index = HashIndex()
        var model = Model()
        var random = SeededRandom(seed: 11)
        var moved = 0
        for step in 0..<60_000 {
            let grows = step < 30_000
            let number = Int32(step)
            if grows || model.hashes.isEmpty {
                // Few high bits, so that many share a home; some are equal.
                let hash = UInt64.random(in: 0..<50_000, using: &random) << 48
                index.insert(hash, number)
                model.hashes[number] = hash
            }
            if !grows || step.isMultiple(of: 3), let (key, hash) = model.hashes.first {
                index.remove(hash, key)
                model.hashes[key] = nil
            }
            if index.isMoving { moved += 1 }
            if step.isMultiple(of: 997) { model.check(index) }
        }
        #expect(moved > 1_000, "the test is about moving")
        #expect(index.find(5) { _ in true } == nil)
    }

    @Test("A search ends though every bucket was passed")
    func passedEverywhere() {
        var index = HashIndex()
        var model = Model()
        var number: Int32 = 0
        // Four buckets. Each home gets one entry more than it has room for, which goes on to the
        // next bucket; there the others make way for those that live there.
        var residents: [[Int32]] = []
        for home in 0..<4 as Range<UInt64> {
            let hash = home << 62
            let made = (0..<(home == 0 ? 6 : 5)).map { _ in
                number += 1
                index.insert(hash, number)
                model.hashes[number] = hash
                return number
            }
            if let last = residents.last {
                for resident in last {
                    index.remove(model.hashes[resident] ?? 0, resident)
                    model.hashes[resident] = nil
                }
            }
            residents.append(made.dropLast())
        }
        model.check(index)
        for home in 0..<4 as Range<UInt64> {
            #expect(index.find(home << 62 | 1) { _ in true } == nil)
        }
    }

    @Test(
        "Entries that passed others, across the end too, are found until they go, in any order",
        arguments: 0..<40 as Range<UInt64>)
    func wraps(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var index = HashIndex()
        var model = Model()
        // Homes in the last bucket and the first, so many that they lie in each other's way.
        let homes: [UInt64] = [.max, .max - 1, .max << 40, 0, 1]
        for number in 0..<16 as Range<Int32> {
            let hash = homes.randomElement(using: &random) ?? 0
            index.insert(hash, number)
            model.hashes[number] = hash
        }
        model.check(index)
        for number in model.hashes.keys.shuffled(using: &random) {
            index.remove(model.hashes.removeValue(forKey: number) ?? 0, number)
            model.check(index)
            if Bool.random(using: &random) {
                index.insert(.max, number + 100)
                model.hashes[number + 100] = .max
                model.check(index)
            }
        }
    }

    @Test(
        "Removing while entries move finds them in either table",
        arguments: 0..<8 as Range<UInt64>)
    func removesWhileMoving(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var index = HashIndex()
        var model = Model()
        var number: Int32 = 0
        var removedWhileMoving = 0
        // From one growth to the next the table is never at rest.
        for _ in 0..<6 {
            repeat {
                // All homes within the table's last eighth: nearly every entry passes another one.
                let hash = UInt64.random(in: .max - .max / 8...UInt64.max, using: &random)
                index.insert(hash, number)
                model.hashes[number] = hash
                number += 1
            } while !index.isMoving
            while index.isMoving, let (key, hash) = model.hashes.randomElement(using: &random) {
                index.remove(hash, key)
                model.hashes[key] = nil
                removedWhileMoving += 1
                if removedWhileMoving.isMultiple(of: 3) { model.check(index) }
            }
            model.check(index)
            while model.hashes.count < Int(number) / 2 {
                let hash = random.next()
                index.insert(hash, number)
                model.hashes[number] = hash
                number += 1
            }
        }
        #expect(removedWhileMoving > 0)
    }

    @Test("References of 31 bits are kept, and equal hashes stay apart")
    func references() {
        var index = HashIndex()
        let references: [Int32] = [0, 1, .max - 1, .max, -2]
        for reference in references { index.insert(7, reference) }
        for reference in references { #expect(index.find(7) { $0 == reference } == reference) }
        var seen: [Int32] = []
        _ = index.find(7) {
            seen.append($0)
            return false
        }
        #expect(Set(seen) == Set(references), "each is asked about, none twice")
        #expect(seen.count == references.count)
        index.remove(7, .max)
        #expect(index.find(7) { $0 == .max } == nil && index.find(7) { $0 == -2 } == -2)
    }
}
