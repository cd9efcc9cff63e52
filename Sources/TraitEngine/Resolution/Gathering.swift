// Reading several traits by one walk: what is still wanted, and the words found so far.

/// A set of wanted traits and their words, by trait: those of the defaults until others are found.
struct Gathering {
    private let found: UnsafeMutablePointer<UInt64>
    private let missing: UnsafeMutablePointer<UInt64>
    private let width: Int
    /// Records of the levels walked last.
    let levels: UnsafeMutablePointer<Int32>

    /// Levels that a walk goes up before it looks at their records: in a large tree they all have
    /// to come from memory, and so they come at the same time.
    static var levelsMax: Int { 8 }

    /// A path of at most so many levels, the one above all roots included, is walked to its end.
    static var pathLevelsMax: Int { 32 }

    /// With fewer traits wanted than this, a walk may well end before the root.
    private static var manyMin: Int { 8 }

    /// Words of scratch for traits that span so many words; the first 64 for each of these are
    /// what is found.
    @usableFromInline
    static func scratchCount(_ width: Int) -> Int { width &* 65 &+ pathLevelsMax / 2 }

    init(
        _ traits: borrowing TraitSet, defaults: UnsafeBufferPointer<UInt64>,
        _ scratch: UnsafeMutablePointer<UInt64>
    ) {
        width = traits.wordCount
        found = scratch
        missing = scratch + width &* 64
        levels = UnsafeMutableRawPointer(missing + width)
            .bindMemory(to: Int32.self, capacity: Self.pathLevelsMax)
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

    /// What is wanted, folded.
    var folded: UInt64 {
        var fold: UInt64 = 0
        for position in 0..<width { fold |= missing[position] }
        return fold
    }

    var wantsMany: Bool { width == 1 && missing[0].nonzeroBitCount >= Self.manyMin }

    /// Takes everything from the records of a whole path, the farthest first, so that nearer values
    /// replace others. The nearest records come last and from memory: what is to be done for all
    /// the others is done while they come. None of them may have traits beyond 63.
    @inline(__always)
    func takeAll(_ count: Int, _ reader: RecordReader) {
        var position = count
        while position > 0 {
            position &-= 1
            let record = reader.records.pointer(levels[position])
            var bits = record.pointee.mask
            if bits == 0 { continue }
            var value = reader.block(record)
            found[bits.trailingZeroBitCount] = value[0]
            bits &= bits &- 1
            // Most have one value or two: which, nobody can predict. What is none goes behind the 64
            // words, where `missing` begins, which nobody reads any more; a block of one value has
            // its revision there.
            found[bits.trailingZeroBitCount] = value[1]
            bits &= bits &- 1
            while bits != 0 {
                value += 1
                found[bits.trailingZeroBitCount] = value[1]
                bits &= bits &- 1
            }
        }
    }

    /// Whether one of the records on the levels walked last has something that is wanted, or is
    /// where jumps begin.
    @inline(__always)
    func mayTake(_ count: Int, _ wanted: UInt64, _ reader: RecordReader) -> Bool {
        var mask: UInt64 = 0
        var flags: RecordFlags = []
        for position in 0..<count {
            let record = reader.records.pointer(levels[position])
            mask |= record.pointee.mask
            flags.formUnion(record.pointee.flags)
        }
        return mask & wanted != 0 || flags.contains(.top)
    }

    /// Takes from a record what it has; answers the folded rest.
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
                // What is not wanted was found before: choosing is cheaper than asking.
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

    /// The same as words. O(levels up to 128, traits, one step for 64 levels above).
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
        // What the walk begins with comes while the defaults are being copied.
        let hot = parts.nodes.hot
        hot.prefetch(node.rawValue)
        parts.nodes.records.prefetch(node.rawValue)
        parts.nodes.parentGuesses.approachParent(of: node.rawValue, hot)
        let gathering = Gathering(
            traits, defaults: parts.traits.defaultWords, scratch)
        gather(gathering, at: node.rawValue, &meter)
    }

    /// Reads many traits at a node that lies not too deep. False when nothing was done.
    @inline(__always)
    private func gatherPath(
        _ gathering: Gathering, at node: Int32, _ meter: inout some ReadMeter
    ) -> Bool {
        let hot = parts.nodes.hot
        let indices = parts.nodes.records
        let reader = recordReader
        var index = node
        var count = 0
        var width: UInt8 = 0
        for _ in 0..<Gathering.pathLevelsMax {
            let cell = hot[index]
            meter.passLevel()
            if index == 0 {
                if width != 0 { return false }
                for _ in 0..<count { meter.visitRecord() }
                gathering.takeAll(count, reader)
                return true
            }
            // The one that sets nothing for nodes without: so each is on its way from memory
            // before the parent is known, and not only when the whole path is.
            let record = indices[index]
            width |= reader.records.pointer(record).pointee.width
            gathering.levels[count] = record
            count &+= cell.hasRecord ? 1 : 0
            index = cell.up
        }
        return false
    }

    /// Walks up until nothing is missing.
    private func gather(_ gathering: Gathering, at node: Int32, _ meter: inout some ReadMeter) {
        precondition(node >= 0 && Int(node) < parts.nodes.slotCount, "not a node")
        if let layout { return gatherShown(gathering, at: node, layout) }
        var wanted = gathering.folded
        let hot = parts.nodes.hot
        let indices = parts.nodes.records
        let reader = recordReader
        if gathering.wantsMany, gatherPath(gathering, at: node, &meter) { return }
        var index = node
        var levels = 0
        while levels < sizes.walkLevelsMax, wanted != 0 {
            var count = 0
            for _ in 0..<Gathering.levelsMax {
                let cell = hot[index]
                meter.passLevel()
                gathering.levels[count] = indices[index]
                count &+= cell.hasRecord ? 1 : 0
                if index == 0 { break }
                index = cell.up
            }
            levels &+= Gathering.levelsMax
            if !gathering.mayTake(count, wanted, reader) { continue }
            for position in 0..<count {
                let found = gathering.levels[position]
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
        }
        if wanted == 0 { return }
        installTops(above: node, &meter)
        gather(gathering, at: node, &meter)
    }
}
