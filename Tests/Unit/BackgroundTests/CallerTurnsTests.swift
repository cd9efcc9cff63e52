// The order in which callers are served, and what each has had.

import Testing

@testable import Background

@Suite("Turns of callers")
struct CallerTurnsTests {
    private final class Caller {}
    private let callers = (0..<3).map { _ in Caller() }

    private func id(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(callers[number]) }

    private func take(_ turns: inout CallerTurns<String>, charging cost: Int64 = 1) -> [String] {
        var taken: [String] = []
        while let next = turns.next(charging: cost) { taken.append(next.item) }
        return taken
    }

    @Test(
        "Each caller has its turn, however many items another one has; the items of one keep their order"
    )
    func alternate() {
        var turns = CallerTurns<String>()
        for number in 0..<4 { turns.add("a\(number)", of: id(0)) }
        for number in 0..<2 { turns.add("b\(number)", of: id(1)) }
        turns.add("c0", of: id(2))
        #expect(take(&turns) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
        #expect(turns.isEmpty)
    }

    @Test("A caller whose items cost more has fewer turns")
    func costs() {
        var turns = CallerTurns<String>()
        for number in 0..<3 { turns.add("a\(number)", of: id(0)) }
        for number in 0..<3 { turns.add("b\(number)", of: id(1)) }
        #expect(turns.next(charging: 0)?.item == "a0")
        turns.charge(5, to: id(0))
        #expect(turns.excess(of: id(0)) == 5)
        #expect(take(&turns, charging: 2) == ["b0", "b1", "b2", "a1", "a2"])
    }

    @Test("A caller that asks for little, again and again, waits for one item of others at most")
    func little() {
        var turns = CallerTurns<String>()
        let others = (0..<8).map { _ in Caller() }
        for (number, other) in others.enumerated() {
            turns.add("much", of: ObjectIdentifier(other))
            _ = turns.next(charging: 100 + Int64(number))
            turns.add("much", of: ObjectIdentifier(other))
        }
        var isWaiting = false
        for _ in 0..<1_000 {
            if !isWaiting { turns.add("little", of: id(0)) }
            isWaiting = true
            let next = turns.next(charging: 0)
            if next?.item == "little" {
                turns.charge(1, to: id(0))
                isWaiting = false
                // It asks again while the next item of others is served.
                guard let other = turns.next(charging: 0), let caller = other.caller else { return }
                turns.charge(100, to: caller)
                turns.add(other.item, of: caller)
            } else {
                Issue.record("it waits for a second item")
                return
            }
        }
    }

    @Test("What a caller has not used it has later, but no more than the credit")
    func credit() {
        var turns = CallerTurns<String>(credit: 10)
        for number in 0..<50 { turns.add("a\(number)", of: id(0)) }
        for _ in 0..<40 { _ = turns.next(charging: 1) }
        for number in 0..<20 { turns.add("b\(number)", of: id(1)) }
        #expect(turns.isAhead(id(1)) && !turns.isAhead(id(0)))
        let taken = take(&turns)
        #expect(taken.prefix(10).allSatisfy { $0.hasPrefix("b") })
        #expect(taken[10..<30].count { $0.hasPrefix("a") } >= 9)
    }

    @Test("A caller that rests between its items is not behind callers that begin")
    func rests() {
        var turns = CallerTurns<String>(credit: 100)
        var time: Int64 = 0
        // It works for 3 and rests for 7.
        for _ in 0..<50 {
            turns.endRest(of: id(0), at: time)
            turns.add("a", of: id(0))
            #expect(turns.next(charging: 3)?.item == "a")
            turns.rest(id(0), since: time + 3)
            time += 10
        }
        for _ in 0..<100 {
            turns.add("b", of: id(1))
            turns.add("c", of: id(2))
        }
        turns.endRest(of: id(0), at: time)
        turns.add("a", of: id(0))
        #expect(take(&turns, charging: 10).prefix(3).contains("a"))
    }

    @Test("A caller that rests for long is ahead by no more than the credit")
    func longRest() {
        var turns = CallerTurns<String>(credit: 10)
        for number in 0..<2 { turns.add("\(number)", of: id(number)) }
        _ = take(&turns, charging: 50)
        turns.rest(id(0), since: 50)
        turns.add("1", of: id(1))
        _ = take(&turns, charging: 50)
        turns.endRest(of: id(0), at: 1_000_000)
        turns.add("0", of: id(0))
        // The other caller's second item began at 40.
        #expect(turns.cost(of: id(0)) == 40 - 10)
    }

    @Test("Items without a caller come first")
    func own() {
        var turns = CallerTurns<String>(credit: 10)
        turns.add("a", of: id(0))
        turns.add("own", of: nil)
        turns.add("more", of: nil)
        #expect(take(&turns) == ["own", "more", "a"])
    }

    @Test("A caller that was not served before items were dropped comes before those that were")
    func dropped() {
        var turns = CallerTurns<String>()
        for caller in 0..<3 { for item in 0..<2 { turns.add("\(caller)\(item)", of: id(caller)) } }
        #expect(turns.next(charging: 1)?.item == "00")
        turns.removeItems()
        #expect(turns.isEmpty)
        for caller in 0..<3 { turns.add("again \(caller)", of: id(caller)) }
        #expect(take(&turns) == ["again 1", "again 2", "again 0"])
    }

    @Test("An item that goes on comes before the others of its caller, and lines do not pile up")
    func first() {
        var turns = CallerTurns<String>()
        turns.add("later", of: id(0))
        turns.add("now", of: id(0), first: true)
        #expect(take(&turns) == ["now", "later"])
        let many = (0..<10_000).map { _ in Caller() }
        for caller in many {
            turns.add("x", of: ObjectIdentifier(caller))
            _ = turns.next(charging: 1)
        }
        #expect(turns.lineCount < 1_000)
    }
}
