// When the allocator's lists are walked, by times that the tests make up.

import Testing

@testable import Ledger

@Suite("Walks of the allocator's lists")
struct AllocatorWalksTests {
    private static let start: UInt64 = 5_000_000_000
    private static let long: UInt64 = 7_000_000

    /// Walks after one that took `nanoseconds` and ended at `start`.
    private func walks(after nanoseconds: UInt64) -> AllocatorWalks {
        var walks = AllocatorWalks()
        walks.note(from: Self.start - nanoseconds, to: Self.start)
        return walks
    }

    @Test("The first walk is due at once, whatever there is to do", arguments: [false, true])
    func first(isLow: Bool) {
        #expect(AllocatorWalks().isDue(at: 0, isMemoryShort: false, isLoadLow: isLow))
    }

    @Test("A process that works hard walks again after a brief walk, never after a long one")
    func underLoad() {
        let brief = AllocatorWalks.briefNanoseconds
        #expect(walks(after: brief).isDue(at: .max, isMemoryShort: false, isLoadLow: false))
        #expect(!walks(after: brief + 1).isDue(at: .max, isMemoryShort: false, isLoadLow: false))
    }

    @Test("Walks take a fiftieth of the time while memory is short, else a thousandth")
    func rests() {
        for (isShort, part) in [(true, 50), (false, 1_000)] as [(Bool, UInt64)] {
            let due = Self.start + part * Self.long
            for isLow in [!isShort, true] {
                let walks = walks(after: Self.long)
                #expect(walks.isDue(at: due, isMemoryShort: isShort, isLoadLow: isLow))
                #expect(!walks.isDue(at: due - 1, isMemoryShort: isShort, isLoadLow: isLow))
            }
        }
    }
}

@Suite("Load of the process")
struct ProcessLoadTests {
    @Test("It is low from the second measurement on, below a tenth of one processor")
    func low() {
        var load = ProcessLoad()
        load.note(used: 500, at: 1_000)
        #expect(!load.isLow)
        load.note(used: 599, at: 2_000)
        #expect(load.isLow)
        load.note(used: 699, at: 3_000)
        #expect(!load.isLow)
        load.note(used: 699, at: 4_000)
        #expect(load.isLow)
    }

    @Test("The work of all threads counts")
    func measured() async {
        var load = ProcessLoad()
        load.note(used: 0, at: 0)
        load.note(used: 0, at: 1_000)
        #expect(load.isLow)
        // Other programs may take the processors for a while.
        for _ in 0..<100 where load.isLow {
            load.measure()
            await Task.detached {
                let end = ContinuousClock.now + .milliseconds(20)
                while ContinuousClock.now < end {}
            }.value
            load.measure()
        }
        #expect(!load.isLow)
    }
}
