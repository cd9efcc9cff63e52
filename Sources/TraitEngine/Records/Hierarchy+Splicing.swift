// Adding a value to a record or taking one out without unpacking the others: what nearly every
// commit does.

extension Hierarchy {
    /// The usual layers' masks of a record that has no others, no shadowed values and no trait
    /// beyond 63.
    private struct PlainMasks {
        var override: UInt64 = 0
        var supplied: UInt64 = 0
        var kept: UInt64 = 0

        /// Nil for records that are not like that.
        init?(_ record: UnsafePointer<Record>, _ reader: RecordReader) {
            let flags = record.pointee.flags
            if record.pointee.width > 0 || flags.contains(.layered) { return nil }
            let mask = record.pointee.mask
            if flags.contains(.mixed) {
                let masks = reader.block(record) + 2 &* mask.nonzeroBitCount
                (override, supplied, kept) = (masks[0], masks[1], masks[2])
                if override & supplied | (override | supplied) & kept != 0 { return nil }
            } else if mask != 0 {
                if record.pointee.layer.isRare { return nil }
                flip(record.pointee.layer, mask)
            }
        }

        mutating func flip(_ layer: Layer, _ bits: UInt64) {
            switch layer {
            case .override: override ^= bits
            case .supplied: supplied ^= bits
            default: kept ^= bits
            }
        }

        func contains(_ layer: Layer, _ bit: UInt64) -> Bool {
            (layer == .override ? override : layer == .supplied ? supplied : kept) & bit != 0
        }

        /// The only layer, nil when there are several.
        var layer: Layer? {
            if supplied | kept == 0 { return .override }
            if override | kept == 0 { return .supplied }
            return override | supplied == 0 ? .kept : nil
        }
    }

    /// Words of the largest block that is spliced. From 1,024 bytes on scratch memory would come
    /// from the allocator, which takes as long as all the rest.
    private static var plainWordsMax: Int { 128 }

    /// Words of a plain block of so many values, its masks included.
    private static func plainWords(_ count: Int) -> Int { 2 &* count &+ 3 }

    /// Adds the value of a trait that the node does not set. False for records that are not plain:
    /// then nothing was done. O(values of the node).
    func insertPlain(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, _ value: StoredValue
    ) -> Bool {
        if trait >= 64 || layer.isRare { return false }
        var record = recordIndex(of: node)
        if record < 0 { record = attachRecord(node) }
        let reader = recordReader
        let pointer = reader.records.pointer(record)
        let bit = foldedBit(trait)
        let mask = pointer.pointee.mask
        let count = mask.nonzeroBitCount
        guard mask & bit == 0, Self.plainWords(count + 1) <= Self.plainWordsMax,
            var masks = PlainMasks(pointer, reader)
        else { return false }
        masks.flip(layer, bit)
        let rank = (mask & (bit &- 1)).nonzeroBitCount
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.plainWordsMax) { words in
            guard let target = words.baseAddress else { return }
            if count > 0 {
                let block = reader.block(pointer)
                Self.copy(block, to: target, count, opening: rank)
                Self.copy(block + count, to: target + (count + 1), count, opening: rank)
            }
            target[rank] = value.word
            target[count + 1 + rank] = UInt64(bitPattern: value.revision)
            replace(record, mask | bit, masks, target, count + 1)
        }
        maskChanged(node, record, added: bit)
        return true
    }

    /// Takes out the only value of a trait that the node sets, in this layer. False when the record
    /// is not plain or the value not there: then nothing was done. O(values of the node).
    func removePlain(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> Bool {
        let record = recordIndex(of: node)
        if trait >= 64 || layer.isRare || record < 0 { return false }
        let reader = recordReader
        let pointer = reader.records.pointer(record)
        let bit = foldedBit(trait)
        let mask = pointer.pointee.mask
        guard mask & bit != 0, var masks = PlainMasks(pointer, reader),
            masks.contains(layer, bit)
        else { return false }
        if mask == bit {
            empty(record)
            return true
        }
        let count = mask.nonzeroBitCount - 1
        if Self.plainWords(count) > Self.plainWordsMax { return false }
        masks.flip(layer, bit)
        let rank = (mask & (bit &- 1)).nonzeroBitCount
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.plainWordsMax) { words in
            guard let target = words.baseAddress else { return }
            let block = reader.block(pointer)
            Self.copy(block, to: target, count, closing: rank)
            Self.copy(block + (count + 1), to: target + count, count, closing: rank)
            replace(record, mask & ~bit, masks, target, count)
        }
        maskChanged(node, record, added: 0)
        return true
    }

    /// Copies `count` words and leaves out one place in the target.
    @inline(__always)
    private static func copy(
        _ source: UnsafePointer<UInt64>, to target: UnsafeMutablePointer<UInt64>, _ count: Int,
        opening place: Int
    ) {
        target.initialize(from: source, count: place)
        (target + (place + 1)).initialize(from: source + place, count: count - place)
    }

    /// Copies `count` words but for one of the source.
    @inline(__always)
    private static func copy(
        _ source: UnsafePointer<UInt64>, to target: UnsafeMutablePointer<UInt64>, _ count: Int,
        closing place: Int
    ) {
        target.initialize(from: source, count: place)
        (target + place).initialize(from: source + (place + 1), count: count - place)
    }

    /// Gives a record a new block: values and revisions, to which the masks are added.
    private func replace(
        _ record: Int32, _ mask: UInt64, _ masks: PlainMasks,
        _ words: UnsafeMutablePointer<UInt64>, _ count: Int
    ) {
        var wordCount = 2 &* count
        let layer = masks.layer
        if layer == nil {
            words[wordCount] = masks.override
            words[wordCount &+ 1] = masks.supplied
            words[wordCount &+ 2] = masks.kept
            wordCount &+= 3
        }
        makeRoom(record, wordCount)
        mutableBlock(record, count: wordCount).update(from: words, count: wordCount)
        describe(record, mask, width: 0, layer, layer == nil ? .mixed : [])
    }
}
