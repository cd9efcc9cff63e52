// Gathering: the values of several traits at a node in one walk to the root.

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
