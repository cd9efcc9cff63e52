// The queue between a watch and its loops.

import Testing

@testable import TraitClientCore

@Suite struct ChangeQueueTests {
    @Test("large values merge before there are many")
    func bytes() {
        var queue = ChangeQueue(bytesMax: 1000)
        for number in 0..<100 {
            let values = [number, number + 1].map {
                TraitValue.string(String(repeating: "\($0 % 10)", count: 400))
            }
            queue.append(
                TraitChange(
                    node: "a", trait: "x", previous: values[0], current: values[1],
                    revision: Int64(number)))
            #expect(queue.count <= 2)
        }
        var last = queue.popFirst()
        #expect(last?.previous == .string(String(repeating: "0", count: 400)))
        while let next = queue.popFirst() {
            #expect(next.previous == last?.current)
            last = next
        }
        #expect(last?.revision == 99)
    }

    static func change(_ node: Int, _ previous: Int, _ current: Int) -> TraitChange {
        TraitChange(
            node: "\(node)", trait: "t", previous: .integer(Int64(previous)),
            current: .integer(Int64(current)), revision: Int64(current))
    }

    @Test("changes come in their order while they fit")
    func order() {
        var queue = ChangeQueue(capacity: 3)
        for number in 1...3 { queue.append(Self.change(0, number - 1, number)) }
        #expect((1...3).allSatisfy { queue.popFirst() == Self.change(0, $0 - 1, $0) })
        #expect(queue.popFirst() == nil && queue.count == 0)
    }

    @Test("beyond the capacity the oldest two of a pair merge")
    func merges() {
        var queue = ChangeQueue(capacity: 3)
        queue.append(Self.change(9, 0, 1))
        for number in 1...4 { queue.append(Self.change(0, number - 1, number)) }
        #expect(queue.popFirst() == Self.change(9, 0, 1))
        #expect(queue.popFirst() == Self.change(0, 0, 3))
        #expect(queue.popFirst() == Self.change(0, 3, 4))
        #expect(queue.popFirst() == nil)
    }

    @Test("a merge to nothing leaves nothing")
    func nothing() {
        var queue = ChangeQueue(capacity: 2)
        queue.append(Self.change(0, 1, 2))
        queue.append(Self.change(0, 2, 1))
        queue.append(Self.change(1, 5, 6))
        #expect(queue.count == 1 && queue.popFirst() == Self.change(1, 5, 6))
    }

    @Test("the default capacity is 10,000, and more pairs than that are all kept")
    func capacity() {
        var queue = ChangeQueue()
        #expect(queue.capacity == 10_000)
        for node in 0..<10_500 { queue.append(Self.change(node, 0, 1)) }
        #expect(queue.count == 10_500)
        for node in 0..<500 { queue.append(Self.change(node, 1, 2)) }
        #expect(queue.count == 10_500)
    }

    @Test("random changes: what is taken chains and ends at the newest values", arguments: 0..<40)
    func random(_ round: Int) {
        var dice = Dice(seed: .random(in: 0...UInt64.max))
        var queue = ChangeQueue(capacity: Int.random(in: 1...12, using: &dice))
        var (newest, taken) = ([String: TraitValue](), [String: TraitValue]())
        let pairs = Int.random(in: 1...16, using: &dice)
        func take() {
            guard let change = queue.popFirst() else { return }
            #expect(taken[change.node] ?? 0 == change.previous, "\(dice)")
            #expect(change.previous != change.current, "\(dice)")
            taken[change.node] = change.current
        }
        for _ in 0..<400 {
            let node = "\(Int.random(in: 0..<pairs, using: &dice))"
            let previous = newest[node] ?? 0
            let current = TraitValue.integer(Int64.random(in: 0..<4, using: &dice))
            if previous != current {
                newest[node] = current
                queue.append(
                    TraitChange(
                        node: node, trait: "t", previous: previous, current: current, revision: 1))
            }
            #expect(queue.count <= max(queue.capacity, pairs), "\(dice)")
            if dice.chance(30) { take() }
        }
        while queue.count > 0 { take() }
        for (node, value) in newest { #expect(taken[node] ?? 0 == value, "\(dice)") }
    }
}
