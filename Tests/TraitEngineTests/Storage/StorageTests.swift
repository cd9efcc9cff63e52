// The parts below the hierarchy, each against the plainest model there is.

import Testing

@testable import TraitEngine

@Suite struct StorageTests {
    @Test("The hash index agrees with a dictionary while it grows, moves and shrinks")
    func hashIndex() {
        var index = HashIndex()
        var model: [Int32: UInt32] = [:]
        var random = SeededRandom(seed: 11)
        var moved = 0
        for step in 0..<60_000 {
            let grows = step < 30_000
            let number = Int32(step)
            if grows || model.isEmpty {
                // Few high bits, so that many share a home.
                let hash = UInt32.random(in: 0..<50_000, using: &random) << 16
                index.insert(hash, number)
                model[number] = hash
            }
            if !grows || step.isMultiple(of: 3), let (key, hash) = model.first {
                index.remove(hash, key)
                model[key] = nil
            }
            if index.isMoving { moved += 1 }
            if step.isMultiple(of: 997) {
                for (key, hash) in model { #expect(index.find(hash) { $0 == key } == key) }
            }
            #expect(index.count == model.count)
        }
        #expect(moved > 1_000, "the test is about moving")
        #expect(index.find(5) { _ in true } == nil)
    }

    @Test("Identifiers of every length are found, removed and used again")
    func identifiers() {
        var store = IdentifierStore(seed: 3)
        func with<R>(_ name: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
            var name = name
            return name.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
        let names = (1...130).map { String(repeating: "x", count: $0 - 1) + "y" }
        for round in 0..<3 {
            for (number, name) in names.enumerated() {
                with(name) { store.insert($0, store.hash($0), at: Int32(number)) }
            }
            for (number, name) in names.enumerated() {
                #expect(with(name) { store.find($0) { _ in true } } == Int32(number))
                #expect(store.string(of: Int32(number)) == name)
                #expect(with(name + "z") { store.find($0) { _ in true } } == nil)
            }
            let bytes = store.byteCount
            for number in names.indices { store.remove(Int32(number)) }
            #expect(store.count == 0)
            if round == 2 { #expect(store.byteCount <= bytes, "blocks are used again") }
        }
    }

    @Test("The hash depends on every byte, on the length and on the seed")
    func hashes() {
        func hash(_ bytes: [UInt8], _ seed: UInt64) -> UInt32 {
            bytes.withUnsafeBytes { IdentifierHash.hash($0, seed: seed) }
        }
        for length in 1...40 {
            let base = [UInt8](repeating: 0x61, count: length)
            var seen: Set<UInt32> = [hash(base, 1)]
            for position in 0..<length {
                var other = base
                other[position] = 0x62
                #expect(seen.insert(hash(other, 1)).inserted)
            }
            #expect(seen.insert(hash(base + [0x61], 1)).inserted)
            #expect(hash(base, 1) != hash(base, 2))
        }
    }

    @Test("Equal values share an entry that goes with its last holder")
    func pool() {
        var pool = ValuePool()
        let one = pool.retain(.string("one"))
        #expect(pool.retain(.string("one")) == one)
        let two = pool.retain(.structure([.int(1), .string("one")]))
        #expect(two != one && pool.count == 2)
        pool.release(one)
        #expect(pool[one] == .string("one"))
        pool.release(one)
        #expect(pool.count == 1 && pool.word(of: .string("one")) == nil)
        #expect(pool.retain(.null) == one, "the place is taken again")
        #expect(pool[two] == .structure([.int(1), .string("one")]))
    }

    @Test(
        "Notes are sorted by key, equal keys as they came",
        arguments: [0, 1, 2, 24, 25, 5_000])
    func sorting(_ count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        var buffers = TellingBuffers()
        for _ in 0..<2 {
            var notes: [Note] = []
            for number in 0..<count {
                let level = UInt64.random(in: 0..<40, using: &random)
                let key = level << 48 | UInt64.random(in: 0..<300, using: &random)
                notes.append(
                    Note(
                        key: key, registration: Int32(number), node: 0, selection: 0, frame: 0))
            }
            buffers.start()
            for note in notes { buffers.notes.append(note) }
            let sorted = buffers.sortedNotes()
            notes.sort { ($0.key, $0.registration) < ($1.key, $1.registration) }
            #expect(sorted.map(\.registration) == notes.map(\.registration))
        }
    }

    @Test("A map emptied in one step holds nothing of before")
    func integerMap() {
        var map = IntegerMap()
        for round in 0..<50 {
            for key in 0..<(round * 7) { map.insert(UInt64(key * key), Int32(round + key)) }
            for key in 0..<(round * 7) { #expect(map[UInt64(key * key)] == Int32(round + key)) }
            #expect(map[3] == nil)
            map.removeAll()
            #expect(map[0] == nil && map.count == 0)
        }
    }

    @Test("Blocks of one size are used again, and none is lost")
    func blocks() {
        var blocks = BlockArena()
        let classes = [0, 1, 2, 3, 4, 5, 8, 9].map { BlockArena.sizeClass(for: $0) }
        #expect(classes == [0, 0, 1, 2, 2, 3, 3, 4])
        let first = blocks.allocate(3)
        let second = blocks.allocate(0)
        blocks[second] = 42
        blocks.release(first, 3)
        #expect(blocks.allocate(2) != first)
        #expect(blocks.allocate(3) == first)
        #expect(blocks[second] == 42 && blocks.freeWordCount == 0)
    }

    @Test("An arena keeps its content while it grows past every kind of memory")
    func arena() {
        var arena = Arena<UInt64>(minimumCapacity: 1)
        for number in 0..<200_000 { _ = arena.append(UInt64(number)) }
        let start = arena.append(repeating: 7, count: 100_000)
        #expect(start == 200_000 && arena.count == 300_000)
        for number in stride(from: 0, to: 200_000, by: 97) {
            #expect(arena[Int32(number)] == UInt64(number))
        }
        #expect(arena[299_999] == 7)
    }

    @Test(
        "A queue keeps its positions while both ends move", arguments: 1...4 as ClosedRange<UInt64>)
    func queue(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = ChunkedQueue<Int>()
        var model: [Int] = []
        var start = 0
        var longest = 0
        for step in 0..<20_000 {
            let grows = step / 2_000 % 2 == 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<(grows ? 8 : 3):
                queue.append(step)
                model.append(step)
            case 8:
                #expect(queue.popLast() == model.popLast())
            default:
                let amount = min(Int.random(in: 0..<(grows ? 3 : 40), using: &random), model.count)
                model.removeFirst(amount)
                start += amount
                queue.drop(before: start)
            }
            longest = max(longest, model.count)
            #expect(queue.start == start && queue.end == start + model.count)
            #expect(queue.last == model.last)
            if let position = model.indices.randomElement(using: &random) {
                #expect(queue[start + position] == model[position])
                queue[start + position] = step
                model[position] = step
            }
        }
        #expect(longest > 300)
        #expect((queue.start..<queue.end).map { queue[$0] } == model)
    }
}
