// Resolving: a walk from the node up to the first record that sets the trait. Nothing resolved
// is ever stored, so no commit makes anything stale.

extension Hierarchy {
    // MARK: - One trait

    /// The trait's value at a node. O(levels up to 128, and one step for 64 levels above).
    public func value(of trait: TraitIndex, at node: NodeIndex) -> TraitValue {
        value(from: word(of: trait, at: node), of: trait)
    }

    /// The trait's value as a word: 0 or 1 for a boolean (2 for null), the number of an integer or an
    /// integer-backed case, the bits of a double, for other types what `value(from:of:)` reads. Costs what
    /// `value(of:at:)` does, and allocates nothing.
    @inline(__always)
    public func word(of trait: TraitIndex, at node: NodeIndex) -> UInt64 {
        resolvedWord(trait.rawValue, node.rawValue)
    }

    func resolvedWord(_ trait: UInt16, _ node: Int32) -> UInt64 {
        let record = locate(trait, at: node)
        return record < 0
            ? parts.traits[trait].defaultWord : recordReader.word(record, trait)
    }

    /// The nearest record that sets the trait, from the node up; -1 for none.
    @inline(__always)
    func locate(_ trait: UInt16, at node: Int32) -> Int32 {
        var meter = NoMeter()
        return locate(trait, at: node, &meter)
    }

    @inline(__always)
    func locate(_ trait: UInt16, at node: Int32, _ meter: inout some ReadMeter) -> Int32 {
        precondition(node >= 0 && Int(node) < parts.nodes.slotCount, "not a node")
        if let layout { return locate(trait, inFrame: layout.nodes[node].shown) }
        let hot = parts.nodes.hot
        let filter = filterBit(trait)
        var index = node
        var levels = 0
        while levels < sizes.walkLevelsMax {
            let cell = hot[index]
            meter.passLevel()
            if cell.mayHold(filter) {
                if index == 0 { return -1 }
                let reader = recordReader
                let found = parts.nodes.records[index]
                let record = reader.records.pointer(found)
                meter.visitRecord()
                if record.pointee.mask & foldedBit(trait) != 0, reader.holds(record, trait) {
                    return found
                }
                if record.pointee.flags.contains(.top) {
                    return locateAbove(found, trait, &meter)
                }
            }
            index = cell.up
            levels &+= 1
        }
        return locateDeep(trait, at: node, &meter)
    }

    @inline(never)
    private func locateAbove(
        _ top: Int32, _ trait: UInt16, _ meter: inout some ReadMeter
    ) -> Int32 {
        var found: Int32 = -1
        searchAbove(top, foldedBit(trait), &meter) { record, wanted in
            guard recordReader.sets(record, trait) else { return wanted }
            found = record
            return 0
        }
        return found
    }

    /// No top for 128 levels: places some and walks again.
    @inline(never)
    private func locateDeep(
        _ trait: UInt16, at node: Int32, _ meter: inout some ReadMeter
    ) -> Int32 {
        installTops(above: node, &meter)
        return locate(trait, at: node, &meter)
    }

    /// The trait's value at a node, and what decided it. O(levels up to 128, and one step for 64
    /// levels above).
    public func resolve(_ trait: TraitIndex, at node: NodeIndex) -> Resolution {
        let (stored, source) = resolvedValue(trait.rawValue, node.rawValue)
        return Resolution(value: value(from: stored, of: trait), source: source)
    }

    func resolvedValue(_ trait: UInt16, _ node: Int32) -> (word: UInt64, source: Source) {
        if let layout { return shownValue(trait, node, layout) }
        let record = locate(trait, at: node)
        if record < 0 { return (parts.traits[trait].defaultWord, .default) }
        let (value, layer) = recordReader.effective(record, trait)
        let source = Source(
            kind: layer, node: NodeIndex(rawValue: parts.records[record].node),
            revision: value.revision)
        return (value.word, source)
    }

    /// The traits that some node from this one up sets; all others have their default value.
    /// O(depth).
    public func specifiedTraits(at node: NodeIndex) -> TraitSet {
        if let layout {
            return traits(inFrame: layout.nodes[node.rawValue].shown)
                .subtracting(definitions.hidden)
        }
        var all = TraitSet()
        var index = node.rawValue
        let reader = recordReader
        while index > 0 {
            let record = recordIndex(of: index)
            if record >= 0 { all.formUnion(reader.traits(record)) }
            index = parts.nodes.parent(of: index)
        }
        return all.subtracting(definitions.hidden)
    }
}

extension RecordReader {
    /// The traits that a record sets.
    func traits(_ record: Int32) -> TraitSet {
        var set = TraitSet(word: exactWord(record, 0))
        for position in 1..<max(Int(records[record].width), 1) {
            var bits = exactWord(record, position)
            while bits != 0 {
                let trait = position &* 64 &+ bits.trailingZeroBitCount
                set.insert(TraitIndex(rawValue: UInt16(truncatingIfNeeded: trait)))
                bits &= bits &- 1
            }
        }
        return set
    }
}
