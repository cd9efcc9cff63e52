// The part of a layout hierarchy: lists of marked children, and owners of frames.

import Testing

@testable import TraitEngine

@Suite struct LayoutTableTests {
    private static func table(_ nodes: Int32) -> LayoutTable {
        var table = LayoutTable()
        for node in 1...nodes { table.add(node) }
        return table
    }

    private static func children(_ parent: Int32, _ table: borrowing LayoutTable) -> [Int32] {
        var (list, child) = ([Int32](), table[parent].first)
        while child >= 0 {
            list.append(child)
            child = table[child].next
        }
        return list
    }

    @Test("Marked children are last in the list, attached roots first, and any of them can go")
    func marks() {
        var table = Self.table(4)
        table.link(1, below: 0, isFirst: false)
        table.link(2, below: 0, isFirst: true)
        table.link(3, below: 0, isFirst: false)
        table.link(4, below: 0, isFirst: true)
        expect(Self.children(0, table) == [4, 2, 1, 3])
        expect(table[4].previous == 3)
        table.unlink(2, from: 0)
        table.unlink(4, from: 0)
        expect(Self.children(0, table) == [1, 3] && table[1].previous == 3)
        table.unlink(3, from: 0)
        table.unlink(1, from: 0)
        expect(Self.children(0, table) == [] && !table[1].flags.contains(.linked))
    }

    @Test("An update clears the mark, and undo restores marks, times and the shown frame")
    func updates() {
        var table = Self.table(1)
        table.mark(1)
        table.setShown(1, 7)
        let before = ReplacedLayout(
            changed: table[1].changed, seen: table[1].seen, node: 1, frame: 7,
            flags: table[1].flags)
        table.setUpdated(1, at: 5)
        table.setShown(1, 8)
        table.setOutdated(1, at: 5)
        expect(table[1].flags == .outdated && table[1].seen == 5 && table[1].changed == 5)
        table.restore(before)
        expect(table[1].flags == .marked && table[1].seen == 0 && table[1].changed == 0)
        expect(table[1].shown == 7)
        table.setOutdated(1, at: 6)
        table.setOutdated(1, at: nil)
        expect(table[1].flags == .marked && table[1].changed == 6)
    }

    @Test("The name of a reclaimed node stays as long as one of its frames is in use")
    func owners() {
        var table = Self.table(1)
        let serial = table[1].serial
        table.countFrame(of: 1, serial, 1)
        table.countFrame(of: 1, serial, 1)
        expect(table.frameCount == 2 && table.countsAre([1: 2], gone: [:]))
        table.storeName(of: 1, "a")
        table.remove(1)
        table.add(1)
        expect(table[1].serial != serial && table.goneName(serial) == "a")
        expect(table.countsAre([:], gone: [serial: 2]))
        table.countFrame(of: 1, serial, -1)
        expect(table.goneName(serial) == "a")
        table.countFrame(of: 1, serial, -1)
        expect(table.goneName(serial) == nil && table.frameCount == 0)
    }

    @Test("A snapshot has the nodes of its moment")
    func copying() {
        var table = Self.table(300)
        table.setShown(300, 9)
        var copies = SnapshotCopies()
        let copy = LayoutTable(copying: &table, &copies)
        table.setShown(300, 10)
        let isComplete = copies.all.allSatisfy { $0.complete() }
        expect(isComplete)
        expect(copy[300].shown == 9 && copy[300].serial == table[300].serial)
    }
}
