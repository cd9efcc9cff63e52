// The table of records by itself, and that of traits.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct RecordTableTests {
    private static func entries(
        _ record: Int32, _ table: borrowing RecordTable
    ) -> [UInt16: UInt64] {
        var entries: ContiguousArray<RecordEntry> = []
        table.reader.entries(record, into: &entries)
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.trait, $0.word) })
    }

    private static func value(_ word: UInt64) -> StoredValue {
        StoredValue(word: word, revision: Int64(word))
    }

    /// Gives a record these values, all of them overrides.
    private static func pack(
        _ values: [UInt16: UInt64], _ record: Int32, _ table: inout RecordTable
    ) {
        table.pack(
            record,
            ContiguousArray(
                values.sorted { $0.key < $1.key }.map {
                    RecordEntry(
                        trait: $0.key, layer: .override, word: $0.value, revision: Int64($0.value))
                }))
    }

    @Test("A record has the values that were packed last, or overwritten", arguments: 0..<20)
    func packing(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = RecordTable()
        let record = table.make(1)
        var expected: [UInt16: UInt64] = [:]
        for step in 1...UInt64(200) {
            let trait = UInt16.random(in: 0..<24, using: &random)
            let wasThere = expected[trait] != nil
            if wasThere, Bool.random(using: &random) {
                expected[trait] = nil
                Self.pack(expected, record, &table)
            } else {
                expected[trait] = step
                let isWrong = table.overwrite(record, trait, .supplied, Self.value(step))
                let isWritten = table.overwrite(record, trait, .override, Self.value(step))
                expect(!isWrong && isWritten == wasThere)
                if !wasThere { Self.pack(expected, record, &table) }
            }
            expect(Self.entries(record, table) == expected)
            expect(table.fault == nil)
        }
    }

    @Test("A record keeps its values when it becomes a top, and its block when it loses them")
    func tops() {
        var table = RecordTable()
        let record = table.make(1)
        Self.pack([3: 5], record, &table)
        expect(table[record].flags.contains(.inline))
        table.makeTop(record)
        expect(table.topCount == 2 && !table[record].flags.contains(.inline))
        expect(Self.entries(record, table) == [3: 5] && table.fault == nil)
        table.setJump(record, to: 0, pathMask: 0b10)
        expect(table[record].jump == 0 && table[record].jumpGeneration == table[0].generation)
        table.invalidateJumps(to: 0)
        expect(table[record].jumpGeneration != table[0].generation)
        table.free(record)
        expect(table.topCount == 1 && table.fault == nil)
    }

    @Test("A slot that is used again has no values, and another generation")
    func slots() {
        var table = RecordTable()
        let record = table.make(1)
        Self.pack([3: 5], record, &table)
        let generation = table[record].generation
        table.free(record)
        let again = table.make(2)
        expect(again == record && table[again].mask == 0 && table[again].node == 2)
        expect(table[again].generation == generation &+ 1)
        expect(table.fault == nil)
    }

    @Test("A frame is free when the last reference goes")
    func frames() {
        var table = RecordTable()
        let entry = RecordEntry(trait: 7, layer: .override, word: 1, revision: 2)
        let digest = StateDigest(full: 3, content: 4)
        let above = table.makeFrame(1, above: 0, serial: 9, depth: 1, digest, [entry])
        let frame = table.makeFrame(
            2, above: above, serial: 1 << 40, depth: 70_000, digest,
            [RecordEntry(trait: 8, layer: .override, word: 1, revision: 2)])
        expect(table[frame].above == above && table[frame].serial == 1 << 40)
        expect(table[frame].depth == 65_535 && table[above].depth == 1)
        expect(table[frame].traitsAbove == 1 << 7 && table[above].traitsAbove == 0)
        expect(table[frame].digest == digest)
        table.retainFrame(frame)
        let (first, second) = (table.releaseFrame(frame), table.releaseFrame(frame))
        expect(!first && second)
        table.free(frame)
        expect(table.fault == nil)
    }

    @Test("A snapshot has the records of its moment")
    func copying() {
        var table = RecordTable()
        let record = table.make(1)
        Self.pack(Dictionary((0..<9).map { ($0, UInt64($0)) }) { $1 }, record, &table)
        var copies = SnapshotCopies()
        let copy = RecordTable(copying: &table, &copies)
        table.pack(record, [])
        table.free(record)
        for node in 2..<Int32(500) { _ = table.make(node) }
        let isComplete = copies.all.allSatisfy { $0.complete() }
        expect(isComplete)
        expect(Self.entries(record, copy).count == 9 && copy[record].node == 1)
        expect(copy.fault == nil && table.fault == nil)
    }

    @Test("Traits count values by layer, registrations and watches apart")
    func traits() {
        var table = TraitTable()
        table.append()
        table.append()
        table.set(1, TraitSlot(defaultWord: 8, coding: .pooled, hashed: .pooled), hash: 77)
        table.countValue(1, .kept, 2)
        table.countValue(1, .override, 3)
        table.countRegistration(1, 4, isWatch: false)
        table.countRegistration(1, 5, isWatch: true)
        table.countShown(1, 6)
        let slot = table[1]
        expect(
            [slot.kept, slot.values, slot.registrations, slot.watches, slot.shown] == [
                2, 3, 4, 5, 6,
            ])
        expect(table.isPooled(1) && !table.isPooled(0) && table.hash(of: 1) == 77)
        expect(table.defaultWords[1] == 8 && table.fault == nil)
        expect(table.indices == 0..<2)
    }
}
