// What must hold for values: records, blocks, shortcuts, the pool.

extension Hierarchy {
    func checkRecords() throws(InvariantError) {
        var counts = [Int32: (values: Int32, kept: Int32)]()
        var words = 0
        var tops = 0
        var free = 0
        var withRecord = 0
        for record in 0..<Int32(records.count) {
            let stored = records[record]
            if stored.flags.contains(.free) {
                free += 1
                continue
            }
            if stored.values >= 0 { words += 1 << Int(stored.sizeClass) }
            if stored.flags.contains(.frame) { continue }
            try require(recordIndex(of: stored.node) == record, "a record has lost its node")
            try checkFilter(stored)
            withRecord += 1
            if stored.flags.contains(.top) { tops += 1 }
            let isNeeded = stored.mask != 0 || stored.flags.contains(.top)
            try require(isNeeded, "\(name(stored.node)) has an empty record")
            let isLiving = !links[stored.node].flags.contains(.dead)
            for entry in try checkedEntries(record) where isLiving {
                var count = counts[Int32(entry.trait)] ?? (0, 0)
                if entry.layer == .kept { count.kept += 1 } else { count.values += 1 }
                counts[Int32(entry.trait)] = count
                let isPinned =
                    hot[stored.node].parent == 0 && !isRootKind(stored.node)
                try require(
                    entry.layer != .kept || isPinned, "\(name(stored.node)) keeps values")
            }
        }
        try require(
            (0..<Int32(hot.count)).count { hot[$0].hasRecord } == withRecord,
            "a node has no record, but a filter")
        try require(
            (0..<Int32(hot.count)).allSatisfy { hot[$0].hasRecord || recordIndices[$0] == 0 },
            "a node has a record, but no filter")
        try require(tops == topCount, "\(tops) tops, \(topCount) counted")
        try require(
            words + blocks.freeWordCount == blocks.wordCount, "blocks of values leaked")
        for trait in 0..<Int32(traits.count) {
            let count = counts[trait] ?? (0, 0)
            try require(
                traits[trait].values == count.values && traits[trait].kept == count.kept,
                "trait \(trait): \(count), \(traits[trait].values) and \(traits[trait].kept)")
        }
        try require(
            traits.count == defaultWords.count
                && (0..<traits.count).allSatisfy {
                    traits[Int32($0)].defaultWord == defaultWords[$0]
                }, "a default has two words")
        var listed = 0
        var record = freeRecord
        while record >= 0 {
            listed += 1
            record = records[record].values
        }
        try require(listed == free, "records leaked")
    }

    /// A walk passes a node without looking at its record when the filter lacks the trait. Bits too
    /// many would only cost time, but none is.
    private func checkFilter(_ record: Record) throws(InvariantError) {
        let stored = hot[record.node].filter
        if record.flags.contains(.top) {
            try require(stored == .max, "\(name(record.node)) is passed, though it is a top")
            return
        }
        let expected = (0..<UInt16(64)).reduce(into: UInt8(0)) { bits, trait in
            if record.mask & foldedBit(trait) != 0 { bits |= 1 << UInt8(trait % 8) }
        }
        try require(expected & ~stored == 0, "\(name(record.node)) is passed, though it has values")
        try require(stored == expected, "\(name(record.node)): a filter is stale")
    }

    /// A record's values, after what its parts say about them was compared.
    private func checkedEntries(
        _ record: Int32
    ) throws(InvariantError) -> ContiguousArray<RecordEntry> {
        var entries: ContiguousArray<RecordEntry> = []
        let reader = recordReader
        reader.entries(record, into: &entries)
        var fold: UInt64 = 0
        var last: (trait: UInt16, layer: Layer)?
        for entry in entries {
            fold |= foldedBit(entry.trait)
            let layer = entry.layer
            try require(layer != .default, "a default is stored")
            if let last, last.trait == entry.trait {
                try require(last.layer > layer, "layers out of order")
            } else {
                try require((last?.trait).map { $0 < entry.trait } ?? true, "out of order")
                let (value, effective) = reader.effective(record, entry.trait)
                try require(
                    effective == layer && value.word == entry.word
                        && value.revision == entry.revision
                        && reader.word(record, entry.trait) == entry.word,
                    "\(name(records[record].node)): another value is effective")
            }
            let node = records[record].node
            try require(
                storedValue(node, entry.trait, layer)
                    == StoredValue(word: entry.word, revision: entry.revision),
                "\(name(node)): a value is not found")
            last = (entry.trait, layer)
        }
        try require(fold == records[record].mask, "a mask lies")
        let isWide = (entries.last?.trait ?? 0) >= 64
        try require(isWide == (records[record].width > 0), "a width lies")
        if !entries.isEmpty { try checkBlock(record, entries) }
        return entries
    }

    /// However it came about, a block is what packing its values makes.
    private func checkBlock(
        _ record: Int32, _ entries: ContiguousArray<RecordEntry>
    ) throws(InvariantError) {
        let layout = BlockLayout(entries)
        let stored = records[record]
        try require(
            stored.flags.intersection([.mixed, .layered]) == layout.flags, "a block's form lies")
        try require(
            stored.flags.contains(.mixed) || stored.layer == entries[0].layer, "a layer lies")
        let fits = layout.wordCount <= Record.inlineWordsMax && !stored.flags.contains(.top)
        try require(stored.flags.contains(.inline) == fits, "a block lies in the wrong place")
        try require(
            fits == (stored.values < 0)
                && (fits || layout.wordCount <= 1 << Int(stored.sizeClass)),
            "a block has too little room")
        var packed = [UInt64](repeating: 0, count: layout.wordCount)
        packed.withUnsafeMutableBufferPointer { words in
            if let base = words.baseAddress { layout.write(entries, to: base) }
        }
        let reader = recordReader
        let block = reader.block(reader.records.pointer(record))
        try require(
            (0..<layout.wordCount).allSatisfy { packed[$0] == block[$0] },
            "\(name(stored.node)): a block is not what packing makes")
    }

    // MARK: - Shortcuts

    func checkTops() throws(InvariantError) {
        try require(records[0].flags.contains(.top) && records[0].mask == 0, "no first top")
        for record in 1..<Int32(max(records.count, 1)) {
            let top = records[record]
            if !top.flags.contains(.top) { continue }
            if links[top.node].flags.contains(.dead) { continue }
            let isValid =
                top.jump >= 0 && records[top.jump].generation == top.jumpGeneration
            if !isValid { continue }
            var mask: UInt64 = 0
            var node = hot[top.node].parent
            while true {
                let record = recordIndex(of: node)
                if record >= 0, records[record].flags.contains(.top) { break }
                if record >= 0 { mask |= records[record].mask }
                node = hot[node].parent
            }
            try require(recordIndex(of: node) == top.jump, "\(name(top.node)) jumps elsewhere")
            let known = top.pathMask | records[top.jump].added
            try require(mask & ~known == 0, "\(name(top.node)) jumps over values")
        }
    }

    // MARK: - References

    /// Everything that is counted or held on to has exactly its holders.
    func checkReferences() throws(InvariantError) {
        // A frozen hierarchy counts nothing and can take nothing back.
        if isFrozen { return }
        var expected: [UInt64: Int] = [:]
        func hold(_ trait: UInt16, _ word: UInt64) {
            if traits[Int32(trait)].coding == .pooled { expected[word, default: 0] += 1 }
        }
        for record in 0..<Int32(records.count) where !records[record].flags.contains(.free) {
            var entries: ContiguousArray<RecordEntry> = []
            recordReader.entries(record, into: &entries)
            for entry in entries { hold(entry.trait, entry.word) }
        }
        var labelSlots = 0
        for node in 1..<Int32(max(links.count, 1)) where links[node].extra >= 0 {
            if extras[links[node].extra].label >= 0 { labelSlots += 1 }
        }
        var copies = 0
        for entry in log.remaining {
            switch entry {
            case .value(let value): if let old = value.old { hold(value.trait, old.word) }
            case .labelled(_, let label): if label >= 0 { labelSlots += 1 }
            case .defined(_, let copy), .renamed(let copy): if copy >= 0 { copies += 1 }
            case .undefined(let trait, let copy):
                if copy >= 0 { copies += 1 }
                hold(trait.rawValue, traits[Int32(trait.rawValue)].defaultWord)
            default: break
            }
        }
        for position in 0..<definitions.indexEnd {
            let trait = TraitIndex(rawValue: UInt16(position))
            if definitions.definition(at: trait) == nil { continue }
            hold(trait.rawValue, traits[Int32(position)].defaultWord)
        }
        try require(pool.referenceCounts == expected, "values in the pool are miscounted")
        try require(labels.count == labelSlots, "\(labels.count) labels, \(labelSlots) held")
        try require(definitionCopies.count == copies, "copies of definitions leaked")
    }
}
