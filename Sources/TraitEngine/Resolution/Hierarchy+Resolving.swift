// Resolving: a walk from the node up to the first record that sets the trait. Nothing resolved
// is ever stored, so no commit makes anything stale.

extension Hierarchy {
    // MARK: - One trait

    /// The trait's value at a node. O(levels up to 128, and one step for 64 levels above).
    public func value(of trait: TraitIndex, at node: NodeIndex) -> TraitValue {
        value(from: word(of: trait, at: node), of: trait)
    }

    /// The same as a word: 0 or 1 for a boolean (2 for null), the number of an integer or an
    /// integer-backed case, the bits of a double; `value(from:of:)` tells the rest.
    @inline(__always)
    public func word(of trait: TraitIndex, at node: NodeIndex) -> UInt64 {
        resolvedWord(trait.rawValue, node.rawValue)
    }

    func resolvedWord(_ trait: UInt16, _ node: Int32) -> UInt64 {
        let record = locate(trait, at: node)
        return record < 0 ? traits[Int32(trait)].defaultWord : recordReader.word(record, trait)
    }

    /// The nearest record that sets the trait, from the node up; -1 for none.
    @inline(__always)
    func locate(_ trait: UInt16, at node: Int32) -> Int32 {
        var meter = NoMeter()
        return locate(trait, at: node, &meter)
    }

    @inline(__always)
    func locate(_ trait: UInt16, at node: Int32, _ meter: inout some ReadMeter) -> Int32 {
        precondition(node >= 0 && Int(node) < hot.count, "not a node")
        if let layout { return locate(trait, inFrame: layout.nodes[node].shown) }
        let hot = hot.reader
        let filter = filterBit(trait)
        var index = node
        var levels = 0
        while levels < sizes.walkLevelsMax {
            let cell = hot[index]
            meter.passLevel()
            if cell.mayHold(filter) {
                if index == 0 { return -1 }
                let reader = recordReader
                let found = recordIndices.reader[index]
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
        let reader = recordReader
        searchAbove(top, foldedBit(trait), &meter) { record, wanted in
            guard reader.sets(record, trait) else { return wanted }
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

    /// The trait's value at a node, and what decided it.
    public func resolve(_ trait: TraitIndex, at node: NodeIndex) -> Resolution {
        let (stored, source) = resolvedValue(trait.rawValue, node.rawValue)
        return Resolution(value: value(from: stored, of: trait), source: source)
    }

    func resolvedValue(_ trait: UInt16, _ node: Int32) -> (word: UInt64, source: Source) {
        if let layout { return frameValue(trait, layout.nodes[node].shown, layout) }
        let record = locate(trait, at: node)
        if record < 0 { return (traits[Int32(trait)].defaultWord, .default) }
        let (value, layer) = recordReader.effective(record, trait)
        let source = Source(
            kind: layer, node: NodeIndex(rawValue: records[record].node),
            revision: value.revision)
        return (value.word, source)
    }

    // MARK: - Several traits

    /// The values of several traits at a node, in index order, from one walk.
    public func values(
        of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, TraitValue) -> Void
    ) {
        words(of: traits, at: node) { each($0, value(from: $1, of: $0)) }
    }

    /// The same as words. O(levels up to 128, traits, one step for 64 levels above).
    public func words(
        of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, UInt64) -> Void
    ) {
        let width = traits.wordCount
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: width * 65) { scratch in
            let missing = scratch.baseAddress.unsafelyUnwrapped
            let found = missing + width
            for position in 0..<width { missing[position] = traits.word(at: position) }
            gather(Gathering(missing: missing, found: found, width: width), at: node.rawValue)
            for position in 0..<width {
                var bits = traits.word(at: position)
                while bits != 0 {
                    let bit = bits.trailingZeroBitCount
                    let trait = UInt16(truncatingIfNeeded: position &* 64 &+ bit)
                    let isMissing = missing[position] & (1 &<< UInt64(bit)) != 0
                    each(
                        TraitIndex(rawValue: trait),
                        isMissing
                            ? self.traits[Int32(trait)].defaultWord
                            : found[position &* 64 &+ bit])
                    bits &= bits &- 1
                }
            }
        }
    }

    /// A set of wanted traits and the words found for them, by trait.
    struct Gathering {
        let missing: UnsafeMutablePointer<UInt64>
        let found: UnsafeMutablePointer<UInt64>
        let width: Int

        var folded: UInt64 {
            var fold: UInt64 = 0
            for position in 0..<width { fold |= missing[position] }
            return fold
        }

        /// Takes from a record what it has; answers the folded rest.
        @inline(__always)
        func take(_ record: Int32, _ reader: RecordReader) -> UInt64 {
            let pointer = reader.records.pointer(record)
            if pointer.pointee.width == 0, width == 1 {
                let mask = pointer.pointee.mask
                var bits = mask & missing[0]
                missing[0] &= ~mask
                let values = reader.words.pointer(pointer.pointee.values)
                while bits != 0 {
                    let bit = bits & (0 &- bits)
                    found[bit.trailingZeroBitCount] =
                        values[(mask & (bit &- 1)).nonzeroBitCount]
                    bits &= bits &- 1
                }
                return missing[0]
            }
            return takeWide(record, reader)
        }

        @inline(never)
        private func takeWide(_ record: Int32, _ reader: RecordReader) -> UInt64 {
            for position in 0..<width {
                var bits = reader.exactWord(record, position) & missing[position]
                missing[position] &= ~bits
                while bits != 0 {
                    let bit = bits.trailingZeroBitCount
                    let trait = UInt16(truncatingIfNeeded: position &* 64 &+ bit)
                    found[position &* 64 &+ bit] = reader.word(record, trait)
                    bits &= bits &- 1
                }
            }
            return folded
        }
    }

    /// Walks up until nothing is missing.
    @inline(__always)
    func gather(_ gathering: Gathering, at node: Int32) {
        var meter = NoMeter()
        gather(gathering, at: node, &meter)
    }

    func gather(_ gathering: Gathering, at node: Int32, _ meter: inout some ReadMeter) {
        precondition(node >= 0 && Int(node) < hot.count, "not a node")
        if let layout { return gatherShown(gathering, at: node, layout) }
        let hot = hot.reader
        let reader = recordReader
        var wanted = gathering.folded
        if wanted == 0 { return }
        var filter = filter(of: wanted)
        var index = node
        var levels = 0
        while levels < sizes.walkLevelsMax {
            let cell = hot[index]
            meter.passLevel()
            if cell.mayHold(filter) {
                if index == 0 { return }
                let found = recordIndices.reader[index]
                let record = reader.records.pointer(found)
                meter.visitRecord()
                if record.pointee.mask & wanted != 0 {
                    wanted = gathering.take(found, reader)
                    if wanted == 0 { return }
                    filter = TraitEngine.filter(of: wanted)
                }
                if record.pointee.flags.contains(.top) {
                    return searchAbove(found, wanted, &meter) { record, _ in
                        gathering.take(record, reader)
                    }
                }
            }
            index = cell.up
            levels &+= 1
        }
        installTops(above: node, &meter)
        gather(gathering, at: node, &meter)
    }

    /// The traits that some node from this one up sets; all others have their default value.
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
            index = hot[index].parent
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
