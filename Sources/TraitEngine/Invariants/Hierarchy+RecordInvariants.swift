// Invariants of values: records, blocks, shortcuts, the pool.

extension Hierarchy {
    func checkRecords() throws(InvariantError) {
        var counts = [Int32: (values: Int32, kept: Int32)]()
        var withRecord = 0
        for record in parts.records.indices {
            let stored = parts.records[record]
            if !stored.flags.isDisjoint(with: [.free, .frame]) { continue }
            try require(recordIndex(of: stored.node) == record, "a record has lost its node")
            try checkFilter(stored)
            withRecord += 1
            let isNeeded = stored.mask != 0 || stored.flags.contains(.top)
            try require(isNeeded, "\(name(stored.node)) has an empty record")
            let isLiving = !parts.nodes[stored.node].flags.contains(.dead)
            for entry in try checkedEntries(record) where isLiving {
                var count = counts[Int32(entry.trait)] ?? (0, 0)
                if entry.layer == .kept { count.kept += 1 } else { count.values += 1 }
                counts[Int32(entry.trait)] = count
                let isPinned =
                    parts.nodes.parent(of: stored.node) == 0 && !isRootKind(stored.node)
                try require(
                    entry.layer != .kept || isPinned, "\(name(stored.node)) keeps values")
            }
        }
        try require(
            (0..<Int32(parts.nodes.slotCount)).count { parts.nodes.hot(of: $0).hasRecord }
                == withRecord,
            "a node has no record, but a filter")
        let fault = parts.records.fault ?? parts.traits.fault
        try require(fault == nil, fault ?? "")
        for trait in parts.traits.indices {
            let count = counts[Int32(trait)] ?? (0, 0)
            try require(
                parts.traits[trait].values == count.values
                    && parts.traits[trait].kept == count.kept,
                "trait \(trait): \(count), \(parts.traits[trait].values) and \(parts.traits[trait].kept)"
            )
        }
    }

    /// A walk passes a node without looking at its record when the filter lacks the trait. Bits too
    /// many would only cost time, but none is.
    private func checkFilter(_ record: Record) throws(InvariantError) {
        let stored = parts.nodes.hot(of: record.node).filter
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
                    "\(name(parts.records[record].node)): another value is effective")
            }
            let node = parts.records[record].node
            try require(
                storedValue(node, entry.trait, layer)
                    == StoredValue(word: entry.word, revision: entry.revision),
                "\(name(node)): a value is not found")
            last = (entry.trait, layer)
        }
        try require(fold == parts.records[record].mask, "a mask lies")
        let isWide = (entries.last?.trait ?? 0) >= 64
        try require(isWide == (parts.records[record].width > 0), "a width lies")
        if !entries.isEmpty { try checkBlock(record, entries) }
        return entries
    }

    /// However it came about, a block is what packing its values makes.
    private func checkBlock(
        _ record: Int32, _ entries: ContiguousArray<RecordEntry>
    ) throws(InvariantError) {
        let layout = BlockLayout(entries)
        let stored = parts.records[record]
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
        try require(
            parts.records[0].flags.contains(.top) && parts.records[0].mask == 0,
            "no first top")
        for record in parts.records.indices.dropFirst() {
            let top = parts.records[record]
            if !top.flags.contains(.top) { continue }
            if parts.nodes[top.node].flags.contains(.dead) { continue }
            let isValid =
                top.jump >= 0 && parts.records[top.jump].generation == top.jumpGeneration
            if !isValid { continue }
            var mask: UInt64 = 0
            var node = parts.nodes.parent(of: top.node)
            while true {
                let record = recordIndex(of: node)
                if record >= 0, parts.records[record].flags.contains(.top) { break }
                if record >= 0 { mask |= parts.records[record].mask }
                node = parts.nodes.parent(of: node)
            }
            try require(recordIndex(of: node) == top.jump, "\(name(top.node)) jumps elsewhere")
            let known = top.pathMask | parts.records[top.jump].added
            try require(mask & ~known == 0, "\(name(top.node)) jumps over values")
        }
    }

    // MARK: - References

    /// Everything that is counted or held on to has exactly its holders.
    func checkReferences() throws(InvariantError) {
        // A frozen hierarchy counts nothing and can take nothing back.
        if isFrozen { return }
        var expected: [UInt64: Int] = [:]
        func hold(_ trait: UInt16, _ word: UInt64, at position: Int = .max) {
            if isPooled(trait, at: position) {
                expected[word, default: 0] += 1
            }
        }
        for record in parts.records.indices
        where !parts.records[record].flags.contains(.free) {
            var entries: ContiguousArray<RecordEntry> = []
            recordReader.entries(record, into: &entries)
            for entry in entries { hold(entry.trait, entry.word) }
        }
        var copies = 0
        var names = 0
        for position in transaction.log.remainingPositions {
            switch transaction.log[position] {
            case .value(let value):
                if let old = value.old { hold(value.trait, old.word, at: position) }
            case .nodeRenamed: names += 1
            case .traitRenamed(_, _, let copy):
                names += 1
                if copy >= 0 { copies += 1 }
            case .defined(_, let copy), .renamed(let copy): if copy >= 0 { copies += 1 }
            case .redefined(_, let copy, let redefinition):
                if copy >= 0 { copies += 1 }
                let redefinition = transaction.redefinitions[redefinition]
                if let former = redefinition?.slot, former.coding == .pooled {
                    expected[former.defaultWord, default: 0] += 1
                }
                for word in redefinition?.back?.keys ?? [:].keys {
                    expected[word, default: 0] += 1
                }
            case .undefined(let trait, let copy):
                if copy >= 0 { copies += 1 }
                hold(trait.rawValue, parts.traits[trait.rawValue].defaultWord)
            default: break
            }
        }
        for position in 0..<definitions.indexEnd {
            let trait = TraitIndex(rawValue: UInt16(position))
            if definitions.definition(at: trait) == nil { continue }
            hold(trait.rawValue, parts.traits[trait.rawValue].defaultWord)
        }
        for word in transaction.heldWords { expected[word, default: 0] += 1 }
        try require(
            parts.pool.referenceCounts == expected, "values in the pool are miscounted")
        try require(transaction.definitionCopies.count == copies, "copies of definitions leaked")
        try require(transaction.formerNames.count == names, "former names leaked")
    }
}
