// Groups of watched children against the simplest thing that does the same.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct WatchGroupsTests {
    /// A tree of groups with what it should hold.
    private struct Tree: ~Copyable {
        var groups = WatchGroups()
        var top: Int32
        var slots: [Int32: Int32] = [:]
        var masks: [Int32: UInt64] = [:]

        init() {
            top = groups.makeTree()
        }

        var count: Int32 { Int32(slots.count) }

        mutating func append(_ child: Int32, _ mask: UInt64) {
            let place = groups.append(child, mask, to: top, count: count)
            top = place.top
            slots[child] = place.slot
            masks[child] = mask
        }

        mutating func remove(_ child: Int32) throws {
            let slot = try #require(slots[child])
            let outcome = groups.remove(slot, from: top, count: count)
            slots[child] = nil
            masks[child] = nil
            top = outcome.top
            if outcome.moved >= 0 { slots[outcome.moved] = slot }
        }

        mutating func change(_ child: Int32, _ mask: UInt64) throws {
            groups.setMask(try #require(slots[child]), mask)
            masks[child] = mask
        }

        func find(_ wanted: UInt64) -> (children: [Int32], groups: Int) {
            var found: ContiguousArray<Int32> = []
            let children = groups.search(top, count: count, for: wanted, &found)
            return (children.map { found[$0] }, children.lowerBound)
        }

        func check() {
            #expect(groups.brokenSlot(of: top, count: count) == nil)
            #expect(groups.union(of: top) == masks.values.reduce(0, |))
            #expect(Set(groups.children(of: top, count: count)) == Set(slots.keys))
            let inUse = groups.groupCount - groups.freeCount
            #expect(WatchGroups.groupCount(count) == inUse)
            for bit in 0..<64 {
                let wanted: UInt64 = 1 << UInt64(bit)
                let expected = masks.filter { $0.value & wanted != 0 }.map(\.key)
                #expect(Set(find(wanted).children) == Set(expected))
            }
        }
    }

    @Test(
        "Random changes keep every mask, slot and group right",
        arguments: 1...6 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var tree = Tree()
        var next: Int32 = 0
        var deepest = 0
        for step in 0..<6_000 {
            // Grows for a while, shrinks for a while.
            let grows = step / 1_000 % 2 == 0
            let known = tree.slots.keys.randomElement(using: &random)
            let mask: UInt64 = 1 << UInt64.random(in: 0..<64, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<(grows ? 6 : 2):
                tree.append(next, mask)
                next += 1
            case 6...9:
                if let known { try grows ? tree.change(known, mask) : tree.remove(known) }
            default:
                if let known { try tree.change(known, Bool.random(using: &random) ? 0 : mask) }
            }
            deepest = max(deepest, WatchGroups.height(tree.count))
            if step % 199 == 0 { tree.check() }
        }
        tree.check()
        #expect(deepest == 3)
    }

    @Test(
        "Heights change exactly where a level is full", arguments: [1, 15, 16, 17, 255, 256, 257])
    func levels(_ count: Int32) throws {
        var tree = Tree()
        for child in 0..<count { tree.append(child, 1 << UInt64(child % 64)) }
        tree.check()
        #expect(WatchGroups.height(count) == (count <= 16 ? 1 : count <= 256 ? 2 : 3))
        for child in 0..<count {
            try tree.remove(child)
            tree.check()
        }
        #expect(tree.count == 0 && tree.groups.groupCount - tree.groups.freeCount == 1)
    }

    @Test("A search enters only groups that have what it wants")
    func cost() {
        var tree = Tree()
        for child in 0..<65_536 as Range<Int32> {
            tree.append(child, child % 8_192 == 77 ? 2 : 1)
        }
        let found = tree.find(2)
        #expect(Set(found.children) == Set((0..<8).map { $0 * 8_192 + 77 }))
        // The top, and for each at most one group on each of the three levels below.
        #expect(found.groups <= 1 + 8 * 3)
        #expect(tree.find(4).groups == 1)
    }

    @Test("A tree given back leaves nothing behind")
    func release() {
        var tree = Tree()
        for child in 0..<1_000 as Range<Int32> { tree.append(child, 1) }
        tree.groups.release(tree: tree.top, count: tree.count)
        #expect(tree.groups.freeCount == tree.groups.groupCount)
    }
}
