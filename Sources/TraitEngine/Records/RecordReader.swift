// Reading records: where in a block a value lies.

/// Reads records without bounds checks; valid until an arena grows.
struct RecordReader {
    let records: Arena<Record>.Reader
    let words: Arena<UInt64>.Reader

    @inline(__always)
    func mask(_ record: Int32) -> UInt64 { records[record].mask }

    /// Whether the record, whose folded mask has the trait's bit, sets the trait in any layer.
    @inline(__always)
    func holds(_ record: UnsafePointer<Record>, _ trait: UInt16) -> Bool {
        let width = record.pointee.width
        if width == 0 { return trait < 64 }
        return trait >> 6 < UInt16(width)
            && words[record.pointee.values &+ Int32(trait >> 6)] & foldedBit(trait) != 0
    }

    /// Whether the record sets the trait in any layer.
    @inline(__always)
    func sets(_ record: Int32, _ trait: UInt16) -> Bool {
        let pointer = records.pointer(record)
        return pointer.pointee.mask & foldedBit(trait) != 0 && holds(pointer, trait)
    }

    /// How many of the record's traits come before this one.
    @inline(__always)
    func rank(_ record: UnsafePointer<Record>, _ trait: UInt16) -> Int32 {
        let below = foldedBit(trait) &- 1
        if record.pointee.width == 0 {
            return Int32(truncatingIfNeeded: (record.pointee.mask & below).nonzeroBitCount)
        }
        return rank(record.pointee.values, trait)
    }

    /// The rank of a trait in a mask of several words.
    func rank(_ offset: Int32, _ trait: UInt16) -> Int32 {
        var count = 0
        for position in 0..<Int32(trait >> 6) {
            count &+= words[offset &+ position].nonzeroBitCount
        }
        let last = words[offset &+ Int32(trait >> 6)] & (foldedBit(trait) &- 1)
        return Int32(truncatingIfNeeded: count &+ last.nonzeroBitCount)
    }

    /// The word of a trait that the record sets: the effective one.
    @inline(__always)
    func word(_ record: Int32, _ trait: UInt16) -> UInt64 {
        let pointer = records.pointer(record)
        return words[
            pointer.pointee.values &+ Int32(pointer.pointee.width) &+ rank(pointer, trait)]
    }

    /// How many traits the record sets.
    func count(_ record: Int32) -> Int32 {
        let pointer = records.pointer(record)
        if pointer.pointee.width == 0 {
            return Int32(truncatingIfNeeded: pointer.pointee.mask.nonzeroBitCount)
        }
        var count = 0
        for position in 0..<Int32(pointer.pointee.width) {
            count &+= words[pointer.pointee.values &+ position].nonzeroBitCount
        }
        return Int32(truncatingIfNeeded: count)
    }

    /// Where the effective value of a trait that the record sets lies.
    struct Place {
        var word: Int32
        var revision: Int32
        var layer: Layer
    }

    @inline(__always)
    func place(_ record: Int32, _ trait: UInt16) -> Place {
        let pointer = records.pointer(record)
        let start = pointer.pointee.values &+ Int32(pointer.pointee.width)
        let rank = rank(pointer, trait)
        let count = count(record)
        var place = Place(
            word: start &+ rank, revision: start &+ count &+ rank, layer: pointer.pointee.layer)
        if !pointer.pointee.flags.contains(.mixed) { return place }
        let masks = start &+ 2 &* count &+ Int32(trait >> 6)
        let bit = foldedBit(trait)
        let width = max(Int32(pointer.pointee.width), 1)
        if pointer.pointee.flags.contains(.layered) {
            place.layer = topLayer(masks, width, bit)
        } else if words[masks] & bit != 0 {
            place.layer = .override
        } else {
            place.layer = words[masks &+ width] & bit != 0 ? .supplied : .kept
        }
        return place
    }

    /// The effective value of a trait that the record sets, with its revision and layer.
    @inline(__always)
    func effective(_ record: Int32, _ trait: UInt16) -> (StoredValue, Layer) {
        let place = place(record, trait)
        let value = StoredValue(
            word: words[place.word], revision: Int64(bitPattern: words[place.revision]))
        return (value, place.layer)
    }

    /// The traits in one 64-bit window of the record.
    @inline(__always)
    func exactWord(_ record: Int32, _ position: Int) -> UInt64 {
        let pointer = records.pointer(record)
        if pointer.pointee.width == 0 { return position == 0 ? pointer.pointee.mask : 0 }
        if position >= Int(pointer.pointee.width) { return 0 }
        return words[pointer.pointee.values &+ Int32(position)]
    }

    /// Every value in every layer: by trait, then the layers from the top. O(values).
    func entries(_ record: Int32, into list: inout ContiguousArray<RecordEntry>) {
        let pointer = records.pointer(record)
        if pointer.pointee.mask == 0 { return }
        let width = Int32(pointer.pointee.width)
        let start = pointer.pointee.values &+ width
        let count = count(record)
        let isMixed = pointer.pointee.flags.contains(.mixed)
        let masks = start &+ 2 &* count
        let maskWidth = max(width, 1)
        let isLayered = pointer.pointee.flags.contains(.layered)
        var shadowed = masks &+ Layer.maskCount(isLayered: isLayered) &* maskWidth
        var rank: Int32 = 0
        let base = list.count
        for position in 0..<maskWidth {
            var bits = width == 0 ? pointer.pointee.mask : words[start &- width &+ position]
            while bits != 0 {
                let bit = bits & (0 &- bits)
                bits &= bits &- 1
                let trait = UInt16(
                    truncatingIfNeeded: Int(position) &* 64 &+ bit.trailingZeroBitCount)
                var layer = pointer.pointee.layer
                if isLayered {
                    layer = topLayer(masks &+ position, maskWidth, bit)
                } else if isMixed {
                    layer =
                        words[masks &+ position] & bit != 0
                        ? .override
                        : words[masks &+ maskWidth &+ position] & bit != 0 ? .supplied : .kept
                }
                list.append(
                    RecordEntry(
                        trait: trait, layer: layer, word: words[start &+ rank],
                        revision: Int64(bitPattern: words[start &+ count &+ rank])))
                rank &+= 1
            }
        }
        if isMixed, isLayered || hasShadowed(masks, maskWidth) {
            appendShadowed(&list, base, masks, maskWidth, &shadowed, isLayered)
        }
    }

    /// Whether some trait has values in several of the usual layers.
    private func hasShadowed(_ masks: Int32, _ width: Int32) -> Bool {
        var shared: UInt64 = 0
        for position in masks..<masks &+ width {
            let override = words[position]
            let supplied = words[position &+ width]
            let kept = words[position &+ 2 &* width]
            shared |= override & supplied | (override | supplied) & kept
        }
        return shared != 0
    }

    /// The nearest of all layers whose mask has the bit.
    private func topLayer(_ masks: Int32, _ width: Int32, _ bit: UInt64) -> Layer {
        var position: Int32 = 0
        let last = Layer.maskCount(isLayered: true) &- 1
        while position < last, words[masks &+ position &* width] & bit == 0 { position &+= 1 }
        return Layer.at(position, isLayered: true)
    }

    /// Shadowed values lie by layer, then by trait; they go behind what shadows them.
    private func appendShadowed(
        _ list: inout ContiguousArray<RecordEntry>, _ base: Int, _ masks: Int32, _ width: Int32,
        _ offset: inout Int32, _ isLayered: Bool
    ) {
        let effective = list.count
        for position in 1..<Layer.maskCount(isLayered: isLayered) {
            let layer = Layer.at(position, isLayered: isLayered)
            let mask = masks &+ position &* width
            for index in base..<effective where list[index].layer > layer {
                let trait = list[index].trait
                if words[mask &+ Int32(trait >> 6)] & foldedBit(trait) == 0 { continue }
                list.append(
                    RecordEntry(
                        trait: trait, layer: layer, word: words[offset],
                        revision: Int64(bitPattern: words[offset &+ 1])))
                offset &+= 2
            }
        }
        if list.count == effective { return }
        list[base...].sort { ($0.trait, $1.layer) < ($1.trait, $0.layer) }
    }
}
