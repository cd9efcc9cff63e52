// The table of registrations by itself.

import Testing

@testable import TraitEngine

@Suite struct RegistrationTableTests {
    private static func set(_ traits: UInt16...) -> TraitSet {
        TraitSet(traits.map { TraitIndex(rawValue: $0) })
    }

    private static func enter(
        _ name: String, _ index: Int32, _ table: inout RegistrationTable
    ) {
        var name = name
        name.withUTF8 { table.enter(index, UnsafeRawBufferPointer($0)) }
    }

    private static func find(_ name: String, _ table: borrowing RegistrationTable) -> Int32? {
        var name = name
        return name.withUTF8 { table.find(UnsafeRawBufferPointer($0)) }
    }

    private static func listed(_ table: borrowing RegistrationTable) -> [Int32] {
        var list: [Int32] = []
        var index = table.first
        while index >= 0 {
            list.append(index)
            index = table[index].laterRegistration
        }
        return list
    }

    private static func makeThree(_ table: inout RegistrationTable) -> [Int32] {
        ["a", "b", "a name of more than eleven bytes"].map { name in
            let index = table.add(1, set(2, 70), 4, .named)
            enter(name, index, &table)
            return index
        }
    }

    @Test("Roles take no more room than the sign of a counter did")
    func size() {
        expect(MemoryLayout<Registration>.stride == 56)
        expect(MemoryLayout<WatchNode>.stride == 64)
        expect(MemoryLayout<UndoEntry>.stride == 32)
    }

    @Test("Each role is what it says and nothing else")
    func roles() {
        func make(_ role: Registration.Role) -> Registration {
            Registration(mask: 1, order: 1, createdRevision: 1, node: 1, role: role)
        }
        let named = make(.named)
        expect(!named.isWatch && !named.isHidden && named.scope == nil && named.dynamics == -1)
        let colors = make(.namedDynamic(0))
        expect(!colors.isWatch && !colors.isHidden && colors.dynamics == 0)
        let watch = make(.watch(requests: 1))
        expect(watch.isWatch && !watch.isHidden && watch.dynamics == -1)
        let scope = make(.scope(0))
        expect(!scope.isWatch && scope.isHidden && scope.scope == 0 && scope.dynamics == -1)
        let dynamics = make(.dynamics(0))
        expect(dynamics.isHidden && dynamics.scope == nil && dynamics.dynamics == -1)
    }

    @Test(
        "A registration that ends loses its name at once and comes back to its place",
        arguments: [0, 1, 2])
    func ending(_ position: Int) {
        var table = RegistrationTable(hashSeed: 1)
        let all = Self.makeThree(&table)
        let earlier = table[all[position]].earlierRegistration
        table.end(all[position])
        expect(Self.find("b", table) == (position == 1 ? nil : all[1]))
        expect(Self.listed(table) == all.filter { $0 != all[position] })
        expect(table.namedCount == 2 && table.fault(isSnapshot: false) == nil)
        table.revive(all[position], behind: earlier)
        expect(Self.listed(table) == all && Self.find("b", table) == all[1])
        expect(table.namedCount == 3 && table.fault(isSnapshot: false) == nil)
    }

    @Test("The name of an ended registration can be given away before it is freed")
    func names() {
        var table = RegistrationTable(hashSeed: 1)
        let all = Self.makeThree(&table)
        table.end(all[0])
        let new = table.add(2, Self.set(1), 5, .named)
        Self.enter("a", new, &table)
        expect(Self.find("a", table) == new && table.fault(isSnapshot: false) == nil)
        table.free(all[0])
        expect(Self.find("a", table) == new && table.fault(isSnapshot: false) == nil)
        expect(table.add(1, Self.set(1), 6, .scope(0)) == all[0])
        expect(table.hiddenCount == 1 && table.aliveCount == 4)
    }

    @Test("Watches are found by node and traits, and go with the last request")
    func watches() {
        var table = RegistrationTable(hashSeed: 1)
        let watch = table.add(3, Self.set(2, 70), 4, .watch(requests: 1))
        expect(table.findWatch(3, Self.set(2, 70)) == watch)
        expect(table.findWatch(3, Self.set(2, 6)) == nil)
        expect(table.findWatch(4, Self.set(2, 70)) == nil)
        table.request(watch)
        expect(!table.withdraw(watch))
        expect(table.withdraw(watch))
        table.end(watch)
        expect(table.findWatch(3, Self.set(2, 70)) == nil && table.watchCount == 0)
        table.revive(watch, behind: -1)
        expect(table.findWatch(3, Self.set(2, 70)) == watch)
        expect(table.fault(isSnapshot: false) == nil)
        table.end(watch)
        table.abandon(watch)
        table.free(watch)
        expect(table.fault(isSnapshot: false) == nil && table.aliveCount == 0)
    }

    @Test("The list of a node is the same from both ends", arguments: [0, 1, 2])
    func nodeList(_ position: Int) {
        var table = RegistrationTable(hashSeed: 1)
        let all = Self.makeThree(&table)
        var first: Int32 = -1
        for index in all {
            table.push(index, before: first)
            first = index
        }
        first = table.unlink(all[position], first: first)
        var (list, previous, index) = ([Int32](), Int32(-1), first)
        while index >= 0 {
            expect(table[index].previous == previous)
            list.append(index)
            (previous, index) = (index, table[index].next)
        }
        expect(list == all.reversed().filter { $0 != all[position] })
    }
}

@Suite struct WatchTreeTests {
    private static func none(_ node: Int32) -> UInt64 { 0 }

    private static func children(
        _ watch: Int32, for traits: UInt64, _ tree: borrowing WatchTree
    ) -> Set<Int32> {
        var found: ContiguousArray<Int32> = []
        return Set(tree.search(tree[watch], for: traits, &found).map { found[$0] })
    }

    @Test("Children go into groups beyond the limit, and back into a list at half of it")
    func grouping() {
        var tree = WatchTree()
        let top = tree.make(0, overrides: 0)
        var children: [Int32] = []
        for node in 1...Int32(5) {
            expect(!tree[top].flags.contains(.grouped))
            let child = tree.make(node, overrides: 0)
            tree.insert(child, below: top, listedMax: 4, Self.none)
            tree.raise(child, 1 << UInt64(node), isFolded: false, Self.none)
            children.append(child)
            expect(
                tree.fault(
                    used: [top] + children, listedMax: 4, isSnapshot: false, Self.none) == nil)
        }
        expect(tree[top].flags.contains(.grouped))
        expect(Self.children(top, for: 1 << 2, tree) == [children[1]])
        expect(tree.knownBelow(tree[top]) == 0b11_1110)
        while children.count > 2 {
            expect(tree[top].flags.contains(.grouped))
            let child = children.removeFirst()
            tree.remove(child, listedMax: 4)
            tree.free(child)
            expect(
                tree.fault(
                    used: [top] + children, listedMax: 4, isSnapshot: false, Self.none) == nil)
        }
        expect(!tree[top].flags.contains(.grouped) && tree[top].childCount == 2)
    }

    @Test("A group leaves out what a child's own values hide, unless the child is pending")
    func hiding() {
        var tree = WatchTree()
        let top = tree.make(0, overrides: 0)
        let children = (1...Int32(4)).map { node in
            let child = tree.make(node, overrides: 0)
            tree.insert(child, below: top, listedMax: 2, Self.none)
            tree.raise(child, 0b110, isFolded: false, Self.none)
            return child
        }
        func own(_ node: Int32) -> UInt64 { node == 2 ? 0b10 : 0 }
        tree.setOverrides(children[1], 0b10, own)
        expect(Self.children(top, for: 0b10, tree) == Set(children).subtracting([children[1]]))
        expect(Self.children(top, for: 0b100, tree) == Set(children))
        tree.setPending(children[1], true, own)
        expect(Self.children(top, for: 0b10, tree) == Set(children))
        tree.setPending(children[1], false, own)
        expect(Self.children(top, for: 0b10, tree).count == 3)
        // The traits are known below all the same.
        expect(tree.knownBelow(tree[top]) == 0b110)
        let used = [top] + children
        expect(tree.fault(used: used, listedMax: 2, isSnapshot: false, own) == nil)
        expect(
            tree.fault(used: used, listedMax: 2, isSnapshot: false, Self.none)
                == "a group asks for something else")
    }

    @Test("Watched traits are told up to where they are known")
    func raising() {
        var tree = WatchTree()
        let chain = (0...Int32(3)).map { tree.make($0, overrides: 0) }
        for (parent, child) in zip(chain, chain.dropFirst()) {
            tree.insert(child, below: parent, listedMax: 4, Self.none)
        }
        tree.raise(chain[1], 0b1, isFolded: false, Self.none)
        tree.raise(chain[3], 0b11, isFolded: true, Self.none)
        expect(chain.map { tree[$0].below } == [0b11, 0b11, 0b11, 0b11])
        expect(chain.allSatisfy { tree[$0].flags.contains(.folded) })
        tree.clearBelow(chain[0], 0b10, Self.none)
        expect(tree[chain[0]].below == 0b1)
        expect(
            tree.fault(used: chain, listedMax: 4, isSnapshot: false, Self.none)
                == "a parent knows less than a child")
    }
}
