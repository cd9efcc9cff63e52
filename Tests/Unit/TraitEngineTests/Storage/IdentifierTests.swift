// Names: the short ones are identified by their hash alone, so two of those must never become one.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct IdentifierTests {
    private func with<R>(_ name: [UInt8], _ body: (UnsafeRawBufferPointer) -> R) -> R {
        name.withUnsafeBytes(body)
    }

    /// All different names: every length to 40, one byte changed at each place, and what padding
    /// could hide.
    private static let names: [[UInt8]] = {
        var names: [[UInt8]] = [[]]
        for length in 1...40 {
            let base = [UInt8](repeating: 0x61, count: length)
            names.append(base)
            for position in 0..<length {
                for byte in [0x62, 0x60, 0xE1, 0] as [UInt8] {
                    var other = base
                    other[position] = byte
                    names.append(other)
                }
            }
        }
        for length in 2...20 { names.append([UInt8](repeating: 0, count: length)) }
        for byte in 1...255 as ClosedRange<UInt8> where byte != 0x61 && byte != 0x62 {
            if byte != 0x60 && byte != 0xE1 { names.append([byte]) }
        }
        return names
    }()

    @Test("Names that differ in a byte, or in length, or in zeros at the end are different")
    func apart() {
        #expect(Set(Self.names).count == Self.names.count)
        for seed in 0..<4 as Range<UInt64> {
            var store = IdentifierStore(seed: seed)
            for (number, name) in Self.names.enumerated() {
                #expect(with(name) { store.find($0) { _ in true } } == nil)
                with(name) { store.insert($0, store.hash($0), at: Int32(number)) }
            }
            for (number, name) in Self.names.enumerated() {
                #expect(with(name) { store.find($0) { _ in true } } == Int32(number))
                #expect(store.withBytes(of: Int32(number)) { Array($0) } == name)
            }
            #expect(store.fault == nil && store.count == Self.names.count)
            for (number, name) in Self.names.enumerated().reversed() {
                store.remove(Int32(number))
                #expect(with(name) { store.find($0) { _ in true } } == nil)
            }
            #expect(store.count == 0)
        }
    }

    @Test("Names are removed in any order, short and long among each other")
    func removals() {
        var store = IdentifierStore(seed: 5)
        for (number, name) in Self.names.enumerated() {
            with(name) { store.insert($0, store.hash($0), at: Int32(number)) }
        }
        var random = SeededRandom(seed: 5)
        var numbers = (0..<Int32(Self.names.count)).shuffled(using: &random)
        while !numbers.isEmpty {
            let batch = Array(numbers.suffix(Int.random(in: 1...20, using: &random)))
            numbers.removeLast(batch.count)
            for number in batch { store.remove(number) }
            for number in batch {
                #expect(with(Self.names[Int(number)]) { store.find($0) { _ in true } } == nil)
            }
            #expect(store.count == numbers.count && store.fault == nil)
        }
    }

    @Test("Of two with one name the caller says which, and each can go")
    func homonyms() {
        for name in ["ab", "abcdefgh", "abcdefghi", "abcdefghijklmnop"].map({ Array($0.utf8) }) {
            var store = IdentifierStore(seed: 9)
            for number in 0..<3 as Range<Int32> {
                with(name) { store.insert($0, store.hash($0), at: number) }
            }
            for number in 0..<3 as Range<Int32> {
                #expect(with(name) { store.find($0) { $0 == number } } == number)
            }
            store.remove(1)
            #expect(with(name) { store.find($0) { $0 == 1 } } == nil)
            #expect(with(name) { store.find($0) { $0 == 2 } } == 2)
        }
    }

    @Test("A short name whose hash a long one has is found, and so is the long one")
    func equalHashes() {
        let key = IdentifierKey(seed: 1)
        let long = Array("a name of many bytes".utf8)
        let bits = with(long) { key.hash($0) }.bits
        // Turned round, the permutation says which word has that hash: one that may be no name.
        let word = Self.inverse(of: bits, seed: 1)
        #expect(key.permute(word) == bits)
        let short = withUnsafeBytes(of: word.littleEndian) { Array($0) }
        #expect(with(short) { key.hash($0) } == IdentifierHash(bits: bits, isUnique: true))
        var store = IdentifierStore(seed: 1)
        with(long) { store.insert($0, store.hash($0), at: 0) }
        #expect(with(short) { store.find($0) { _ in true } } == nil)
        with(short) { store.insert($0, store.hash($0), at: 1) }
        #expect(with(short) { store.find($0) { _ in true } } == 1)
        #expect(with(long) { store.find($0) { _ in true } } == 0)
        store.remove(0)
        #expect(with(short) { store.find($0) { _ in true } } == 1)
        #expect(with(long) { store.find($0) { _ in true } } == nil)
    }

    /// Undoes each step of `permute` by search of its inverse: halves for the shifts, Newton's
    /// iteration for the multipliers.
    private static func inverse(of bits: UInt64, seed: UInt64) -> UInt64 {
        func inverse(_ odd: UInt64) -> UInt64 {
            var guess = odd
            for _ in 0..<6 { guess &*= 2 &- odd &* guess }
            return guess
        }
        let key = IdentifierKey(seed: seed)
        var state = bits ^ (bits >> 32)
        state &*= inverse(key.second)
        state ^= state >> 32
        state &*= inverse(key.first)
        return state ^ key.seed
    }

    @Test("The hash depends on every byte, on the length and on the seed")
    func hashes() {
        for seed in 0..<3 as Range<UInt64> {
            let (key, other) = (IdentifierKey(seed: seed), IdentifierKey(seed: seed + 1))
            var seen: Set<UInt64> = []
            for name in Self.names {
                let hash = with(name) { key.hash($0) }
                #expect(seen.insert(hash.bits).inserted)
                #expect(hash.isUnique == (name.count <= 8 && name.last != 0))
                #expect(with(name) { other.hash($0) }.bits != hash.bits)
            }
        }
    }

    @Test("Names that count up fill an index evenly, whatever the seed")
    func even() {
        for seed in 0..<8 as Range<UInt64> {
            let key = IdentifierKey(seed: seed)
            var homes = [Int](repeating: 0, count: 1_024)
            for number in 0..<10_240 {
                let name = Array("n\(1_000_000 + number)".utf8)
                homes[Int(with(name) { key.hash($0) }.bits >> 54)] += 1
            }
            #expect((homes.max() ?? 0) < 35, "ten in each are expected")
            #expect(homes.count { $0 == 0 } < 5)
        }
    }
}
