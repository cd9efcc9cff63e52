// Reading records: where in a block a value lies.

/// Reads records without bounds checks; valid until an arena grows.
struct RecordReader {
    let records: Arena<Record>.Reader
    let words: Arena<UInt64>.Reader

    @inline(__always)
    func mask(_ record: Int32) -> UInt64 { records[record].mask }

    /// The words of a record that has values.
    @inline(__always)
    func block(_ record: UnsafePointer<Record>) -> UnsafePointer<UInt64> {
        if record.pointee.flags.contains(.inline) {
            return (UnsafeRawPointer(record) + Record.inlineOffset)
                .assumingMemoryBound(to: UInt64.self)
        }
        return words.pointer(record.pointee.values)
    }

    /// Whether the record, whose folded mask has the trait's bit, sets the trait in any layer.
    @inline(__always)
    func holds(_ record: UnsafePointer<Record>, _ trait: UInt16) -> Bool {
        let width = record.pointee.width
        if width == 0 { return trait < 64 }
        return trait >> 6 < UInt16(width)
            && block(record)[Int(trait >> 6)] & foldedBit(trait) != 0
    }

    /// Whether the record sets the trait in any layer.
    @inline(__always)
    func sets(_ record: Int32, _ trait: UInt16) -> Bool {
        let pointer = records.pointer(record)
        return pointer.pointee.mask & foldedBit(trait) != 0 && holds(pointer, trait)
    }

    /// How many of the record's traits come before this one.
    @inline(__always)
    func rank(
        _ record: UnsafePointer<Record>, _ block: UnsafePointer<UInt64>, _ trait: UInt16
    ) -> Int {
        let below = foldedBit(trait) &- 1
        if record.pointee.width == 0 { return (record.pointee.mask & below).nonzeroBitCount }
        return rank(block, trait)
    }

    /// The rank of a trait in a mask of several words.
    func rank(_ masks: UnsafePointer<UInt64>, _ trait: UInt16) -> Int {
        var count = 0
        for position in 0..<Int(trait >> 6) { count &+= masks[position].nonzeroBitCount }
        let last = masks[Int(trait >> 6)] & (foldedBit(trait) &- 1)
        return count &+ last.nonzeroBitCount
    }

    /// The word of a trait that the record sets: the effective one.
    @inline(__always)
    func word(_ record: Int32, _ trait: UInt16) -> UInt64 {
        let pointer = records.pointer(record)
        let block = block(pointer)
        return block[Int(pointer.pointee.width) &+ rank(pointer, block, trait)]
    }

    /// How many traits the record sets.
    func count(_ record: UnsafePointer<Record>, _ block: UnsafePointer<UInt64>) -> Int {
        if record.pointee.width == 0 { return record.pointee.mask.nonzeroBitCount }
        var count = 0
        for position in 0..<Int(record.pointee.width) {
            count &+= block[position].nonzeroBitCount
        }
        return count
    }

    /// Where in its block the effective value of a trait that the record sets lies.
    struct Place {
        var word: Int
        var revision: Int
        var layer: Layer
    }

    @inline(__always)
    func place(
        _ record: UnsafePointer<Record>, _ block: UnsafePointer<UInt64>, _ trait: UInt16
    ) -> Place {
        let start = Int(record.pointee.width)
        let rank = rank(record, block, trait)
        let count = count(record, block)
        var place = Place(
            word: start &+ rank, revision: start &+ count &+ rank, layer: record.pointee.layer)
        if !record.pointee.flags.contains(.mixed) { return place }
        let masks = block + (start &+ 2 &* count &+ Int(trait >> 6))
        let bit = foldedBit(trait)
        let width = max(start, 1)
        if record.pointee.flags.contains(.layered) {
            place.layer = topLayer(masks, width, bit)
        } else if masks[0] & bit != 0 {
            place.layer = .override
        } else {
            place.layer = masks[width] & bit != 0 ? .supplied : .kept
        }
        return place
    }

    /// The effective value of a trait that the record sets, with its revision and layer.
    @inline(__always)
    func effective(_ record: Int32, _ trait: UInt16) -> (StoredValue, Layer) {
        let pointer = records.pointer(record)
        let block = block(pointer)
        let place = place(pointer, block, trait)
        let value = StoredValue(
            word: block[place.word], revision: Int64(bitPattern: block[place.revision]))
        return (value, place.layer)
    }

    /// The traits in one 64-bit window of the record.
    @inline(__always)
    func exactWord(_ record: Int32, _ position: Int) -> UInt64 {
        let pointer = records.pointer(record)
        if pointer.pointee.width == 0 { return position == 0 ? pointer.pointee.mask : 0 }
        if position >= Int(pointer.pointee.width) { return 0 }
        return block(pointer)[position]
    }

    /// Every value in every layer: by trait, then the layers from the top. O(values).
    func entries(_ record: Int32, into list: inout ContiguousArray<RecordEntry>) {
        let pointer = records.pointer(record)
        if pointer.pointee.mask == 0 { return }
        let block = block(pointer)
        let width = Int(pointer.pointee.width)
        let values = block + width
        let count = count(pointer, block)
        let isMixed = pointer.pointee.flags.contains(.mixed)
        let masks = values + 2 &* count
        let maskWidth = max(width, 1)
        let isLayered = pointer.pointee.flags.contains(.layered)
        let shadowed = masks + Int(Layer.maskCount(isLayered: isLayered)) &* maskWidth
        var rank = 0
        let base = list.count
        for position in 0..<maskWidth {
            var bits = width == 0 ? pointer.pointee.mask : block[position]
            while bits != 0 {
                let bit = bits & (0 &- bits)
                bits &= bits &- 1
                let trait = UInt16(
                    truncatingIfNeeded: position &* 64 &+ bit.trailingZeroBitCount)
                var layer = pointer.pointee.layer
                if isLayered {
                    layer = topLayer(masks + position, maskWidth, bit)
                } else if isMixed {
                    layer =
                        masks[position] & bit != 0
                        ? .override
                        : masks[maskWidth &+ position] & bit != 0 ? .supplied : .kept
                }
                list.append(
                    RecordEntry(
                        trait: trait, layer: layer, word: values[rank],
                        revision: Int64(bitPattern: values[count &+ rank])))
                rank &+= 1
            }
        }
        if isMixed, isLayered || hasShadowed(masks, maskWidth) {
            appendShadowed(&list, base, masks, maskWidth, shadowed, isLayered)
        }
    }

    /// Whether some trait has values in several of the usual layers.
    private func hasShadowed(_ masks: UnsafePointer<UInt64>, _ width: Int) -> Bool {
        var shared: UInt64 = 0
        for position in 0..<width {
            let override = masks[position]
            let supplied = masks[position &+ width]
            let kept = masks[position &+ 2 &* width]
            shared |= override & supplied | (override | supplied) & kept
        }
        return shared != 0
    }

    /// The nearest of all layers whose mask has the bit.
    private func topLayer(
        _ masks: UnsafePointer<UInt64>, _ width: Int, _ bit: UInt64
    ) -> Layer {
        var position: Int32 = 0
        let last = Layer.maskCount(isLayered: true) &- 1
        while position < last, masks[Int(position) &* width] & bit == 0 { position &+= 1 }
        return Layer.at(position, isLayered: true)
    }

    /// Shadowed values lie by layer, then by trait; they go behind what shadows them.
    private func appendShadowed(
        _ list: inout ContiguousArray<RecordEntry>, _ base: Int, _ masks: UnsafePointer<UInt64>,
        _ width: Int, _ shadowed: UnsafePointer<UInt64>, _ isLayered: Bool
    ) {
        let effective = list.count
        var next = shadowed
        for position in 1..<Layer.maskCount(isLayered: isLayered) {
            let layer = Layer.at(position, isLayered: isLayered)
            let mask = masks + Int(position) &* width
            for index in base..<effective where list[index].layer > layer {
                let trait = list[index].trait
                if mask[Int(trait >> 6)] & foldedBit(trait) == 0 { continue }
                list.append(
                    RecordEntry(
                        trait: trait, layer: layer, word: next[0],
                        revision: Int64(bitPattern: next[1])))
                next += 2
            }
        }
        if list.count == effective { return }
        list[base...].sort { ($0.trait, $1.layer) < ($1.trait, $0.layer) }
    }
}
