// The parts below the hierarchy, each against the plainest model there is.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct StorageTests {
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
        var buffers = NotificationBuffers()
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
