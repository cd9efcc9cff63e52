// Sets of traits against Set<Int>, on both sides of the inline word's end.

import SeededRandom
import Testing
import TraitEngine

@Suite struct TraitSetTests {
    static func set(_ raws: [Int]) -> TraitSet {
        TraitSet(raws.map { TraitIndex(rawValue: UInt16($0)) })
    }

    static func raws(_ set: TraitSet) -> [Int] { set.map { Int($0.rawValue) } }

    @Test("The empty set has nothing in it")
    func empty() {
        let set = TraitSet()
        #expect(set.isEmpty && set.first == nil && set.count == 0 && Array(set).isEmpty)
        #expect(set.folded == 0 && set.wordCount == 1 && set.word(at: 7) == 0)
    }

    @Test("Traits come out in index order", arguments: [[0], [63], [64], [65_535], [700, 3, 64]])
    func order(raws: [Int]) {
        let set = Self.set(raws)
        #expect(Self.raws(set) == raws.sorted())
        #expect(set.first?.rawValue == raws.min().map(UInt16.init))
    }

    @Test("A set that grew and shrank equals one that never did")
    func trimming() {
        var set = Self.set([1, 64, 640])
        #expect(set.wordCount == 11)
        let wasThere = set.remove(TraitIndex(rawValue: 640))
        let isStillThere = set.remove(TraitIndex(rawValue: 640))
        #expect(wasThere && !isStillThere)
        #expect(set == Self.set([1, 64]) && set.wordCount == 2)
        set.subtract(Self.set([64, 200]))
        #expect(set == Self.set([1]) && set.hashValue == Self.set([1]).hashValue)
        set = Self.set([1, 900]).intersection(Self.set([1, 901]))
        #expect(set == Self.set([1]) && set.wordCount == 1)
    }

    @Test("Folding keeps sets apart only when they are disjoint modulo 64")
    func folding() {
        #expect(Self.set([1, 65, 130]).folded == 0b110)
        #expect(Self.set([1]).word(at: 0) == 2 && Self.set([65]).word(at: 1) == 2)
    }

    @Test("Every operation agrees with Set", arguments: [64, 66, 200, 1_000])
    func agreesWithSet(range: Int) {
        var random = SeededRandom(seed: UInt64(range))
        for _ in 0..<300 {
            let left = Set((0..<random.below(12)).map { _ in random.below(range) })
            let right = Set((0..<random.below(12)).map { _ in random.below(range) })
            let a = Self.set(Array(left))
            let b = Self.set(Array(right))
            #expect(Self.raws(a.union(b)) == left.union(right).sorted())
            #expect(Self.raws(a.intersection(b)) == left.intersection(right).sorted())
            #expect(Self.raws(a.subtracting(b)) == left.subtracting(right).sorted())
            #expect(a.intersects(b) == !left.isDisjoint(with: right))
            #expect(a.isDisjoint(with: b) == left.isDisjoint(with: right))
            #expect(a.isSubset(of: b) == left.isSubset(of: right))
            #expect(a.isSuperset(of: a.intersection(b)))
            #expect((a == b) == (left == right) && a.count == left.count)
            for raw in left {
                #expect(a.contains(TraitIndex(rawValue: UInt16(raw))))
                #expect(b.contains(TraitIndex(rawValue: UInt16(raw))) == right.contains(raw))
            }
        }
    }
}
