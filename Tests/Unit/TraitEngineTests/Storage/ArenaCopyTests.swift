// Copies of arenas that go on being written, part by part.

import Testing

@testable import TraitEngine

@Suite struct ArenaCopyTests {
    /// Counts how many of its kind there are.
    private final class Token {
        final class Count { var living = 0 }
        private let count: Count

        init(_ count: Count) {
            self.count = count
            count.living += 1
        }

        deinit { count.living -= 1 }
    }

    @Test(
        "States claim each granule once, in words and one by one",
        arguments: [0, 1, 31, 32, 33, 100])
    func states(_ count: Int) {
        let states = GranuleStates(count)
        defer { states.deallocate() }
        var expected = Set(0..<count)
        for granule in stride(from: 0, to: count, by: 3) {
            #expect(states.claim(granule) && !states.claim(granule))
            #expect(!states.isDone(granule))
            states.finish(granule)
            expected.remove(granule)
        }
        for word in 0..<states.wordCount {
            let claimed = states.claimWord(word)
            #expect(states.claimWord(word) == 0)
            states.forEachRun(word, claimed) { run in
                for granule in run { #expect(expected.remove(granule) != nil) }
            }
            states.finishWord(word, claimed)
        }
        #expect(expected.isEmpty)
        for granule in 0..<count { #expect(states.isDone(granule)) }
        #expect((0..<count).allSatisfy { !states.claim($0) })
    }

    @Test("Neighbours are copied together, up to a whole word")
    func runs() {
        let states = GranuleStates(96)
        defer { states.deallocate() }
        _ = states.claim(32 + 5)
        _ = states.claim(32 + 6)
        var runs: [Range<Int>] = []
        for word in 0..<3 { states.forEachRun(word, states.claimWord(word)) { runs.append($0) } }
        #expect(runs == [0..<32, 32..<37, 39..<64, 64..<96])
    }

    @Test(
        "A copy holds the moment, whatever is overwritten, appended or taken out",
        arguments: [0, 1, 7, 5_000])
    func moment(_ count: Int) {
        var arena = Arena<UInt64>(minimumCapacity: 1)
        for number in 0..<count { _ = arena.append(UInt64(number)) }
        let states = (SnapshotState(), SnapshotState())
        let first = arena.beginCopy(states.0)
        for number in stride(from: 0, to: count, by: 2) { arena[Int32(number)] = 1 }
        let second = arena.beginCopy(states.1)
        for _ in 0..<count / 3 { _ = arena.popLast() }
        for number in 0..<count { _ = arena.append(UInt64(number) + 9_000) }
        if count > 4 { arena.mutablePointer(1, count: 3).update(repeating: 5, count: 3) }
        let isComplete = [first.complete(), second.complete()]
        #expect(isComplete == [true, true])
        let one = Arena(first)
        let two = Arena(second)
        #expect(one.count == count && two.count == count)
        for number in 0..<count {
            #expect(one[Int32(number)] == UInt64(number))
            #expect(two[Int32(number)] == (number % 2 == 0 ? 1 : UInt64(number)))
        }
        states.0.isClosed.store(true, ordering: .releasing)
        arena.endClosedCopies()
        if count > 0 { arena[0] = 77 }
        #expect(two.count == count && (count == 0 || two[0] == 1))
    }

    @Test("References are neither lost nor kept", arguments: [false, true])
    func references(_ isCompleted: Bool) {
        let living = Token.Count()
        let state = SnapshotState()
        do {
            var arena = Arena<Token?>(minimumCapacity: 1)
            for _ in 0..<1_000 { _ = arena.append(Token(living)) }
            let copy = arena.beginCopy(state)
            for number in stride(from: 0, to: 1_000 as Int32, by: 7) { arena[number] = nil }
            for _ in 0..<50 { _ = arena.popLast() }
            #expect(living.living == 1_000)
            if isCompleted {
                let isComplete = copy.complete()
                let frozen = Arena(copy)
                #expect(isComplete && frozen.count == 1_000)
                for number in 0..<1_000 as Range<Int32> { #expect(frozen[number] != nil) }
            } else {
                state.isCancelled.store(true, ordering: .releasing)
                let isComplete = copy.complete()
                #expect(!isComplete)
                state.isClosed.store(true, ordering: .releasing)
                arena.endClosedCopies()
            }
        }
        #expect(living.living == 0)
    }

    @Test("An arena that goes leaves its memory to its copies")
    func outliving() {
        let living = Token.Count()
        var copies: [ArenaCopy<Token?>] = []
        do {
            var arena = Arena<Token?>(minimumCapacity: 1)
            for _ in 0..<100 { _ = arena.append(Token(living)) }
            copies = [arena.beginCopy(SnapshotState()), arena.beginCopy(SnapshotState())]
            arena[5] = nil
        }
        #expect(living.living == 100)
        for copy in copies {
            let isComplete = copy.complete()
            let frozen = Arena(copy)
            #expect(isComplete && frozen[5] != nil && frozen[99] != nil)
        }
        copies = []
        #expect(living.living == 0)
    }
}
