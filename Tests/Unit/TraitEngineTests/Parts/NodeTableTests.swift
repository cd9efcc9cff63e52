// The table of nodes by itself.

import Testing

@testable import TraitEngine

@Suite struct NodeTableTests {
    private static func make(_ name: String, _ parent: Int32, _ table: inout NodeTable) -> Int32 {
        var name = name
        return name.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return table.make(bytes, table.names.hash(bytes), .view, parent: parent)
        }
    }

    private static func children(_ parent: Int32, _ table: borrowing NodeTable) -> [Int32] {
        var (list, child, previous) = ([Int32](), table.firstChild(of: parent), Int32(-1))
        while child >= 0 {
            #expect(table[child].previous == previous)
            list.append(child)
            (previous, child) = (child, table[child].next)
        }
        return list
    }

    @Test("Children stand where they are put", arguments: 0..<4, [nil, -1, 0, 1, 2])
    func order(_ moved: Int, _ place: Int?) {
        var table = NodeTable(hashSeed: 1)
        let nodes = (0..<4).map { Self.make("n\($0)", 0, &table) }
        expect(Self.children(0, table) == nodes)
        let before = table.remove(nodes[moved])
        expect(before == (moved == 0 ? -1 : nodes[moved - 1]))
        var rest = nodes.filter { $0 != nodes[moved] }
        expect(Self.children(0, table) == rest)
        let previous = place.map { $0 < 0 ? Int32(-1) : rest[$0] }
        table.insert(nodes[moved], into: 0, behind: previous)
        rest.insert(nodes[moved], at: place.map { $0 + 1 } ?? 3)
        expect(Self.children(0, table) == rest)
        expect(table.fault(labelled: 0, isSnapshot: false) == nil)
    }

    @Test("Bridged nodes are listed at their structural parent", arguments: 0..<3)
    func bridges(_ position: Int) {
        var table = NodeTable(hashSeed: 1)
        let parent = Self.make("p", 0, &table)
        let nodes = (0..<3).map { Self.make("n\($0)", 0, &table) }
        for node in nodes { table.addBridge(node, parent) }
        table.addBridge(nodes[0], 0)
        expect(table.bridgedCount == 3)
        table.removeBridge(nodes[position])
        expect(table.bridgedCount == 2 && !table[nodes[position]].flags.contains(.bridged))
        var listed: Set<Int32> = []
        var child = table.extra(of: parent).structuralFirst
        while child >= 0 {
            listed.insert(child)
            child = table.extra(of: child).structuralNext
        }
        expect(listed == Set(nodes).subtracting([nodes[position]]))
        expect(table.fault(labelled: 0, isSnapshot: false) == nil)
    }

    @Test("A view and its controller know each other, whoever was paired before")
    func peers() {
        var table = NodeTable(hashSeed: 1)
        let (view, first, second) = (
            Self.make("v", 0, &table), Self.make("a", 0, &table), Self.make("b", 0, &table)
        )
        table.setPeer(view, first)
        table.setPeer(view, second)
        expect(table.extra(of: view).peer == second && table.extra(of: second).peer == view)
        expect(table.extra(of: first).peer == -1)
        table.setPeer(view, -1)
        expect(table.extra(of: view).peer == -1 && table.extra(of: second).peer == -1)
    }

    @Test("Labels stay in use until the undo log lets go of them")
    func labels() {
        var table = NodeTable(hashSeed: 1)
        let node = Self.make("n", 0, &table)
        table.setLabel(node, "one")
        let one = table.labelSlot(of: node)
        table.setLabel(node, "two")
        expect(table.label(at: one) == "one")
        expect(table.fault(labelled: 2, isSnapshot: false) == nil)
        expect(table.fault(labelled: 1, isSnapshot: false) == "2 labels, 1 held")
        table.restoreLabel(node, one)
        expect(table.label(at: table.labelSlot(of: node)) == "one")
        expect(table.fault(labelled: 1, isSnapshot: false) == nil)
    }

    @Test("A node that is freed leaves nothing behind, and its slot is used again")
    func freeing() {
        var table = NodeTable(hashSeed: 1)
        let nodes = (0..<3).map { Self.make("n\($0)", 0, &table) }
        table.setLabel(nodes[1], "label")
        _ = table.remove(nodes[1])
        table.unmake(nodes[1])
        table.free(nodes[1])
        expect(table.liveCount == 2 && table.fault(labelled: 0, isSnapshot: false) == nil)
        let again = Self.make("n1", nodes[0], &table)
        expect(again == nodes[1] && table.parent(of: again) == nodes[0])
        expect(table[again].extra == -1 && table.record(of: again) == -1)
        expect(table.fault(labelled: 0, isSnapshot: false) == nil)
    }

    @Test("The check finds a dead node that is not counted")
    func faults() {
        var table = NodeTable(hashSeed: 1)
        let node = Self.make("n", 0, &table)
        table.markDead(node)
        expect(table.liveCount == 0 && table.deadCount == 1)
        expect(table.fault(labelled: 0, isSnapshot: false) == nil)
        table.makeReclaimable(node)
        expect(table.hasReclaimable)
        table.makeReclaimable(below: node)
        expect(
            table.fault(labelled: 0, isSnapshot: false) == "1 dead nodes, 0 counted")
    }
}

@Suite struct UndoLogTests {
    @Test("Entries come back newest first, and say whether something is to be freed")
    func order() {
        var log = UndoLog()
        log.begin()
        log.append(.created(node: 1))
        log.append(.labelled(node: 1, label: 4), holdsResources: true)
        log.seal(1, StateDigest())
        log.begin()
        log.append(.registered(7))
        log.seal(2, StateDigest())
        let first = log.acknowledgeOldest(through: 1)
        expect(first?.holdsResources == true && first?.entries.count == 2)
        expect(log.acknowledgeOldest(through: 1) == nil)
        log.dropAcknowledged()
        expect(log.unacknowledgedCount == 1)
        expect(log.reopen() != nil)
        guard case .registered(7) = log.popLast() else { return expect(false) }
        expect(log.popLast() == nil && log.isEmpty)
    }
}
