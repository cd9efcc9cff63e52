// Reading several traits by one walk: what is still wanted, and the words found so far.

/// A set of wanted traits and their words, by trait: those of the defaults until others are found.
struct Gathering {
    private let found: UnsafeMutablePointer<UInt64>
    private let missing: UnsafeMutablePointer<UInt64>
    private let width: Int

    /// Words of scratch memory for traits that span `width` words: 64 found words for each of
    /// these, then the masks of missing traits.
    @usableFromInline
    static func scratchCount(_ width: Int) -> Int { width &* 65 }

    init(
        _ traits: borrowing TraitSet, defaults: UnsafeBufferPointer<UInt64>,
        _ scratch: UnsafeMutablePointer<UInt64>
    ) {
        width = traits.wordCount
        found = scratch
        missing = scratch + width &* 64
        for position in 0..<width { (missing + position).initialize(to: traits.word(at: position)) }
        let last = missing[width &- 1]
        precondition(
            last == 0 || width &* 64 &- 1 &- last.leadingZeroBitCount < defaults.count,
            "not a trait")
        // Each is read only if it is wanted, or written before.
        let count = min(defaults.count, width &* 64)
        guard let base = defaults.baseAddress else { return }
        found.initialize(from: base, count: count)
        (found + count).initialize(repeating: 0, count: width &* 64 &- count)
    }

    /// The traits still wanted, folded (trait modulo 64).
    var folded: UInt64 {
        var fold: UInt64 = 0
        for position in 0..<width { fold |= missing[position] }
        return fold
    }

    /// Takes the wanted values that a record has. Returns the traits that are still wanted, folded.
    @inline(__always)
    func take(_ record: Int32, _ reader: RecordReader) -> UInt64 {
        let pointer = reader.records.pointer(record)
        if pointer.pointee.width == 0, width == 1 {
            let wanted = missing[0]
            var bits = pointer.pointee.mask
            missing[0] = wanted & ~bits
            var value = reader.block(pointer)
            while bits != 0 {
                let trait = bits.trailingZeroBitCount
                // A trait that is not wanted keeps its word: selecting is cheaper than a branch.
                found[trait] = wanted &>> UInt64(trait) & 1 != 0 ? value[0] : found[trait]
                value += 1
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

extension Hierarchy {
    /// The values of several traits at a node, in index order, from one walk. O(levels up to 128,
    /// traits, one step for 64 levels above).
    public func values(
        of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, TraitValue) -> Void
    ) {
        words(of: traits, at: node) { each($0, value(from: $1, of: $0)) }
    }

    /// The traits' words at a node, in index order. O(levels up to 128, traits, one step for 64 levels above).
    @inlinable
    public func words(
        of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, UInt64) -> Void
    ) {
        let width = traits.wordCount
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: scratchCount(width)) { scratch in
            guard let words = scratch.baseAddress else { return }
            gather(traits, at: node, words)
            for position in 0..<width {
                var bits = traits.word(at: position)
                while bits != 0 {
                    let trait = position &* 64 &+ bits.trailingZeroBitCount
                    each(TraitIndex(rawValue: UInt16(truncatingIfNeeded: trait)), words[trait])
                    bits &= bits &- 1
                }
            }
        }
    }

    @usableFromInline
    func scratchCount(_ width: Int) -> Int { Gathering.scratchCount(width) }

    /// Writes the traits' words, by trait.
    @usableFromInline
    func gather(
        _ traits: TraitSet, at node: NodeIndex, _ scratch: UnsafeMutablePointer<UInt64>
    ) {
        var meter = NoMeter()
        gather(traits, at: node, scratch, &meter)
    }

    @inline(__always)
    func gather(
        _ traits: TraitSet, at node: NodeIndex, _ scratch: UnsafeMutablePointer<UInt64>,
        _ meter: inout some ReadMeter
    ) {
        let gathering = Gathering(
            traits, defaults: parts.traits.defaultWords, scratch)
        gather(gathering, at: node.rawValue, &meter)
    }

    /// Walks up until nothing is missing.
    private func gather(_ gathering: Gathering, at node: Int32, _ meter: inout some ReadMeter) {
        precondition(node >= 0 && Int(node) < parts.nodes.slotCount, "not a node")
        if let layout { return gatherShown(gathering, at: node, layout) }
        var wanted = gathering.folded
        let filter = filter(of: wanted)
        let hot = parts.nodes.hot
        let reader = recordReader
        var index = node
        var levels = 0
        while levels < sizes.walkLevelsMax, wanted != 0 {
            let cell = hot[index]
            meter.passLevel()
            if cell.mayHold(filter) {
                let found = parts.nodes.records[index]
                let record = reader.records.pointer(found)
                meter.visitRecord()
                if record.pointee.mask & wanted != 0 {
                    wanted = gathering.take(found, reader)
                    if wanted == 0 { return }
                }
                if record.pointee.flags.contains(.top) {
                    if found == 0 { return }
                    return searchAbove(found, wanted, &meter) { record, _ in
                        gathering.take(record, recordReader)
                    }
                }
            }
            index = cell.up
            levels &+= 1
        }
        if wanted == 0 { return }
        installTops(above: node, &meter)
        gather(gathering, at: node, &meter)
    }
}
