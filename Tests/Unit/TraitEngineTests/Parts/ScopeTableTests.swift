// The table of tracked scopes by itself.

import Testing

@testable import TraitEngine

@Suite struct ScopeTableTests {
    private static func reads(_ traits: UInt16...) -> TraitSet {
        TraitSet(traits.map { TraitIndex(rawValue: $0) })
    }

    private static func makeThree(_ table: inout ScopeTable) -> [Int32] {
        var scopes: [Int32] = []
        for (node, name) in [(Int32(1), "draw"), (2, "draw"), (1, "layoutSubviews")] {
            let scope = table.make(
                node, name, coversViews: node == 2, reads: reads(3), revision: 5)
            table.enlist(scope, behind: table.last)
            scopes.append(scope)
        }
        return scopes
    }

    @Test("A scope is found by its node and name, and not by one of them")
    func finding() {
        var table = ScopeTable()
        let scopes = Self.makeThree(&table)
        expect(table.find(1, "draw") == scopes[0])
        expect(table.find(2, "draw") == scopes[1])
        expect(table.find(1, "layoutSubviews") == scopes[2])
        expect(table.find(2, "layoutSubviews") == nil && table.find(3, "draw") == nil)
        expect(table.count == 3 && table.coveringCount == 1)
        expect(table.fault(ended: 0, copied: 0) == nil)
    }

    @Test("A scope that ends comes back to its place", arguments: [0, 1, 2])
    func ending(_ position: Int) {
        var table = ScopeTable()
        let scopes = Self.makeThree(&table)
        let scope = scopes[position]
        let (earlier, later) = table.neighbours(of: scope)
        expect(earlier == (position == 0 ? -1 : scopes[position - 1]))
        expect(later == (position == 2 ? -1 : scopes[position + 1]))
        table.delist(scope)
        expect(table.count == 2 && table[scope]?.isAlive == false)
        expect(table.find(1, "draw") == (position == 0 ? nil : scopes[0]))
        expect(table.inOrder == scopes.filter { $0 != scope })
        expect(table.fault(ended: 1, copied: 0) == nil)
        table.enlist(scope, behind: earlier)
        expect(table.inOrder == scopes && table.count == 3 && table.coveringCount == 1)
        expect(table.fault(ended: 0, copied: 0) == nil)
    }

    @Test("A slot is used again once it was freed, and the order goes on")
    func slots() {
        var table = ScopeTable()
        let scopes = Self.makeThree(&table)
        table.delist(scopes[1])
        table.remove(scopes[1])
        let new = table.make(4, "draw", coversViews: true, reads: Self.reads(), revision: 6)
        table.enlist(new, behind: table.last)
        expect(new == scopes[1])
        expect(table.inOrder == [scopes[0], scopes[2], new])
        expect(table.fault(ended: 0, copied: 0) == nil)
    }

    @Test("The check finds a scope or a copy that nothing holds")
    func leaks() {
        var table = ScopeTable()
        let scopes = Self.makeThree(&table)
        table.delist(scopes[0])
        expect(table.fault(ended: 0, copied: 0) == "scopes leaked")
        let copy = table[scopes[1]].map { table.storeCopy($0) } ?? -1
        expect(table.fault(ended: 1, copied: 0) == "copies of scopes leaked")
        expect(table.takeCopy(copy)?.node == 2)
        expect(table.takeCopy(copy) == nil)
        expect(table.fault(ended: 1, copied: 0) == nil)
    }

    @Test("A snapshot has the scopes of its moment")
    func copying() {
        var table = ScopeTable()
        let scopes = Self.makeThree(&table)
        var copies = SnapshotCopies()
        let copy = ScopeTable(copying: &table, &copies)
        table.delist(scopes[0])
        table.remove(scopes[0])
        var changed = table[scopes[1]]
        changed?.isStale = true
        if let changed { table.replace(scopes[1], changed) }
        let isComplete = copies.all.allSatisfy { $0.complete() }
        expect(isComplete)
        expect(copy.inOrder == scopes && copy.count == 3)
        expect(copy[scopes[1]]?.isStale == false)
        expect(copy.hasName(scopes[0], 1, "draw") && !copy.hasName(scopes[0], 1, "layout"))
    }
}

@Suite struct DynamicTableTests {
    @Test("A name is in use while a registration that is alive names it")
    func uses() {
        var table = DynamicTable()
        let red = DynamicName(kind: .color, name: "red")
        let icon = DynamicName(kind: .image, name: "icon")
        let first = table.insert(
            DynamicSubjects(colors: ["red"], images: ["icon"], dependsOn: [], deviceTraits: []))
        let second = table.insert(
            DynamicSubjects(colors: ["red"], images: [], dependsOn: [], deviceTraits: []))
        expect(!table.isUsed(red))
        table.arm(first, hidden: 7)
        table.arm(second, hidden: 8)
        expect(table.usesAre([red: 2, icon: 1]) && table[first]?.hidden == 7)
        expect(table.disarm(first) == 7)
        expect(table.isUsed(red) && !table.isUsed(icon) && table[first]?.hidden == -1)
        expect(table.disarm(second) == 8)
        expect(table.usesAre([:]) && table.count == 2)
        table.remove(first)
        expect(table.count == 1 && table[first] == nil && table[-1] == nil)
        expect(table.disarm(first) == -1)
    }
}
